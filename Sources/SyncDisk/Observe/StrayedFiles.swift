// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Finds finished files that a person renamed or moved inside the library: by size, then by SHA-256.
///
/// The search costs nothing while every file is in its place. Otherwise it lists the library once, and reads only files
/// that no item owns and that have the size of a missing one: each once, and a bounded number for each missing file.
package struct StrayedFiles {
  /// The number of files of one size that are read for each missing file of that size.
  static let triesPerFile = 8

  let library: Library

  package init(library: Library) {
    self.library = library
  }

  /// Returns those of the items' finished files that are not in their places.
  package func missing(of items: some Sequence<QueueItem>) throws(FileError) -> [(id: ItemID, file: StoredFile)] {
    var missing: [(id: ItemID, file: StoredFile)] = []
    for item in items {
      guard let file = item.state.storedFile, try !hasSomething(at: file.path) else { continue }
      missing.append((item.id, file))
    }
    return missing
  }

  private func hasSomething(at path: LibraryPath) throws(FileError) -> Bool {
    guard let root = library.mediaRoot else { return false }
    do throws(FileError) { return try library.files.status(of: root[path]) != nil } catch {
      // A file or a link is in the place of a folder.
      if error.isObstructed { return false }
      // A folder that may not be searched may still have the file.
      guard error.isOfOneFile else { throw error }
      return true
    }
  }

  /// - Parameters:
  ///   - missing: finished files of the queue that are not in their places.
  ///   - queue: the paths of its other items are not looked at.
  ///   - known: other paths that are not looked at.
  package func find(
    _ missing: [(id: ItemID, file: StoredFile)], in queue: Queue, besides known: [LibraryPath] = []
  ) throws(FileError) -> [ItemID: StoredFile] {
    guard !missing.isEmpty else { return [:] }
    let sought = Set(missing.map(\.id))
    let owned = queue.items.filter { !sought.contains($0.id) }.compactMap(\.claimedPath)
    return try find(missing, besides: Set((owned + known).map(library.rules.naming.key)))
  }

  /// - Parameters:
  ///   - missing: finished files that are not in their place.
  ///   - owned: paths of other items.
  /// - Returns: the files that were found, each with its present path.
  func find(
    _ missing: [(id: ItemID, file: StoredFile)], besides owned: Set<NameKey>
  ) throws(FileError) -> [ItemID: StoredFile] {
    guard !missing.isEmpty, let root = library.mediaRoot else { return [:] }
    var wanted = Dictionary(grouping: missing, by: \.file.size)
    let strangers = try LibraryWalk(library: library, passesOverRefusals: true).media().media.filter { path, size in
      wanted[size] != nil && !owned.contains(library.rules.naming.key(path))
    }
    var found: [ItemID: StoredFile] = [:]
    var tries = wanted.mapValues { $0.count * Self.triesPerFile }
    for (path, size) in inTurn(strangers, missing) where !Task.isCancelled {
      guard let sought = wanted[size], !sought.isEmpty, let left = tries[size], left > 0 else { continue }
      tries[size] = left - 1
      guard let digest = digest(root[path]),
        let index = sought.firstIndex(where: { $0.file.sha256 == digest.sha256 })
      else { continue }
      found[sought[index].id] = sought[index].file.at(path)
      wanted[size]?.remove(at: index)
    }
    return found
  }

  /// Files that are back at their path come first, then those that kept their name and only changed the folder.
  private func inTurn(
    _ strangers: [LibraryPath: ByteCount], _ missing: [(id: ItemID, file: StoredFile)]
  ) -> [(LibraryPath, ByteCount)] {
    let paths = Set(missing.map(\.file.path))
    let names = Set(missing.map(\.file.path.name))
    func turn(_ path: LibraryPath) -> Int { paths.contains(path) ? 0 : names.contains(path.name) ? 1 : 2 }
    return strangers.map { (turn: turn($0.key), path: $0.key, size: $0.value) }
      .sorted { ($0.turn, $0.path) < ($1.turn, $1.path) }
      .map { ($0.path, $0.size) }
  }

  /// Nil for a file that cannot be read: it is not known to be ours.
  private func digest(_ place: FilePlace) -> FileDigest? {
    do throws(Failure) { return try FileDigest.compute(place, in: library.files) } catch { return nil }
  }
}

extension QueueItem {
  /// The path of the item's file, or the one that it is getting.
  fileprivate var claimedPath: LibraryPath? {
    if case .downloading(let attempt) = state { return attempt.publishing?.path }
    return state.storedFile?.path
  }
}
