// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import SyncTestSupport
import Testing

@Suite("a file of the time zone database")
struct ZoneFileTests {
  /// The file of RFC 8536 appendix B.2, with the rule that follows its last change.
  private static func file(
    changes: [(Int64, UInt8)] = [(-2_334_101_314, 1), (-1_157_283_000, 2)],
    offsets: [Int32] = [-37_886, -37_800, -36_000], footer: String = "HST10"
  ) -> [UInt8] {
    func number<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
      withUnsafeBytes(of: value.bigEndian, Array.init)
    }
    func head(_ changes: Int, _ types: Int) -> [UInt8] {
      var bytes = Array("TZif2".utf8)
      bytes += [UInt8](repeating: 0, count: 15)
      for count in [0, 0, 0, changes, types, 4] { bytes += number(UInt32(count)) }
      return bytes
    }
    var bytes = head(0, 1)
    bytes += [0, 0, 0, 0, 0, 0]
    bytes += Array("UTC\0".utf8)
    bytes += head(changes.count, offsets.count)
    for change in changes { bytes += number(change.0) }
    for change in changes { bytes.append(change.1) }
    for offset in offsets { bytes += number(offset) + [0, 0] }
    bytes += Array("HST\0\n\(footer)\n".utf8)
    return bytes
  }

  /// The time that a clock in that zone shows, as seconds since 1970 without regard to zones.
  private func local(_ text: String) throws -> Int64 { try moment(text) }
  private func moment(_ text: String) throws -> Int64 {
    try #require(Timestamp(rfc3339: text + "Z")).secondsSince1970
  }

  @Test("offsets before, between and behind the changes")
  func offsets() throws {
    let zone = try #require(ZoneFile.read(Self.file()))
    #expect(zone.offset(at: -3_000_000_000) == -37_886)
    #expect(zone.offset(at: -2_334_101_314) == -37_800)
    #expect(zone.offset(at: -1_157_283_001) == -37_800)
    #expect(zone.offset(at: -1_157_283_000) == -36_000)
    #expect(zone.offset(at: 1_763_690_000) == -36_000)
  }

  private static let berlin = file(changes: [(0, 0)], offsets: [3600], footer: "CET-1CEST,M3.5.0,M10.5.0/3")

  @Test(
    "the rule for the years to come, north and south of the equator",
    arguments: [
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T00:59:59", 3600),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00", 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T00:59:59", 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:00:00", 3600),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-15T00:00:00", 39_600),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-07-15T00:00:00", 36_000),
      ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", "2026-03-29T00:59:59", -10_800),
      ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", "2026-03-29T01:00:00", -7200),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-15T00:00:00", 0),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-15T00:00:00", 3600),
      ("XXX3EDT4,J60/0,J61/0", "2024-03-01T03:00:00", -14_400),
      ("XXX3EDT4,J60/0,J61/0", "2024-02-29T12:00:00", -10_800),
      ("XXX3EDT4,59/0,60/0", "2024-02-29T12:00:00", -14_400), ("<+0545>-5:45", "2026-01-15T00:00:00", 20_700),
    ])
  func future(_ footer: String, _ at: String, _ offset: Int64) throws {
    let zone = try #require(ZoneFile.read(Self.file(changes: [(0, 0)], offsets: [0], footer: footer)))
    #expect(zone.offset(at: try moment(at)) == offset)
  }

  @Test(
    "local time becomes UTC; an hour that comes twice is the first one, one that is left out goes on from before",
    arguments: [
      ("2026-01-15T12:00:00", "2026-01-15T11:00:00"), ("2026-07-15T12:00:00", "2026-07-15T10:00:00"),
      ("2026-10-25T02:30:00", "2026-10-25T00:30:00"), ("2026-10-25T03:00:00", "2026-10-25T02:00:00"),
      ("2026-03-29T02:30:00", "2026-03-29T01:30:00"), ("2026-03-29T03:30:00", "2026-03-29T01:30:00"),
      ("2026-03-29T01:59:59", "2026-03-29T00:59:59"),
    ])
  func local(_ shown: String, _ utc: String) throws {
    let zone = try #require(ZoneFile.read(Self.berlin))
    #expect(zone.utc(ofLocal: try local(shown)) == (try moment(utc)))
  }

  @Test("no cut of a file is taken for a whole one, and no bytes end the program")
  func cut() {
    let whole = Self.file()
    for length in 0..<whole.count { #expect(ZoneFile.read(Array(whole[..<length])) == nil) }
    var random = SplitMix(state: 3)
    for _ in 0..<5000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let zone = ZoneFile.read(bytes) { _ = zone.utc(ofLocal: 1_763_690_000) }
    }
  }

  @Test("the zones of this machine are read, and agree with its calendar", .enabled(if: ZoneFileTests.hasDatabase))
  func database() throws {
    for (name, shown, utc) in [
      ("Europe/Berlin", "2026-07-15T12:00:00", "2026-07-15T10:00:00"),
      ("America/New_York", "2050-01-15T12:00:00", "2050-01-15T17:00:00"),
      ("Asia/Kolkata", "2026-01-15T12:00:00", "2026-01-15T06:30:00"),
      ("UTC", "2026-01-15T12:00:00", "2026-01-15T12:00:00"),
    ] {
      let zone = try #require(ZoneFile.read(try FileBytes.read("\(Self.folder)/\(name)")), "\(name)")
      #expect(zone.utc(ofLocal: try local(shown)) == (try moment(utc)), "\(name)")
    }
  }

  private static let folder = "/usr/share/zoneinfo"
  static var hasDatabase: Bool { (try? FileBytes.read("\(folder)/Europe/Berlin")) != nil }

  @Test(
    "names that are offsets, names of files, and what no file of the database is called",
    arguments: [
      ("UTC", 0), ("+02:00", 7200), ("-05:45", -20_700), ("Europe/Berlin", nil),
    ] as [(String, Int64?)])
  func names(_ text: String, _ offset: Int64?) throws {
    #expect(try #require(ZoneName(text)).fixedOffset == offset)
  }

  @Test(
    "no name leads out of the database, and an offset is whole and less than a day",
    arguments: [
      "", "/etc/passwd", "../x", "a//b", "a/", "a b", "a.b", "\u{E9}", "+2", "+25:00", "-24:00", "+02:60", "02:00",
      "12:00:00",
    ])
  func badNames(_ text: String) { #expect(ZoneName(text) == nil) }
}
