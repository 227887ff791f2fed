// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("alternatives")
struct AlternativesTests {
  private func seconds(_ minutes: Int, _ seconds: Int) -> Duration { .seconds(minutes * 60 + seconds) }

  private func order(
    _ policy: AlternativePolicy = .init(), of duration: Duration?, _ offers: [Duration?]
  ) throws -> [RankedCandidate] {
    let alternatives = try offers.enumerated().map { try candidate("https://b.example/\($0)", duration: $1) }
    return policy.order(of: try item("night", duration: duration, alternatives: alternatives))
  }

  /// Their numbers in the manifest, without the main one.
  private func numbers(_ ranked: [RankedCandidate]) -> [String] {
    ranked.dropFirst().map { String($0.candidate.url.lastPathComponent) }
  }

  @Test("for 3:45 come 3:50, 3:40, 4:10, and never 5:00")
  func example() throws {
    let ranked = try order(of: seconds(3, 45), [seconds(5, 0), seconds(4, 10), seconds(3, 50), seconds(3, 40)])
    #expect(numbers(ranked) == ["2", "3", "1"])
    #expect(ranked.map(\.difference) == [nil, .seconds(5), .seconds(-5), .seconds(25)])
    #expect(ranked.map(\.confidence) == [.normal, .normal, .normal, .low])
    #expect(ranked[0].candidate.url.lastPathComponent == "night.mp3")
  }

  @Test("ties keep the manifest's order")
  func ties() throws {
    #expect(try numbers(order(of: .seconds(100), [.seconds(110), .seconds(90), .seconds(110)])) == ["0", "1", "2"])
  }

  @Test("tolerance and confidence include their ends")
  func ends() throws {
    let offers: [Duration?] = [.seconds(130), .milliseconds(130_001), .seconds(105), .milliseconds(105_001)]
    let ranked = try order(of: .seconds(100), offers)
    #expect(numbers(ranked) == ["2", "3", "0"])
    #expect(ranked.map(\.confidence) == [.normal, .normal, .low, .low])
  }

  @Test("at most so many are tried", arguments: [0, 1, 2, 5])
  func maximum(max: Int) throws {
    var policy = AlternativePolicy()
    policy.max = max
    let ranked = try order(policy, of: .seconds(100), [.seconds(101), .seconds(102), .seconds(103)])
    #expect(numbers(ranked) == Array(["0", "1", "2"].prefix(max)))
  }

  @Test("an unknown duration goes last, of low confidence")
  func unknownOffer() throws {
    let ranked = try order(of: .seconds(100), [nil, .seconds(120), nil])
    #expect(numbers(ranked) == ["1", "0", "2"])
    #expect(ranked.map(\.confidence) == [.normal, .low, .low, .low])
  }

  @Test("without the item's own duration the manifest's order counts")
  func unknownItem() throws {
    let ranked = try order(of: nil, [.seconds(500), nil, .seconds(3)])
    #expect(numbers(ranked) == ["0", "1", "2"])
    #expect(ranked.allSatisfy { $0.difference == nil })
  }

  @Test("another version is passed over, unless that is allowed")
  func otherVersions() throws {
    let alternatives = try [
      candidate("https://b.example/live", title: "Night Drive (Live)", duration: .seconds(100)),
      candidate("https://b.example/same", title: "night drive", duration: .seconds(103)),
    ]
    var item = try item("x", duration: .seconds(100), alternatives: alternatives)
    item.title = "Night Drive"
    #expect(numbers(AlternativePolicy().order(of: item)) == ["same"])
    var policy = AlternativePolicy()
    policy.avoidOtherVersions = false
    #expect(numbers(policy.order(of: item)) == ["live", "same"])
  }

  @Test(
    "a word that the original lacks names another version",
    arguments: [
      ("Song (Live at X)", "Song", "live"), ("Song REMIX", "Song", "remix"), ("Song karaoke", "Song", "karaoke"),
      ("Song [cover]", "Song", "cover"), ("Song - Instrumental", "Song", "instrumental"),
      ("Song acoustic", "Song", "acoustic"), ("Song (sped-up)", "Song", "sped up"),
      ("Song Nightcore", "Song", "nightcore"),
      ("Song 8D", "Song", "8d"), ("slowed + reverb Song", "Song", "reverb"), ("Song (Extended)", "Song", "extended"),
      ("Song (Radio  Edit)", "Song", "radio edit"), ("Song live remix", "Song live", "remix"),
    ] as [(String, String, String)])
  func marker(title: String, original: String, expected: String) {
    #expect(OtherVersion.marker(in: title, against: original) == expected)
  }

  @Test(
    "a part of a word, a lone half, or a word of the original's own names none",
    arguments: [
      ("Song", "Song"), ("Alive", "Song"), ("Olive Undercover", "Song"), ("Radio Song Edit", "Song"),
      ("Sped Song Up", "Song"),
      ("Song LIVE", "Live Song"), ("", "Song"), ("Discover", "Song"),
    ])
  func noMarker(title: String, original: String) { #expect(OtherVersion.marker(in: title, against: original) == nil) }
}
