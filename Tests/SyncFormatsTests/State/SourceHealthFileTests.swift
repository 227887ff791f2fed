// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("the file with the health of the sources")
struct SourceHealthFileTests {
  @Test("gives back what was written, and nothing of what cannot be read")
  func roundTrip() throws {
    let digest = try #require(SHA256Digest(hex: String(repeating: "0a", count: 32)))
    let start = Timestamp(secondsSince1970: 1_000_000_000)
    var (well, ill) = (SourceHealth(), SourceHealth())
    well.succeed(with: digest, at: start)
    well.move = SourceMove(from: try RemoteURL("https://a.example/f?x=1"), to: try RemoteURL("https://b.example/f?y=2"))
    ill.fail(.webPage, message: "a \"page\"", at: start, manifest: { digest })
    ill.fail(.unreachable(.http(status: 410)), message: "gone", at: start + .seconds(9), manifest: { digest })
    let healths = [
      try #require(PlaylistName("well")): well, try #require(PlaylistName("ill")): ill,
      try #require(PlaylistName("new")): SourceHealth(),
    ]
    let bytes = SourceHealthFile.encode(healths)
    #expect(try SourceHealthFile.decode(bytes) == healths)
    for length in 0..<bytes.count - 1 {
      #expect(throws: QueueFileProblem.self) { try SourceHealthFile.decode(Array(bytes.prefix(length))) }
    }
    let other = Array(String(decoding: bytes, as: UTF8.self).replacing("\"version\":1", with: "\"version\":2").utf8)
    #expect(throws: QueueFileProblem.self) { try SourceHealthFile.decode(other) }
  }

  @Test("in words: a success, a failure that passes, one that stays, and nothing yet")
  func words() throws {
    let digest = try #require(SHA256Digest(hex: String(repeating: "0a", count: 32)))
    let start = Timestamp(secondsSince1970: 0)
    var health = SourceHealth()
    #expect(health.words == "not read yet")
    health.fail(.webPage, message: "why", at: start, manifest: { digest })
    #expect(health.words == "failing since 1970-01-01T00:00:00Z: why; never read; the next run tries again")
    health.succeed(with: digest, at: start + .seconds(1))
    #expect(health.words == "last read 1970-01-01T00:00:01Z, last change 1970-01-01T00:00:01Z")
    health.fail(.unreachable(.http(status: 404)), message: "why", at: start + .seconds(2), manifest: { digest })
    #expect(
      health.words
        == "failing since 1970-01-01T00:00:02Z: why; last read 1970-01-01T00:00:01Z; each run tries again, and ends with 3 until it can be read"
    )
    health.fail(.unreachable(.http(status: 410)), message: "why", at: start + .seconds(2), manifest: { digest })
    #expect(health.words.hasSuffix("; it is not asked for again until the manifest changes"))
  }
}
