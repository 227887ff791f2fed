// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("the file of tokens")
struct TokenFileTests {
  private func tokens(lifetime: Duration?, refresh: Secret?) throws -> OAuthTokens {
    var endpoints = OAuthEndpoints(
      authorization: try RemoteURL("https://p.example/a"), token: try RemoteURL("https://p.example/t"),
      revocation: try RemoteURL("https://p.example/r"))
    (endpoints.issuer, endpoints.takesSecretInBody) = ("https://p.example", true)
    return OAuthTokens(
      login: "1", access: Secret("a\"b"), refresh: refresh, issuedAt: Timestamp(secondsSince1970: 1_800_000_000),
      lifetime: lifetime, endpoints: endpoints)
  }

  @Test("reads back as it was written")
  func roundTrip() throws {
    for (lifetime, refresh) in [(Duration.seconds(60), Secret("r")), (nil, nil)] as [(Duration?, Secret?)] {
      let tokens = try tokens(lifetime: lifetime, refresh: refresh)
      #expect(try TokenFile.decode(TokenFile.encode(tokens, of: "x"), of: "x") == tokens)
    }
  }

  @Test("the tokens of another client are none")
  func otherClient() throws {
    let bytes = TokenFile.encode(try tokens(lifetime: nil, refresh: nil), of: "x")
    #expect(try TokenFile.decode(bytes, of: "y") == nil)
  }

  @Test("any change, any cut and any other file is noticed")
  func damaged() throws {
    let bytes = TokenFile.encode(try tokens(lifetime: .seconds(60), refresh: Secret("r")), of: "x")
    for length in 0..<bytes.count - 1 {
      #expect(throws: QueueFileProblem.self) { try TokenFile.decode(Array(bytes.prefix(length)), of: "x") }
    }
    for place in bytes.indices.dropLast() {
      var changed = bytes
      changed[place] ^= 1
      #expect(throws: QueueFileProblem.self, "\(place)") { try TokenFile.decode(changed, of: "x") }
    }
    #expect(throws: QueueFileProblem.newerVersion(found: 9, known: 1)) {
      try TokenFile.decode(Array(#"{"format":"syncjob-tokens","version":9}"#.utf8), of: "x")
    }
  }
}
