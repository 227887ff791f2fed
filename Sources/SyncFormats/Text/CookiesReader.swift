// SPDX-License-Identifier: Apache-2.0

package import SyncCore

/// A cookie file as browsers' exporters, curl and yt-dlp write it (Netscape's format): seven fields separated by tabs,
/// `domain`, `subdomains`, `path`, `secure`, `expires`, `name`, `value`. `#HttpOnly_` may precede the domain, and any
/// other `#` begins a comment.
package enum CookiesReader {
  private static let httpOnly = "#HttpOnly_"

  package static func read(_ text: String) throws(CredentialSyntaxError) -> [Cookie] {
    var cookies: [Cookie] = []
    for (number, line) in text.textLines.enumerated() {
      var line = line
      if line.hasPrefix(httpOnly) { line = line.dropFirst(httpOnly.count) }
      guard !line.hasPrefix("#"), line.contains(where: { $0 != " " && $0 != "\t" }) else { continue }
      guard let cookie = cookie(line) else { throw CredentialSyntaxError(line: number + 1) }
      cookies.append(cookie)
    }
    return cookies
  }

  private static func cookie(_ line: Substring) -> Cookie? {
    var fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    // A cookie without a value may lack its last tab.
    if fields.count == 6 { fields.append("") }
    guard fields.count == 7, let subdomains = flag(fields[1]), let isSecure = flag(fields[3]),
      let expires = seconds(fields[4]), !fields[5].isEmpty, HeaderSyntax.isValue("\(fields[5])=\(fields[6])"),
      !fields[5...].contains(where: { $0.contains(";") })
    else { return nil }
    let written = fields[0].lowercased()
    let domain = written.hasPrefix(".") ? String(written.dropFirst()) : written
    // An empty domain would match every host.
    guard !domain.isEmpty, !domain.hasPrefix(".") else { return nil }
    return Cookie(
      domain: domain, includesSubdomains: subdomains,
      path: fields[2].hasPrefix("/") ? String(fields[2]) : "/", isSecure: isSecure,
      expiresAt: expires == 0 ? nil : Timestamp(secondsSince1970: expires), name: String(fields[5]),
      value: Secret(String(fields[6])))
  }

  private static func flag(_ text: Substring) -> Bool? {
    switch text.uppercased() {
    case "TRUE": true
    case "FALSE": false
    default: nil
    }
  }

  /// Some exporters write fractions of a second, some -1 for the end of the session.
  private static func seconds(_ text: Substring) -> Int64? {
    let whole = text.prefix { $0 != "." }
    guard whole != "-1" else { return 0 }
    guard !whole.isEmpty, whole.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return min(Int64(whole) ?? .max, 253_402_300_799)
  }
}

/// A file of header fields, one `Name: value` a line; empty lines and those that begin with `#` are ignored.
package enum HeaderFileReader {
  package static func read(_ text: String) throws(CredentialSyntaxError) -> [CredentialField] {
    var fields: [CredentialField] = []
    for (number, line) in text.textLines.enumerated() {
      guard !line.hasPrefix("#"), line.contains(where: { $0 != " " && $0 != "\t" }) else { continue }
      guard let colon = line.firstIndex(of: ":") else { throw CredentialSyntaxError(line: number + 1) }
      let name = String(line[..<colon])
      var value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      while let last = value.last, last == " " || last == "\t" { value.removeLast() }
      guard !HeaderSyntax.isReserved(name) else { throw CredentialSyntaxError(line: number + 1, reserved: name) }
      guard HeaderSyntax.isName(name), !value.isEmpty,
        HeaderSyntax.isValue(String(value))
      else { throw CredentialSyntaxError(line: number + 1) }
      fields.append(CredentialField(name, Secret(String(value))))
    }
    return fields
  }
}
