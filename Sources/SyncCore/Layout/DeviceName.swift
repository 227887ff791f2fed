// SPDX-License-Identifier: Apache-2.0

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
