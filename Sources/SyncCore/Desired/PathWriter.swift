// SPDX-License-Identifier: Apache-2.0

/// Writes the paths of many items, one after the other.
///
/// Every run computes the path of every finished file to see if the file is in its place. The path is therefore written
/// byte by byte into one buffer, and each byte is checked on the way. A name that needs no cleaning, which is nearly
/// every name, costs no allocation. Any other goes through `FileNaming.cleaned`, which alone decides.
package struct PathWriter {
  private let naming: FileNaming
  private let plainASCII: ASCIISet
  private var bytes: [UInt8] = []
  /// The end of the name of a sealed file.
  private var mark = ""
  /// The start of the current component.
  private var start = 0
  /// True if no single byte of the current component needs cleaning.
  private var isPlain = true
  private var lastByte: UInt8 = 0

  package init(_ naming: FileNaming) {
    self.naming = naming
    plainASCII = naming.isPortable ? .portable : .native
    bytes.reserveCapacity(256)
  }

  /// - Parameter attempt: 0 for the plain name.
  ///   Higher numbers add the item's tag, then a number, to make the name unique.
  package mutating func path(
    _ template: LayoutTemplate, _ fields: LayoutFields, fileExtension: String, attempt: Int = 0
  ) -> LibraryPath {
    write(template, fields, fileExtension, attempt: attempt)
    guard let path = LibraryPath(String(decoding: bytes, as: UTF8.self)) else {
      preconditionFailure("cleaned components make a legal path")
    }
    return path
  }

  /// True if a file of this item is in its place: at its plain name, or at a name that once kept it apart from another
  /// file. It then stays there, even if the other file is gone.
  package mutating func isPlace(
    _ path: LibraryPath, of fields: LayoutFields, in template: LayoutTemplate, fileExtension: String
  ) -> Bool {
    write(template, fields, fileExtension, attempt: 0)
    if isWritten(path.text) { return true }
    // Another spelling of the same text needs no move.
    if path.text == String(decoding: bytes, as: UTF8.self) { return true }
    guard let attempt = Self.attempt(in: path.name, of: fields.item.id) else { return false }
    return self.path(template, fields, fileExtension: fileExtension, attempt: attempt) == path
  }

  private func isWritten(_ text: String) -> Bool {
    let units = text.utf8.span
    guard units.count == bytes.count else { return false }
    for index in units.indices where units[index] != bytes[index] { return false }
    return true
  }

  /// The attempt that the end of a name shows. Nil if the name has no tag.
  private static func attempt(in name: Substring, of id: ItemID) -> Int? {
    let stem = name.utf8.lastIndex(of: UInt8(ascii: "]")).map { name[..<$0] } ?? ""
    guard let bracket = stem.utf8.lastIndex(of: UInt8(ascii: "[")) else { return nil }
    let mark = stem[stem.utf8.index(after: bracket)...]
    let tag = id.tag
    guard mark.hasPrefix(tag) else { return nil }
    let rest = mark.dropFirst(tag.count)
    if rest.isEmpty { return 1 }
    return rest.hasPrefix("-") ? Int(rest.dropFirst()).flatMap { (2...999).contains($0) ? $0 : nil } : nil
  }

  private mutating func write(
    _ template: LayoutTemplate, _ fields: LayoutFields, _ fileExtension: String, attempt: Int
  ) {
    bytes.removeAll(keepingCapacity: true)
    let fileExtension = withoutMark(fileExtension)
    let last = template.components.count - 1
    for index in template.components.indices {
      if index > 0 { bytes.append(UInt8(ascii: "/")) }
      (start, isPlain, lastByte) = (bytes.count, true, 0)
      for part in template.components[index] { append(part, fields, fileExtension) }
      if index < last {
        finishFolder(fields.item.id)
      } else {
        finishName(fields.item.id, fileExtension, attempt: attempt)
      }
    }
  }

  // MARK: Parts

  private mutating func append(_ part: LayoutTemplate.Part, _ fields: LayoutFields, _ fileExtension: String) {
    switch part {
    case .text(let text): append(text)
    case .field(let field): append(field, fields, fileExtension)
    case .anyOf(let alternatives):
      let before = bytes.count
      for field in alternatives where bytes.count == before { append(field, fields, fileExtension) }
    }
  }

  private mutating func append(_ field: LayoutTemplate.Field, _ fields: LayoutFields, _ fileExtension: String) {
    switch field {
    case .playlist: append(fields.playlist)
    case .title: append(fields.item.title)
    case .artist: if let artist = fields.item.artist { append(artist) }
    case .album: if let album = fields.item.album { append(album) }
    case .id: append(fields.item.id.text)
    case .ext: append(fileExtension)
    case .position(let width):
      bytes.append(decimal: fields.position, width: width)
      lastByte = bytes[bytes.count - 1]
    case .published(let format): if let date = fields.item.published { append(CivilTime(date), format) }
    case .literal(let text): append(text)
    }
  }

  private mutating func append(_ date: CivilTime, _ format: String) {
    let before = bytes.count
    date.write(format, into: &bytes)
    for byte in bytes[before...] {
      if byte >= 0x80 || !plainASCII.contains(byte) || byte == 0x20 && lastByte == 0x20 { isPlain = false }
      lastByte = byte
    }
  }

  /// A `/` in a value is not a separator.
  private mutating func append(_ text: String) {
    var isASCII = true
    var isPlain = isPlain
    var last = lastByte
    let units = text.utf8.span
    for index in units.indices {
      let byte = units[index]
      if byte >= 0x80 {
        isASCII = false
        bytes.append(byte)
      } else if plainASCII.contains(byte) {
        if byte == 0x20, last == 0x20 { isPlain = false }
        bytes.append(byte)
      } else if byte == UInt8(ascii: "/") {
        bytes.append(UInt8(ascii: "_"))
      } else {
        isPlain = false
        bytes.append(byte)
      }
      last = byte
    }
    (self.isPlain, lastByte) = (isPlain && (isASCII || text.unicodeScalars.allSatisfy(\.isPlainInNames)), last)
  }

  // MARK: Components

  private mutating func finishFolder(_ id: ItemID) {
    guard !isLegal(upTo: bytes.count) else { return }
    let name = naming.cleaned(component)
    replace(with: naming.fitted(name.isEmpty ? id.tag : name, reserving: 0, tag: id.tag))
  }

  private mutating func finishName(_ id: ItemID, _ fileExtension: String, attempt: Int) {
    let length = hasEnding(fileExtension) ? fileExtension.utf8.count + 1 : 0
    let end = bytes.count - length
    defer { bytes.append(contentsOf: mark.utf8) }
    if attempt == 0, isLegal(upTo: end) { return }
    let tag = id.tag
    let ending = length == 0 ? "" : "." + fileExtension
    let suffix = id.nameMark(attempt: attempt)
    let stem = naming.cleaned(String(decoding: bytes[start..<end], as: UTF8.self))
    let reserved = suffix.utf8.count + ending.utf8.count + mark.utf8.count
    let fitted = naming.fitted(stem.isEmpty ? tag : stem, reserving: reserved, tag: tag)
    replace(with: fitted + suffix + ending)
  }

  /// Notes whether the name gets the mark of a sealed file, which follows everything that the layout writes.
  /// - Returns: The extension of the media.
  private mutating func withoutMark(_ fileExtension: String) -> String {
    mark = ""
    guard Sealing.marks(fileExtension) else { return fileExtension }
    mark = Sealing.mark
    return String(fileExtension.dropLast(Sealing.mark.count))
  }

  /// True if the component ends in `.` and the extension.
  private func hasEnding(_ fileExtension: String) -> Bool {
    let length = fileExtension.utf8.count + 1
    guard bytes.count - start >= length, bytes[bytes.count - length] == UInt8(ascii: ".") else { return false }
    return bytes[(bytes.count - length + 1)...].elementsEqual(fileExtension.utf8)
  }

  /// True if cleaning and fitting would not change the component.
  private func isLegal(upTo end: Int) -> Bool {
    guard isPlain, end > start, bytes.count - start + mark.utf8.count <= FileNaming.maximumLength else { return false }
    let (first, last) = (bytes[start], bytes[end - 1])
    let isEdged = first == 0x20 || first == UInt8(ascii: "-") || first == UInt8(ascii: ".")
    guard !isEdged, last != 0x20, last != UInt8(ascii: ".") else { return false }
    return !(naming.isPortable && DeviceName.isOne(bytes[start..<end]))
  }

  private var component: String { String(decoding: bytes[start...], as: UTF8.self) }

  private mutating func replace(with text: String) {
    bytes.removeSubrange(start...)
    bytes.append(contentsOf: text.utf8)
  }
}

