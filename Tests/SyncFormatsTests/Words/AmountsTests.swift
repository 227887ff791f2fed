// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("amounts in words")
struct AmountsTests {
  @Test(
    "sizes are shown in the family of units that the manifest uses",
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1.00 kB"), (20_000_000, "20.0 MB"), (999_999, "1.00 MB"),
      (64_000_000_000, "64.0 GB"),
    ])
  func decimal(_ bytes: Int64, _ words: String) {
    #expect(SizeUnits.$shown.withValue(.decimal) { ByteCount(bytes).words } == words)
  }

  @Test(
    "the first size of a manifest decides",
    arguments: [
      (nil, 256 << 20, SizeUnits.binary), (20_000_000, 256 << 20, .decimal), (10 << 30, 1_000_000, .binary),
      (64_000_000_000, 256 << 20, .decimal), (nil, 500_000_000, .decimal), (500 << 20, 256 << 20, .binary),
    ] as [(Int64?, Int64, SizeUnits)])
  func family(_ budget: Int64?, _ minFree: Int64, _ units: SizeUnits) throws {
    var manifest = Manifest(name: "car", library: LibrarySettings(path: "/l"))
    manifest.storage.budget = budget.map(ByteCount.init)
    manifest.storage.minFree = ByteCount(minFree)
    #expect(manifest.sizeUnits == units)
  }

  @Test(
    "an age has one unit",
    arguments: [
      (0, "just now"), (59, "just now"), (60, "1 min ago"), (3599, "59 min ago"), (3600, "1 h ago"),
      (172_799, "47 h ago"), (172_800, "2 d ago"), (864_000, "10 d ago"),
    ])
  func ages(_ seconds: Int, _ words: String) { #expect(Duration.seconds(seconds).agoWords == words) }

  @Test(
    "bytes have about three digits",
    arguments: [
      (Int64(0), "0 B"), (1, "1 B"), (1023, "1023 B"), (1024, "1.00 KiB"), (1536, "1.50 KiB"), (10_239, "10.0 KiB"),
      (102_348, "99.9 KiB"), (102_400, "100 KiB"), (1_048_063, "1023 KiB"), (1_048_064, "1.00 MiB"),
      (1_048_575, "1.00 MiB"),
      (8_600_000, "8.20 MiB"), (1 << 30, "1.00 GiB"), (10 << 30, "10.0 GiB"), (.max, "8.00 EiB"),
    ])
  func bytes(bytes: Int64, expected: String) { #expect(ByteCount(bytes).words == expected) }

  @Test(
    "the sizes of a column have the unit of the largest",
    arguments: [
      (8_600_000, 8_600_000, "8.60 MB"), (83_410, 8_600_000, "0.08 MB"), (812, 8_600_000, "<0.01 MB"),
      (0, 8_600_000, "0.00 MB"), (109_000, 109_000, "109.0 kB"), (78_200, 109_000, "78.2 kB"), (40, 109_000, "<0.1 kB"),
      (12, 812, "12 B"),
    ])
  func column(bytes: Int64, largest: Int64, words: String) {
    SizeUnits.$shown.withValue(.decimal) { #expect(ByteCount(bytes).words(beside: ByteCount(largest)) == words) }
  }

  @Test(
    "playing times are as on a player",
    arguments: [
      (Duration.zero, "0:00"), (.seconds(225), "3:45"), (.milliseconds(59_500), "1:00"), (.seconds(3600), "1:00:00"),
      (.seconds(3723), "1:02:03"), (.seconds(36_000), "10:00:00"),
    ])
  func clock(duration: Duration, expected: String) { #expect(duration.clockWords == expected) }

  @Test(
    "spans have two units at most",
    arguments: [
      (Duration.zero, "0.0 s"), (.milliseconds(440), "0.4 s"), (.milliseconds(9949), "9.9 s"),
      (.milliseconds(9950), "10 s"),
      (.seconds(59), "59 s"), (.milliseconds(59_600), "1 min"), (.seconds(200), "3 min 20 s"), (.seconds(3600), "1 h"),
      (.seconds(7500), "2 h 5 min"), (.seconds(86_400), "1 d"), (.seconds(273_600), "3 d 4 h"),
    ])
  func spans(duration: Duration, expected: String) { #expect(duration.spanWords == expected) }

  @Test(
    "differences have a sign",
    arguments: [
      (Duration.seconds(5), "+5 s"), (.seconds(-70), "-1 min 10 s"), (.zero, "+0 s"), (.seconds(-60), "-1 min"),
    ])
  func differences(duration: Duration, expected: String) { #expect(duration.differenceWords == expected) }

  @Test(
    "numbers have exactly so many places",
    arguments: [
      (0.0, 2, "0.00"), (1.005, 0, "1"), (0.5, 0, "1"), (-0.5, 0, "-1"), (-0.04, 1, "0.0"), (12.345, 1, "12.3"),
      (0.05, 2, "0.05"), (99.999, 2, "100.00"),
    ])
  func fixed(number: Double, places: Int, expected: String) { #expect(number.fixed(places) == expected) }

  @Test(
    "shares are percentages",
    arguments: [(0.85, "85 %"), (0.004, "0.4 %"), (0.0994, "9.9 %"), (0.0996, "10 %"), (0.0, "0 %"), (1.234, "123 %")])
  func percentages(share: Double, expected: String) { #expect(share.percentWords == expected) }

  @Test("one is counted without its s")
  func counted() {
    #expect(1.counted("item") == "1 item")
    #expect(0.counted("item") == "0 items")
  }
}
