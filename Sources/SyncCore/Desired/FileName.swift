// SPDX-License-Identifier: Apache-2.0

/// Makes one path component out of a text from outside, legal on every file system of the profile.
package struct FileNaming: Sendable {
  /// Also without `\ : * ? " < > |`, device names, trailing dots and spaces: FAT, exFAT, SMB.
  package var isPortable: Bool
  /// The longest component, in bytes of UTF-8.
  package static let maximumBytes = 255

  package init(isPortable: Bool) { self.isPortable = isPortable }

  /// `text` without separators, control and direction characters, leading `-` and `.`, trailing dots and spaces.
  /// May be empty.
  package func cleaned(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(replacement(scalar)) }
    let words = String(scalars).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    var name = words[...]
    while let first = name.unicodeScalars.first, "-. ".unicodeScalars.contains(first) {
      name.unicodeScalars.removeFirst()
    }
    while let last = name.unicodeScalars.last, ". ".unicodeScalars.contains(last) { name.unicodeScalars.removeLast() }
    return isPortable && Self.isDeviceName(name) ? "_" + name : String(name)
  }

  /// The longest prefix of `name` that leaves room for `reserved` bytes and cuts no character; marked with `tag` when cut.
  package func fitted(_ name: String, reserving reserved: Int, tag: String) -> String {
    let room = Self.maximumBytes - reserved
    guard name.utf8.count > room else { return name }
    var cut = name
    while cut.utf8.count > max(0, room - tag.utf8.count - 3) { cut.removeLast() }
    let kept = cut.trimmingTrailingSpaces
    return kept.isEmpty ? "[\(tag)]" : "\(kept) [\(tag)]"
  }

  private func replacement(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isControl { return " " }
    if scalar.isInvisible { return "\u{20}" }
    if scalar == "/" || (isPortable && "\\:*?\"<>|".unicodeScalars.contains(scalar)) { return "_" }
    return scalar
  }

  private static func isDeviceName(_ name: Substring) -> Bool {
    let stem = name.prefix { $0 != "." }.uppercased()
    if ["CON", "PRN", "AUX", "NUL"].contains(stem) { return true }
    return stem.count == 4 && (stem.hasPrefix("COM") || stem.hasPrefix("LPT"))
      && stem.last.map { ("1"..."9").contains($0) } ?? false
  }
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

extension String {
  fileprivate var trimmingTrailingSpaces: Substring {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return text
  }
}