/// A set of ASCII bytes, one bit each.
private struct ASCIISet {
  private let low: UInt64
  private let high: UInt64

  /// All printable characters except `/` and those of `forbidden`.
  private init(without forbidden: String) {
    var (low, high) = (UInt64.zero, UInt64.zero)
    for byte in UInt8(0x20)...0x7E where byte != UInt8(ascii: "/") && !forbidden.utf8.contains(byte) {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }
    (self.low, self.high) = (low, high)
  }

  static let native = ASCIISet(without: "")
  static let portable = ASCIISet(without: "\\:*?\"<>|")

  /// - Precondition: `byte` is ASCII.
  func contains(_ byte: UInt8) -> Bool {
    (byte < 64 ? low >> UInt64(byte) : high >> UInt64(byte - 64)) & 1 == 1
  }
}

extension Unicode.Scalar {
  /// True if the scalar is neither a space nor invisible, and is in normalization form C next to any other scalar. A
  /// short table decides: Latin, Greek, Cyrillic, kana, Chinese characters, Hangul syllables, emoji.
  fileprivate var isPlainInNames: Bool {
    switch value {
    case 0...0x7F: true
    case 0xA1...0x2FF: true
    case 0x37B...0x37D, 0x388...0x482, 0x48A...0x52F: true
    case 0x2013...0x2019, 0x201C...0x201E, 0x2026: true
    case 0x3041...0x3096, 0x30A1...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
    case 0x1F300...0x1FAFF: true
    default: false
    }
  }
}
