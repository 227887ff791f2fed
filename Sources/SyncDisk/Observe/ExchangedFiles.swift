// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Finds finished files that a person renamed over the files of other items: by size, then by SHA-256.
///
/// The search costs nothing while every file is in its place and has its size. Otherwise it reads files that have the
/// size of a file sought: each file of a wrong size once, and of the files that seem to be in order a bounded number.
package struct ExchangedFiles {
  /// The number of files of one size that are read although nothing seems wrong with them.
  static let triesPerSize = 8

  /// The place of a finished file, with the plain file that is there now.
  package struct Place {
    var id: ItemID
    /// The file as recorded.
    var file: StoredFile
    /// The size of the file that is there.
    var size: ByteCount
    /// The hash of the file that is there. Nil if it was not read.
    var sha256: SHA256Digest?

    package init(id: ItemID, file: StoredFile, size: ByteCount, sha256: SHA256Digest? = nil) {
      self.id = id
      self.file = file
      self.size = size
      self.sha256 = sha256
    }
  }

  package struct Finds {
    /// The files that were found, each with its present path.
    package var found: [ItemID: StoredFile] = [:]
    /// Items whose places have the files of other items.
    package var displaced: Set<ItemID> = []
  }

  let library: Library

  package init(library: Library) {
    self.library = library
  }

  /// - Parameters:
  ///   - missing: Finished files that are not in their places and nowhere else in the library.
  ///   - replaced: The places that have other files than those recorded.
  ///   - intact: The places where a file of the right size is. Empty if the files were read and have their hashes.
  package func find(
    _ missing: [(id: ItemID, file: StoredFile)], replaced: [Place], intact: @autoclosure () -> [Place]
  ) -> Finds {
    var finds = search(replaced, for: missing + replaced.map { ($0.id, $0.file) })
    // The place of a file that is to return must become free. If it does not, a person may have edited the file there.
    let held = Set(replaced.map(\.id))
    while let stuck = finds.found.first(where: { held.contains($0.key) && !finds.displaced.contains($0.key) }) {
      finds.found[stuck.key] = nil
      for place in replaced where place.file.path == stuck.value.path { finds.displaced.remove(place.id) }
    }
    let lost = missing.filter { finds.found[$0.id] == nil }
    if !lost.isEmpty { search(intact(), for: lost, &finds) }
    return finds
  }

  private func search(_ replaced: [Place], for sought: [(id: ItemID, file: StoredFile)]) -> Finds {
    var finds = Finds()
    var wanted = Dictionary(grouping: sought, by: \.file.size)
    for place in replaced where !Task.isCancelled {
      guard let ours = wanted[place.size], let sha256 = place.sha256 ?? digest(place.file.path),
        let index = ours.firstIndex(where: { $0.file.sha256 == sha256 && $0.id != place.id })
      else { continue }
      finds.found[ours[index].id] = ours[index].file.at(place.file.path)
      finds.displaced.insert(place.id)
      wanted[place.size]?.remove(at: index)
    }
    return finds
  }

  /// Looks at files that seem to be in order. The file of the item whose place turns out to be taken is sought in turn.
  private func search(_ intact: [Place], for lost: [(id: ItemID, file: StoredFile)], _ finds: inout Finds) {
    let sizes = Set(lost.map(\.file.size))
    let places = Dictionary(grouping: intact.filter { sizes.contains($0.size) }, by: \.size)
    for (size, sought) in Dictionary(grouping: lost, by: \.file.size) {
      var sought = sought
      let read = (places[size] ?? []).prefix(Self.triesPerSize).compactMap { place in
        digest(place.file.path).map { (place: place, sha256: $0) }
      }
      // A file that has its recorded hash is in its own place.
      let strange = read.filter { $0.sha256 != $0.place.file.sha256 }
      while let next = sought.popLast() {
        guard
          let there = strange.first(where: { $0.sha256 == next.file.sha256 && !finds.displaced.contains($0.place.id) })
        else { continue }
        finds.found[next.id] = next.file.at(there.place.file.path)
        finds.displaced.insert(there.place.id)
        sought.append((there.place.id, there.place.file))
      }
    }
  }

  /// Nil for a file that cannot be read: it is not known to be ours.
  private func digest(_ path: LibraryPath) -> SHA256Digest? {
    guard let root = library.mediaRoot, !Task.isCancelled else { return nil }
    do throws(Failure) { return try FileDigest.compute(root[path], in: library.files).sha256 } catch { return nil }
  }
}
