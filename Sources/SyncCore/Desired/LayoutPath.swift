// SPDX-License-Identifier: Apache-2.0

/// The values for the fields of a layout.
package struct LayoutFields: Equatable, Sendable {
  package var playlist: String
  @Boxed package var item: Item
  package var position: Int
  package init(playlist: String, item: Boxed<Item>, position: Int) {
    self.playlist = playlist
    _item = item
    self.position = position
  }
}

extension LayoutTemplate {
  /// The path of the file, with every component made legal. An empty component becomes the item's tag.
  /// - Parameter attempt: 0 for the plain name.
  ///   Higher numbers add the item's tag, then a number, to make the name unique.
  package func path(_ fields: LayoutFields, fileExtension: String, naming: FileNaming, attempt: Int = 0) -> LibraryPath
  {
    var writer = PathWriter(naming)
    return writer.path(self, fields, fileExtension: fileExtension, attempt: attempt)
  }
}

extension ItemID {
  /// Eight hexadecimal digits derived from the id, to tell equal names apart (FNV-1a, folded).
  package var tag: String { text.fingerprint }

  /// The addition to a name that is taken: nothing, then the tag, then the tag with a number.
  func nameMark(attempt: Int) -> String {
    switch attempt {
    case 0: ""
    case 1: " [\(tag)]"
    default: " [\(tag)-\(attempt)]"
    }
  }
}

extension String {
  /// Eight hexadecimal digits of the FNV-1a hash of the UTF-8 bytes. For names only, never for security.
  package var fingerprint: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    let folded = UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
    let digits = String(folded, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

extension LibraryPath {
  /// The text after the last dot of the name. Empty if there is no dot.
  package var fileExtension: Substring {
    let units = text.utf8.span
    var index = units.count - 1
    while index >= 0, units[index] != UInt8(ascii: "/") {
      if units[index] == UInt8(ascii: ".") {
        return text[text.utf8.index(text.endIndex, offsetBy: index + 1 - units.count)...]
      }
      index -= 1
    }
    return ""
  }
}

extension LibraryPath {
  /// True for the name of a sealed file.
  package var isSealed: Bool { Sealing.marks(text) }

  /// The path without the extension of a sealed file.
  package var unsealed: LibraryPath {
    guard isSealed, let path = LibraryPath(String(text.dropLast(Sealing.mark.count))) else { return self }
    return path
  }

  /// The same path with the item's mark before the endings, fitted to the longest name.
  /// - Parameter attempt: 0 for the plain name. Higher numbers add the item's tag, then a number, to make it unique.
  package func marked(for id: ItemID, attempt: Int, _ naming: FileNaming) -> LibraryPath {
    let clear = unsealed.fileExtension
    let ending = (clear.isEmpty ? "" : ".\(clear)") + (isSealed ? Sealing.mark : "")
    var stem = name.dropLast(ending.count)
    // A name that has the tag already gets another number.
    if attempt > 0, let tag = stem.firstRange(of: " [\(id.tag)") { stem = stem[..<tag.lowerBound] }
    let mark = id.nameMark(attempt: attempt)
    let fitted = naming.fitted(String(stem), reserving: mark.utf8.count + ending.utf8.count, tag: id.tag)
    let folder = parent.map { "\($0.text)/" } ?? ""
    guard let path = LibraryPath("\(folder)\(fitted)\(mark)\(ending)") else {
      preconditionFailure("a legal path stays legal with another name")
    }
    return path
  }

  /// The path of the sealed form.
  package var sealed: LibraryPath { LibraryPath(text + Sealing.mark) ?? self }
}

extension Manifest {
  /// The probable extension of an item's file in the library.
  package func expectedExtension(of item: Item) -> String {
    protect.mode == .encrypt ? item.expectedExtension + Sealing.mark : item.expectedExtension
  }
}

extension Item {
  /// The probable extension before the content is known: that of the URL if media or images have it, otherwise that of
  /// the type that the source states, otherwise `mp3`.
  package var expectedExtension: String {
    let name = main.url.lastPathComponent
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    return MediaType(fileExtension: ending)?.fileExtension ?? ImageType(fileExtension: ending)?.fileExtension
      ?? mediaType?.fileExtension ?? "mp3"
  }
}
