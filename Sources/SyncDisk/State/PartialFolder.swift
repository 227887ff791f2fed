// SPDX-License-Identifier: Apache-2.0
import Crypto
package import SyncCore

/// The folder of unfinished downloads, `partial/` in the state folder.
package struct PartialFolder: Sendable {
  package let files: any FileSystem
  package let folder: FilePlace

  package init(_ files: any FileSystem, _ folder: FilePlace) {
    self.files = files
    self.folder = folder
  }

  /// The file name for an item's bytes from one URL: the same in every run, different for every other item and URL, and
  /// without any character of the id or URL that could change a path.
  /// - Parameter taken: the names of folders, see `folders()`.
  package static func name(for id: ItemID, url: RemoteURL, avoiding taken: Set<String> = []) -> String {
    let stem = "\(digits(of: id.text, 16))-\(digits(of: url.text, 16))"
    var (name, attempt) = ("\(stem).part", 1)
    while taken.contains(name) {
      attempt += 1
      name = "\(stem)-\(attempt).part"
    }
    return name
  }

  /// The name of the copy of a partial that gets tags.
  package static func copyName(of partial: String) -> String { "\(partial).tagged" }

  /// The name of the sealed form of a partial.
  package static func sealedName(of partial: String) -> String { partial + Sealing.mark }

  /// The name of a fetched picture.
  static func pictureName(of url: RemoteURL) -> String { "\(digits(of: url.text, 32)).picture" }

  private static func digits(of text: String, _ count: Int) -> String {
    var hash = SHA256()
    hash.update(data: Array(text.utf8))
    return hash.finalize().prefix(count / 2).reduce(into: "") { digits, byte in
      digits += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
  }

  /// The place of a partial; nil when the name is not valid.
  package func place(_ name: String) -> FilePlace? { folder.child(name) }

  /// Makes the folder if it is missing.
  package func make() throws(FileError) { try files.makeFolders(folder, mode: .privateFolder) }

  /// Every file in the folder by its name; empty when there is no folder. A file with a second name is not ours to
  /// append to.
  package func list() throws(FileError) -> [String: LibraryObservation.PartialFile] {
    var partials: [String: LibraryObservation.PartialFile] = [:]
    for entry in try files.listIfPresent(folder)
    where entry.isNameExact && entry.status.kind == .file && entry.status.linkCount == 1 {
      partials[entry.name] = .init(size: entry.status.size, modifiedAt: entry.status.modifiedAt)
    }
    return partials
  }

  /// The names of folders in the folder. None is ours, so none is removed, and no partial can have such a name.
  func folders() throws(FileError) -> Set<String> {
    Set(try files.listIfPresent(folder).filter { $0.status.kind == .directory }.map(\.name))
  }

  /// Removes a partial if it is there.
  package func remove(_ name: String) throws(FileError) {
    guard let place = place(name) else { return }
    try files.removeFileIfPresent(place)
  }
}

extension FileSystem {
  /// The entries of a directory; empty when it is missing.
  package func listIfPresent(
    _ folder: FilePlace, where isMeant: (String) -> Bool = { _ in true }
  ) throws(FileError) -> [DirectoryEntry] {
    do throws(FileError) { return try list(folder, where: isMeant) } catch {
      if error.isMissing { return [] }
      throw error
    }
  }
}
