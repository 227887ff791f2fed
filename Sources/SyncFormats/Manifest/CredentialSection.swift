// SPDX-License-Identifier: Apache-2.0

/// A section of a manifest whose values may be credentials (`auth`, `servers` and `headers`, also slightly misspelt),
/// found in the text alone: a manifest with an error may have no tree, or one without the wrong line.
struct CredentialSection {
  /// The key above the line; nil if it is not known.
  let parent: String?

  /// True for the elements of a list such as `scope`.
  var isHarmless: Bool { parent.map(Self.isHarmless) ?? false }

  private static let names = ["auth", "headers", "login", "logins", "credentials"]
  private static let harmless: Set<String> = [
    "user", "scope", "type", "url", "netrc", "device", "issuer", "client_id", "scopes",
  ]
  /// Sections are short. A search without a limit would take too long in a manifest with a million items.
  private static let longest = 2000

  /// True for a key that names a section of credentials.
  static func isName(_ key: String, atTop: Bool) -> Bool {
    names.contains { key == $0 || $0 == "auth" && NearestName.isOneSlip(from: key, to: $0) }
      || key == "servers" || atTop && NearestName.isOneSlip(from: key, to: "servers")
  }

  /// True for a key of such a section whose value is never a credential. The credentials in a URL are found as such.
  static func isHarmless(_ key: String) -> Bool {
    harmless.contains(key) || key.hasSuffix("_file") || key.hasSuffix("_url")
  }

  /// True if a key of the line itself names a section.
  static func begins(in line: ArraySlice<UInt8>) -> Bool {
    keys(in: line).contains { isName($0, atTop: Indent(line).width == 0) }
  }

  private static func keys(in line: ArraySlice<UInt8>) -> [String] {
    CredentialScan.keys(in: Array(String(decoding: line.prefix(4096), as: UTF8.self).unicodeScalars))
  }

  /// The section around line `number`, which counts from 0. Nil if there is none.
  static func around(_ number: Int, line: (Int) -> ArraySlice<UInt8>) -> CredentialSection? {
    guard number >= 0 else { return nil }
    var indent = Indent(line(number))
    var parent: String?
    var isContinued = true
    for above in (max(0, number - longest)..<number).reversed() {
      let bytes = line(above)
      let other = Indent(bytes)
      guard !other.isBlank else { continue }
      isContinued = isContinued && Indent.isOpen(bytes)
      let isAbove = other.width < indent.width || other.width == indent.width && indent.isElement && !other.isElement
      guard isAbove || isContinued else { continue }
      let keys = keys(in: bytes)
      if isAbove, parent == nil { parent = keys.last }
      if keys.contains(where: { isName($0, atTop: other.width == 0) }) { return CredentialSection(parent: parent) }
      if isAbove { indent = other }
      if indent.width == 0, !isContinued { return nil }
    }
    return nil
  }
}

/// The beginning of a line.
private struct Indent {
  let width: Int
  let isBlank: Bool
  /// True for `- …`.
  let isElement: Bool

  init(_ line: ArraySlice<UInt8>) {
    let text = line.drop { $0 == UInt8(ascii: " ") }
    width = text.startIndex - line.startIndex
    isBlank = text.isEmpty || text.first == UInt8(ascii: "#")
    isElement = text.first == UInt8(ascii: "-") && (text.count == 1 || text.dropFirst().first == UInt8(ascii: " "))
  }

  /// True for a line that ends inside braces or brackets, as far as it shows.
  static func isOpen(_ line: ArraySlice<UInt8>) -> Bool {
    let last = line.last { $0 != UInt8(ascii: " ") }
    return last.map { [UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "[")].contains($0) } ?? false
  }
}
