// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A fetched picture in the partials folder, where it stays until the end of the run.
package struct KeptPicture: Hashable, Sendable {
  /// Its name in the partials folder.
  var name: String
  /// `jpg` or `png`.
  var fileExtension: String
}

/// The pictures of a run.
extension Publisher {
  /// The names that players look for in a folder (Kodi, Navidrome, Rockbox and the like), the one that is written
  /// first.
  private static let coverNames = ["cover", "folder"].flatMap { name in
    ["jpg", "png", "jpeg"].map { "\(name).\($0)" }
  }
  /// The largest picture.
  package static let largestPicture = ByteCount(10_000_000)

  /// Keeps a picture for the files of this run.
  /// - Returns: Nil if the bytes are neither a JPEG nor a PNG.
  package func keep(
    _ bytes: [UInt8], from url: RemoteURL
  ) throws(FileError) -> KeptPicture? {
    guard case .image(let type) = SniffedContent(bytes.span), type == .jpg || type == .png else { return nil }
    let picture = KeptPicture(name: PartialFolder.pictureName(of: url), fileExtension: type.fileExtension)
    let place = place(of: picture)
    try library.files.removeFileIfPresent(place)
    try library.files.create(place, bytes, mode: .sharedFile)
    return picture
  }

  /// The absolute path of a picture.
  package func path(of picture: KeptPicture) -> String { place(of: picture).text }

  /// Removes a picture at the end of the run.
  package func discard(_ picture: KeptPicture) {
    do throws(FileError) { try library.files.removeFileIfPresent(place(of: picture)) } catch {
      // It is a stray that the next run removes.
    }
  }

  /// The folder that an item's file will be in. Nil for the library itself, which has no picture.
  package func folder(of download: PlannedDownload, _ file: CheckedFile) -> LibraryPath? {
    download.layout.path(download.fields, fileExtension: file.fileExtension, naming: naming, attempt: 0).parent
  }

  /// True if the folder has a picture, whoever put it there.
  package func hasCover(_ folder: LibraryPath) throws(FileError) -> Bool {
    for name in Self.coverNames {
      guard let place = library.root[folder].child(name) else { continue }
      do throws(FileError) { if try library.files.status(of: place) != nil { return true } } catch {
        guard error.isMissing else { throw error }
      }
    }
    return false
  }

  /// Puts the picture into a folder that has none, whole or not at all. Nothing is overwritten.
  package func putCover(_ picture: KeptPicture, into folder: LibraryPath) throws(FileError) {
    let bytes = try library.files.read(place(of: picture), limit: Self.largestPicture) ?? []
    guard let work = partialFolder.child("\(picture.name).cover"),
      let target = library.root[folder].child("cover.\(picture.fileExtension)")
    else { return }
    try library.files.makeFolders(library.root[folder], mode: .sharedFolder)
    try library.files.removeFileIfPresent(work)
    try library.files.create(work, bytes, mode: .sharedFile)
    do throws(FileError) { try library.files.move(work, to: target, replacing: false) } catch {
      try library.files.removeFileIfPresent(work)
      guard error.isPresent else { throw error }
      return
    }
    try library.files.syncFolder(target.parent)
  }

  private func place(of picture: KeptPicture) -> FilePlace {
    guard let place = partialFolder.child(picture.name) else {
      preconditionFailure("\(picture.name) is no name of a picture")
    }
    return place
  }
}
