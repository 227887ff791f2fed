// SPDX-License-Identifier: Apache-2.0
internal import SyncCore

/// A reference to a file in a list, as written.
struct ListReference {
  enum Target {
    case url(RemoteURL)
    /// A file of the machine where the list was made.
    case localFile
    case invalid
  }

  enum Syntax {
    /// XSPF and JSPF have URI references.
    case reference
    /// M3U and PLS have URLs, and paths in which every character means itself.
    case path
  }

  let text: String
  let syntax: Syntax

  /// - Parameter base: The address of the list. Nil for a list in a file, whose relative references are local files.
  func target(from base: RemoteURL?) -> Target {
    let isRelative = !RemoteURL.hasScheme(text)
    if isLocal || isRelative && base == nil { return .localFile }
    do throws(RemoteURL.Problem) {
      return .url(try RemoteURL(reference: isRelative ? relative : absolute, base: base))
    } catch { return .invalid }
  }

  /// True for `file:`, `C:\` or `C:/`, and `\\server`, from wherever the list came.
  private var isLocal: Bool {
    if text.utf8.count >= 5, text.prefix(5).lowercased() == "file:" { return true }
    let start = Array(text.utf8.prefix(3))
    guard start.count == 3 else { return false }
    let isLetter = (0x61...0x7A).contains(start[0] | 0x20)
    let isSlash = { (byte: UInt8) in byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/") }
    return isLetter && start[1] == UInt8(ascii: ":") && isSlash(start[2]) || text.hasPrefix("\\\\")
  }

  /// A space is not allowed in a URL, but files with spaces in their names are listed this way.
  private var absolute: String { text.utf8.contains(0x20) ? text.replacing(" ", with: "%20") : text }

  /// A number sign in a path is part of a name. So is a percent sign without two digits behind it. Windows writes
  /// backslashes between folders.
  private var relative: String {
    guard syntax == .path else { return absolute }
    let bytes = Array(text.utf8)
    var path: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: " "): path += "%20".utf8
      case UInt8(ascii: "#"): path += "%23".utf8
      case UInt8(ascii: "\\"): path.append(UInt8(ascii: "/"))
      case UInt8(ascii: "%") where !Self.isEscape(bytes[index...].prefix(3)): path += "%25".utf8
      default: path.append(byte)
      }
    }
    return String(decoding: path, as: UTF8.self)
  }

  private static func isEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count == 3 && bytes.dropFirst().allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }
}
