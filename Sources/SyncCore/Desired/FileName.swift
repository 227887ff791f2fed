// SPDX-License-Identifier: Apache-2.0

/// Makes one path component out of a text from outside, legal on every file system of the profile.
package struct FileNaming: Hashable, Sendable {
  /// What the longest component is measured in.
  package enum Unit: Hashable, Sendable {
    /// Bytes of UTF-8: Linux.
    case bytes
    /// Units of UTF-16: FAT, exFAT, NTFS, and what is shared from them.
    case utf16
  }

  /// Also without `\ : * ? " < > |` and the names of devices: FAT, exFAT, SMB.
  package var isPortable: Bool
  /// Names that differ by case alone are one name.
  package var foldsCase: Bool
  package var unit: Unit
  /// The longest component, in its unit.
  package static let maximumLength = 255

  package init(isPortable: Bool, foldsCase: Bool? = nil, unit: Unit = .bytes) {
    self.isPortable = isPortable
    self.foldsCase = foldsCase ?? isPortable
    self.unit = unit
  }

  /// `text` without separators, control and direction characters, leading `-` and `.`, trailing dots and spaces; in
  /// normal form C. May be empty.
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

  /// The longest prefix of `name` that leaves room for `reserved` units and cuts no character; marked with `tag` when cut.
  package func fitted(_ name: String, reserving reserved: Int, tag: String) -> String {
    let room = Self.maximumLength - reserved
    guard isLonger(name, than: room) else { return name }
    var left = max(0, room - tag.utf8.count - 3)
    var end = name.startIndex
    // From the front: a name may be a megabyte.
    for character in name {
      let length = length(character)
      guard length <= left else { break }
      left -= length
      end = name.index(after: end)
    }
    let kept = name[..<end].trimmingTrailingSpaces
    return kept.isEmpty ? "[\(tag)]" : "\(kept) [\(tag)]"
  }

  /// What two paths have in common when the file system holds them for one. Also where it tells case apart, two
  /// spellings of one text are one: Swift compares by canonical equivalence.
  package func key(_ path: LibraryPath) -> NameKey {
    guard foldsCase else { return NameKey(text: path.text) }
    let isASCII = path.text.utf8.allSatisfy { $0 < 0x80 }
    // By way of upper case, as Windows does it: σ and ς are one letter there.
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

/// A path as a file system compares it.
package struct NameKey: Hashable, Sendable {
  fileprivate let text: String
}

extension Unicode.Scalar {
  /// Direction marks, line and paragraph separators, zero-width no-break space: invisible, and able to disguise a name.
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
