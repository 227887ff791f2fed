// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("sizes, durations and percentages are read exactly")
struct ManifestValueTests {
  @Test(
    "sizes",
    arguments: [
      ("0", 0), ("1", 1), ("1B", 1), ("1KB", 1000), ("1KiB", 1024), ("1.5KiB", 1536), ("8.6MB", 8_600_000),
      ("10 GiB", 10_737_418_240), ("0.000000001GB", 1), ("1TB", 1_000_000_000_000), ("2TiB", 2_199_023_255_552),
      ("9223372036854775807", Int64.max), ("8388607TiB", 9_223_370_937_343_148_032), ("1.0009KB", 1000),
      ("0010KB", 10_000), ("\"10GiB\"", 10_737_418_240),
    ])
  func sizes(text: String, bytes: Int64) {
    #expect(storage("budget: \(text)")?.budget == ByteCount(bytes))
  }

  @Test(
    "what is no size",
    arguments: [
      "", "GB", "1.", ".5GB", "1,5GB", "1gb", "1Gb", "1 0", "1e3", "0x10", "١", "+1", "1.2", "1_000",
      "9223372036854775808",
      "10G", "10k",
    ])
  func notSizes(text: String) { #expect(storage("budget: \"\(text)\"") == nil) }

  @Test(
    "durations",
    arguments: [
      ("0", 0), ("90", 90_000), ("1.5", 1500), ("250ms", 250), ("30s", 30_000), ("1h30m", 5_400_000),
      ("1.5h", 5_400_000),
      ("2d", 172_800_000), ("1w", 604_800_000), ("3:45", 225_000), ("1:02:03", 3_723_000), ("75:00", 4_500_000),
      ("0:00.5", 500), ("1w2d3h4m5s6ms", 788_645_006), ("36500d", 3_153_600_000_000),
    ])
  func durations(text: String, milliseconds: Int) {
    #expect(span(text) == .milliseconds(milliseconds))
  }

  @Test("where days are meant, a number alone is none, and nothing needs no unit")
  func ages() {
    #expect(storage("trash: { keep: 90 }") == nil)
    #expect(storage("trash: { keep: 1.5 }") == nil)
    #expect(storage("trash: { keep: 90s }")?.trashKeep == .seconds(90))
    #expect(storage("trash: { keep: 0 }")?.trashKeep == .zero)
  }

  @Test(
    "what is no duration",
    arguments: [
      "", "s", "1y", "1 h", "1h 30m", "h1", "1h30", "1:60", "1:2:3:4", ":30", "1:", "1.5:00", "1:75:00", "1:002", "1M",
      "٣s",
      "99999999999999999999w", "36501d",
    ])
  func notDurations(text: String) {
    #expect(span("\"\(text)\"") == nil)
    #expect(storage("trash: { keep: \"\(text)\" }") == nil)
  }

  @Test("a time zone that the machine does not know is a finding at its place")
  func unknownZone() {
    let text = "version: 1\nlibrary: { path: a }\nhistory: [{ scrobbler_log: b, timezone: Mars/X }]\n"
    func findings(_ isKnown: Bool) -> [Finding] {
      ManifestReader.read(
        Array(text.utf8), directory: "/m", fileStem: "m", environment: ManifestEnvironment(knows: { _ in isKnown })
      ).findings.filter { $0.severity == .error }
    }
    #expect(findings(true) == [])
    #expect(
      findings(false) == [
        Finding(
          .value(key: "history.timezone", .unknownTimezone("Mars/X")),
          at: SourceMark(line: 3, column: 41, length: 6))
      ])
    let picture = DiagnosticRenderer(file: "m.yaml", source: Array(text.utf8))
    #expect(
      findings(false).map(picture.render).joined().hasPrefix(
        "m.yaml:3:41: error: \"history.timezone\": the time zone database of this machine has no \"Mars/X\": check the name,"
          + " or install tzdata\n"))
  }

  @Test("percentages", arguments: [("0%", 0), ("80%", 800), ("99.9%", 999), ("100%", 1000), ("7.0%", 70)])
  func percentages(text: String, perMille: Int) {
    #expect(storage("warn_at: \(text)")?.warnAt.perMille == perMille)
  }

  @Test("what is no percentage", arguments: ["80", "%", "80 %", "99.95%", "100.1%", "-1%", "80%%"])
  func notPercentages(text: String) { #expect(storage("warn_at: \"\(text)\"") == nil) }

  private func span(_ text: String) -> Duration? {
    ManifestReading(of: "version: 1\nlibrary: { path: a }\ndownloads: { retry_after_max: \(text) }\n").manifest?
      .downloads.retryAfterMax
  }

  private func storage(_ key: String) -> StoragePolicy? {
    ManifestReading(of: "version: 1\nlibrary: { path: a }\nstorage:\n  \(key)\n").manifest?.storage
  }
}
