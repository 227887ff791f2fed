// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("the file of the totals")
struct LifetimeTotalsFileTests {
  private var totals: LifetimeTotals {
    var totals = LifetimeTotals()
    totals.downloaded = 1
    totals.bytesDownloaded = ByteCount(2)
    totals.evicted = 3
    totals.failed = 4
    totals.retries = 5
    totals.succeededAt = Timestamp(secondsSince1970: 1_700_000_000)
    return totals
  }

  @Test("survives a round trip, with and without a success")
  func roundTrip() throws {
    for totals in [totals, LifetimeTotals()] {
      #expect(try LifetimeTotalsFile.decode(LifetimeTotalsFile.encode(totals)) == totals)
    }
  }

  @Test("fields of later versions are ignored")
  func unknownFields() throws {
    let text = String(decoding: LifetimeTotalsFile.encode(totals), as: UTF8.self)
    let extended = text.replacing("\"evicted\":3", with: "\"evicted\":3,\"pushed\":{\"a\":[1]}")
    #expect(try LifetimeTotalsFile.decode(Array(extended.utf8)) == totals)
  }

  @Test("a cut, a negative number, another format and another version are refused")
  func damage() {
    let text = String(decoding: LifetimeTotalsFile.encode(totals), as: UTF8.self)
    let damaged =
      text.utf8.indices.dropFirst().dropLast().map { String(text[..<$0]) } + [
        text.replacing("\"failed\":4", with: "\"failed\":-4"), text.replacing("syncjob-totals", with: "syncjob-queue"),
        text.replacing("\"version\":1", with: "\"version\":2"), "", "null", "[]",
      ]
    for text in damaged {
      #expect(throws: QueueFileProblem.self, "\(text)") { try LifetimeTotalsFile.decode(Array(text.utf8)) }
    }
  }
}
