// SPDX-License-Identifier: Apache-2.0

import SyncCore
import SyncFormats
import Testing

@Suite("Files of credentials")
struct CredentialFileTests {
  @Test("a netrc is read as curl reads it")
  func netrc() throws {
    let text = """
      # a comment
      machine A.example login anna password s3cret # behind
      machine b.example
        password "with \\"blank\\" \\\\ here"
        login bob
        account x
      macdef init
      machine not.example login no password no

      machine nothing.example login only
      default login any password thing
      """
    #expect(
      try NetrcReader.read(text) == [
        NetrcEntry(host: "a.example", user: "anna", password: Secret("s3cret")),
        NetrcEntry(host: "b.example", user: "bob", password: Secret("with \"blank\" \\ here")),
        NetrcEntry(host: nil, user: "any", password: Secret("thing")),
      ])
  }

  @Test(
    "what is no netrc is refused with its line, and no word of it is told",
    arguments: [
      ("machine", 1), ("\nhost a", 2), ("machine a login b\npasswort s3cret", 2), ("machine a password \"s3cret", 1),
    ])
  func badNetrc(text: String, line: Int) {
    #expect { try NetrcReader.read(text) } throws: { "\($0)" == "CredentialSyntaxError(line: \(line), reserved: nil)" }
  }

  @Test("cookies are read in Netscape's format")
  func cookies() throws {
    let text =
      "# Netscape HTTP Cookie File\r\n\n.a.example\tTRUE\t/\tTRUE\t0\tsession\tone=two\r\n"
      + "#HttpOnly_b.example\tFALSE\t/media\tFALSE\t4102444800.5\tid\t\nc.example\tfalse\t/\tfalse\t-1\tx\n"
    let cookies = try CookiesReader.read(text)
    #expect(cookies.map(\.domain) == ["a.example", "b.example", "c.example"])
    #expect(cookies.map(\.includesSubdomains) == [true, false, false])
    #expect(cookies.map(\.isSecure) == [true, false, false])
    #expect(cookies.map(\.path) == ["/", "/media", "/"])
    #expect(cookies.map(\.expiresAt?.secondsSince1970) == [nil, 4_102_444_800, nil])
    #expect(cookies.map(\.value.exposed) == ["one=two", "", ""])
  }

  @Test(
    "a line that is no cookie is refused",
    arguments: [
      "a\tTRUE\t/", "a\tyes\t/\tTRUE\t0\tn\tv", "a\tTRUE\t/\tTRUE\tx\tn\tv", "a\tTRUE\t/\tTRUE\t0\t\tv",
      "a\tTRUE\t/\tTRUE\t0\tn\ta;b", "\tTRUE\t/\tTRUE\t0\tn\tv", ".\tTRUE\t/\tTRUE\t0\tn\tv",
      "..a.example\tTRUE\t/\tTRUE\t0\tn\tv",
    ])
  func badCookie(line: String) { #expect(throws: CredentialSyntaxError.self) { try CookiesReader.read(line) } }

  @Test("header fields stand one a line")
  func headers() throws {
    let fields = try HeaderFileReader.read("# key\nX-Api-Key:  t0p \r\n\nAuthorization: Digest x: y\n")
    #expect(
      fields == [CredentialField("X-Api-Key", Secret("t0p")), CredentialField("Authorization", Secret("Digest x: y"))])
  }

  @Test(
    "fields that cannot be sent are refused", arguments: ["X", "X Y: a", ": a", "X:", "Host: a", "Range: b", "X: ü"])
  func badHeader(line: String) { #expect(throws: CredentialSyntaxError.self) { try HeaderFileReader.read(line) } }

  @Test("a field that the transfer writes itself is named")
  func reservedHeader() {
    #expect { try HeaderFileReader.read("X: a\nHost: b") } throws: {
      "\($0)" == "CredentialSyntaxError(line: 2, reserved: Optional(\"Host\"))"
    }
  }

  @Test("the memory of https-only hosts reads back as it was written, and passes damage over")
  func hsts() {
    let entry = HSTSCache.Entry(until: Timestamp(secondsSince1970: 4_102_444_800), includesSubdomains: true)
    var other = entry
    other.includesSubdomains = false
    let memory = HSTSCache(["b.example": other, "a.example": entry])
    let text = HSTSFile.text(memory)
    #expect(text.hasSuffix("a.example 2100-01-01T00:00:00Z subdomains\nb.example 2100-01-01T00:00:00Z\n"))
    #expect(HSTSFile.cache(Array((text + "torn 21\n\u{0}\nx y z\n").utf8)) == memory)
  }
}
