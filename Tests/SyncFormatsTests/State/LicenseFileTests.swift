// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("the file of the content keys")
struct LicenseFileTests {
  private func holdings() throws -> LicenseHoldings {
    var holdings = LicenseHoldings(library: "l", device: "0f")
    holdings.servers = ["https://lic.example/v1"]
    holdings.keys[try #require(ItemID("b"))] = .clear([1, 2, 3])
    holdings.keys[try #require(ItemID("a \"quoted\""))] = .sealed([255, 0])
    return holdings
  }

  @Test("is read as it was written, and the same holdings give the same bytes")
  func roundTrip() throws {
    for holdings in [try holdings(), LicenseHoldings(library: "l", device: "1")] {
      let bytes = LicenseFile.encode(holdings)
      #expect(try LicenseFile.decode(bytes) == holdings)
      #expect(LicenseFile.encode(try LicenseFile.decode(bytes)) == bytes)
    }
  }

  @Test("no changed byte goes unnoticed")
  func damage() throws {
    let bytes = LicenseFile.encode(try holdings())
    for index in bytes.indices.dropLast() {
      var damaged = bytes
      damaged[index] ^= 1
      #expect(throws: QueueFileProblem.self, "\(index)") { try LicenseFile.decode(damaged) }
    }
    for length in bytes.indices.dropLast() {
      #expect(throws: QueueFileProblem.self, "\(length)") { try LicenseFile.decode(Array(bytes.prefix(length))) }
    }
  }

  @Test("a later version is told from damage")
  func later() throws {
    let text = String(decoding: LicenseFile.encode(try holdings()), as: UTF8.self)
    let later = text.replacing("\"version\":1", with: "\"version\":2")
    #expect(throws: QueueFileProblem.newerVersion(found: 2, known: 1)) { try LicenseFile.decode(Array(later.utf8)) }
  }
}
