// SPDX-License-Identifier: Apache-2.0

import SyncCore
import Testing

@Suite("Secrets in what came from outside")
struct SecretMaskTests {
  private let mask = SecretMask([Secret("T0ken-of-Anna/4711?"), Secret("pinpin")])

  @Test(
    "each piece of eight bytes or more is starred out, in every form",
    arguments: [
      ("it is T0ken-of-Anna/4711?", "it is ***"), ("T0ken-of", "***"), ("xx-of-Anna/4yy", "xx***yy"),
      ("T0ken-oT0ken-of", "T0ken-o***"), ("en-of-A and Anna/4711?", "en-of-A and ***"),
      ("/T0ken%2Dof%2dAnna%2F4711%3F/x", "/***/x"), ("%54%30%6B%65%6E%2D%6F%66%2D", "***"),
      ("VDBrZW4tb2YtQW5uYS80NzExPw==", "***w=="), ("Basic YW5uYTpUMGtlbi1vZi1Bbm5hLzQ3MTE/", "Basic YW5uYTp***"),
      ("54306b656e2d6f662d416e6e612f343731313f", "***"), ("54306B656E2D6F66", "***"),
      ("pinpin", "***"), ("a pinpin b", "a *** b"), ("p%69npin", "***"),
      ("pinpi", "pinpi"), ("T0ken-o", "T0ken-o"), ("nothing to hide %", "nothing to hide %"), ("", ""),
      ("über T0ken-of-Anna ü", "über *** ü"),
    ])
  func masked(text: String, expected: String) {
    #expect(mask.masked(text) == expected)
    #expect(mask.finds(in: text) == (text != expected))
  }

  @Test("without secrets, or with one of three bytes, nothing is")
  func none() {
    #expect(SecretMask([Secret]()).isEmpty)
    #expect(SecretMask([Secret("abc")]).masked("abc") == "abc")
  }

  @Test("no piece of a secret is left, whatever is around it", arguments: 0..<200)
  func property(seed: Int) {
    var chance = SeededGenerator(seed)
    func bytes(_ count: Int) -> String {
      String((0..<count).map { _ in Character(Unicode.Scalar(UInt8.random(in: 0x21...0x7E, using: &chance))) })
    }
    let secret = bytes(Int.random(in: 8...40, using: &chance))
    let start = Int.random(in: 0...(secret.count - 8), using: &chance)
    let piece = String(secret.dropFirst(start).prefix(Int.random(in: 8...40, using: &chance)))
    let masked = SecretMask([Secret(secret)]).masked(bytes(Int.random(in: 0...9, using: &chance)) + piece + bytes(3))
    #expect(!masked.contains(piece))
    #expect(masked.contains("***"))
  }

  @Test("a parameter is masked whole, whatever its name, also as it stands in a URL")
  func parameter() throws {
    var credentials = Credentials(scope: CredentialScope(origins: []))
    credentials.fields = [
      CredentialField("origin", Secret("two words, secret"), in: .query),
      CredentialField("u", Secret("anna"), in: .query),
    ]
    let mask = SecretMask(World().manifest, [credentials], proxies: ProxyEnvironment([:]))
    #expect(mask.masked("<two words, secret>") == "<***>")
    let url = try RemoteURL("https://a.example/").requestText(with: credentials.fields)
    #expect(mask.masked(url) == "https://a.example/?origin=***&u=***")
  }

  @Test("a password, a header, a proxy's and a URL's are known; parameters count by their names")
  func known() throws {
    var manifest = World().manifest
    manifest.downloads.headers = [
      HTTPField(name: "X-Api-Key", value: "header-key-1"), HTTPField(name: "Referer", value: "https://a.example/"),
    ]
    manifest.downloads.proxy = .url(try #require(ProxyURL("http://u:proxy-pass-1@p.example:1")))
    var credentials = Credentials(scope: CredentialScope(origins: []))
    credentials.fields = [.bearer(Secret("bearer-token-1")), CredentialField("Referer", Secret("https://b.example/"))]
    credentials.passwords = [Secret("basic-password-1")]
    let mask = SecretMask(manifest, [credentials], proxies: ProxyEnvironment(["http_proxy": "http://x:env-pass-1@h"]))
    for secret in ["header-key-1", "proxy-pass-1", "bearer-token-1", "basic-password-1", "env-pass-1"] {
      #expect(mask.masked("<\(secret)>") == "<***>", "\(secret)")
    }
    #expect(!mask.finds(in: "https://a.example/ https://b.example/"))
  }
}
