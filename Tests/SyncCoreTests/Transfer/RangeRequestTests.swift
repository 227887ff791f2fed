// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("how a partial can be continued")
struct RangeRequestTests {
  struct Row: Sendable {
    var received: Int64
    var total: Int64? = 1_000_000
    var validator: HTTPValidator?
    var hasChecksum = false
    /// Nil if it cannot be continued.
    var first: Int64?
    var condition: HTTPValidator?
  }

  private static let tag = HTTPValidator(anyETag: "\"x\"")
  private static let weak = HTTPValidator(anyETag: "W/\"x\"")
  private static let date = HTTPValidator.lastModified("Sun, 06 Nov 1994 08:49:37 GMT")

  @Test(
    "by a strong validator and the bytes before, by a checksum, or by the bytes before alone",
    arguments: [
      Row(received: 500_000, validator: tag, first: 500_000 - 65_536, condition: tag),
      Row(received: 500_000, validator: date, first: 500_000 - 65_536, condition: date),
      Row(received: 1000, validator: tag, first: 500, condition: tag),
      Row(received: 1, validator: tag, first: 1, condition: tag),
      Row(received: 500_000, total: nil, validator: tag, first: 500_000 - 65_536, condition: tag),
      Row(received: 500_000, validator: tag, hasChecksum: true, first: 500_000, condition: tag),
      Row(received: 500_000, hasChecksum: true, first: 500_000),
      Row(received: 500_000, validator: weak, hasChecksum: true, first: 500_000),
      Row(received: 500_000, validator: weak), Row(received: 500_000, first: 500_000 - 65_536),
      Row(received: 65_536), Row(received: 500_000, total: nil), Row(received: 0, validator: tag),
      Row(received: 1_000_000, validator: tag, first: 1_000_000 - 65_536, condition: tag),
      Row(received: 1_000_001, validator: tag),
    ])
  func table(row: Row) throws {
    let partial = PartialDownload(
      name: "x", received: ByteCount(row.received), total: row.total.map(ByteCount.init), validator: row.validator,
      url: try RemoteURL("https://a.example/x.mp3"))
    let range = partial.continuation(hasChecksum: row.hasChecksum)
    #expect(range?.first == row.first.map(ByteCount.init))
    #expect(range?.condition == row.condition)
    #expect(range == nil || range?.offset == partial.received)
  }

  @Test(
    "after an answer that broke off half of what it brought is compared",
    arguments: [(65_536, 0, 32_768), (60_000, 0, 30_000), (65_536, 1_000_000, 65_536), (65_536, 10, 32_773), (1, 0, 0)])
  func shrinking(repeated: Int64, brought: Int64, overlap: Int64) {
    let asked = RangeRequest(
      offset: ByteCount(100_000), total: nil, condition: Self.tag, comparing: PartialDownload.overlap)
    let next = asked.overlap(afterRepeating: ByteCount(repeated), received: ByteCount(100_000 + brought))
    #expect(next == ByteCount(overlap))
  }
}
