// SPDX-License-Identifier: Apache-2.0

/// Turns a text from outside into one path component that is legal on every file system of the profile.
package struct FileNaming: Hashable, Sendable {
  /// The unit in which the length of a component is limited.
  package enum Unit: Hashable, Sendable {
    /// Bytes of UTF-8, as on Linux.
    case bytes
    /// UTF-16 code units, as on FAT, exFAT, NTFS and shares of them.
    case utf16
  }

  /// True to exclude also `\ : * ? " < > |` and device names, for FAT, exFAT and SMB.
  package var isPortable: Bool
  /// True if names that differ only by case are the same name.
  package var foldsCase: Bool
  package var unit: Unit
  /// The length of the longest component, in its unit.
  package static let maximumLength = 255

  package init(isPortable: Bool, foldsCase: Bool? = nil, unit: Unit = .bytes) {
    self.isPortable = isPortable
    self.foldsCase = foldsCase ?? isPortable
    self.unit = unit
  }

  /// `text` without separators, control and direction characters, leading `-` and `.`, and trailing dots and spaces, in
  /// Unicode normalization form C. May be empty.
  package func cleaned(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(replacement(scalar)) }
    let words = String(scalars).split(whereSeparator: \.isWhitespace).joined(separator: " ").composed
    var name = words[...]
    while let first = name.unicodeScalars.first, "-. ".unicodeScalars.contains(first) {
      name.unicodeScalars.removeFirst()
    }
    while let last = name.unicodeScalars.last, ". ".unicodeScalars.contains(last) { name.unicodeScalars.removeLast() }
    return isPortable && DeviceName.isOne(Array(name.utf8)) ? "_" + name : String(name)
  }

  /// The longest prefix of `name` that leaves `reserved` units free and splits no character.
  /// A shortened name ends with `tag`.
  package func fitted(_ name: String, reserving reserved: Int, tag: String) -> String {
    let room = Self.maximumLength - reserved
    guard isLonger(name, than: room) else { return name }
    var left = max(0, room - tag.utf8.count - 3)
    var end = name.startIndex
    // Scans from the front, because a name may have a megabyte.
    for character in name {
      let length = length(character)
      guard length <= left else { break }
      left -= length
      end = name.index(after: end)
    }
    let kept = name[..<end].trimmingTrailingSpaces
    return kept.isEmpty ? "[\(tag)]" : "\(kept) [\(tag)]"
  }

  /// A key that is equal for two paths if the file system treats them as the same. Even on a case-sensitive file system
  /// two spellings of one text are equal, because Swift compares by canonical equivalence.
  package func key(_ path: LibraryPath) -> NameKey {
    guard foldsCase else { return NameKey(text: path.text) }
    let isASCII = path.text.utf8.allSatisfy { $0 < 0x80 }
    // Goes through upper case as Windows does, where σ and ς are the same letter.
    return NameKey(text: isASCII ? path.text.lowercased() : path.text.uppercased().lowercased())
  }

  private func isLonger(_ name: String, than room: Int) -> Bool {
    switch unit {
    case .bytes: name.utf8.count > room
    case .utf16: name.utf8.count > room && name.utf16.count > room
    }
  }

  private func length(_ character: Character) -> Int {
    switch unit {
    case .bytes: character.utf8.count
    case .utf16: character.utf16.count
    }
  }

  private func replacement(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isControl { return " " }
    if scalar.isInvisible { return "\u{20}" }
    if scalar == "/" || (isPortable && "\\:*?\"<>|".unicodeScalars.contains(scalar)) { return "_" }
    return scalar
  }
}

/// A path in the form in which a file system compares it.
package struct NameKey: Hashable, Sendable {
  fileprivate let text: String
}

extension Unicode.Scalar {
  /// True for direction marks, line and paragraph separators and the zero-width no-break space: they are invisible and
  /// can disguise a name.
  package var isInvisible: Bool {
    switch value {
    case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029, 0xFEFF, 0x061C: true
    default: false
    }
  }
}

extension Substring {
  fileprivate var trimmingTrailingSpaces: Substring {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}

/// The device names that Windows reserves in every folder and with any extension ("Naming Files, Paths, and Namespaces"
/// in the Win32 documentation).
enum DeviceName {
  /// The kind of device name that begins with these letters. The rest of the name decides.
  private static func kind(_ letters: (UInt8, UInt8, UInt8)) -> Kind? {
    switch letters {
    case (0x63, 0x6F, 0x6E): .console
    case (0x63, 0x6F, 0x6D), (0x6C, 0x70, 0x74): .numbered
    case (0x70, 0x72, 0x6E), (0x61, 0x75, 0x78), (0x6E, 0x75, 0x6C): .plain
    default: nil
    }
  }

  private enum Kind { case plain, numbered, console }

  /// - Parameter name: UTF-8.
  ///   Called for each component of each path, so the first letters must rule out nearly all names.
  static func isOne(_ name: some RandomAccessCollection<UInt8>) -> Bool {
    guard name.count >= 3 else { return false }
    func letter(_ offset: Int) -> UInt8 { name[name.index(name.startIndex, offsetBy: offset)] | 0x20 }
    guard let kind = kind((letter(0), letter(1), letter(2))) else { return false }
    var rest = name.dropFirst(3).prefix { $0 != UInt8(ascii: ".") }
    while rest.last == UInt8(ascii: " ") { rest.removeLast() }
    switch kind {
    case .plain: return rest.isEmpty
    case .numbered: return isNumber(rest)
    case .console: return rest.isEmpty || ["in$", "out$"].contains(String(decoding: rest, as: UTF8.self).lowercased())
    }
  }

  /// True for 1 to 9, or ¹ ² ³ in UTF-8.
  private static func isNumber(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
    switch Array(bytes) {
    case let digits where digits.count == 1: (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(digits[0])
    case [0xC2, 0xB9], [0xC2, 0xB2], [0xC2, 0xB3]: true
    default: false
    }
  }
}
