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
