// SPDX-License-Identifier: Apache-2.0

/// What a layout's fields stand for.
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
  /// The file's place, with every component made legal. A component that turns out empty takes the item's tag.
  /// - Parameter attempt: 0 for the plain name; above it the item's tag, then a number, set names apart.
  package func path(_ fields: LayoutFields, fileExtension: String, naming: FileNaming, attempt: Int = 0) -> LibraryPath
  {
    var writer = PathWriter(naming)
    return writer.path(self, fields, fileExtension: fileExtension, attempt: attempt)
  }
}

extension ItemID {
  /// Eight hexadecimal digits that stand for the id where a name needs to be told from another (FNV-1a, folded).
  package var tag: String { text.fingerprint }
}

extension String {
  /// Eight hexadecimal digits of the FNV-1a hash of the UTF-8 bytes. For names, never for trust.
  package var fingerprint: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    let folded = UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
    let digits = String(folded, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

extension LibraryPath {
  /// Behind the name's last dot; empty when there is none.
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

extension Item {
  /// What the file will most likely end in, before its bytes are known: the URL's ending when it is one of media.
  package var expectedExtension: String {
    let name = main.url.lastPathComponent
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    return MediaType(fileExtension: ending)?.fileExtension ?? "mp3"
  }
}
