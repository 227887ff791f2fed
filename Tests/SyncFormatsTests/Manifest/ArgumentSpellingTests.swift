// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("words of the command line")
struct ArgumentSpellingTests {
  /// The sentence about a word that is not taken.
  private func refusal<Value: Sendable>(
    _ spelling: ArgumentSpelling<Value>, _ text: String, _ name: String
  ) -> String? {
    do throws(ArgumentProblem) {
      _ = try spelling.read(text, of: name)
      return nil
    } catch { return error.words }
  }

  @Test("are spelled as in the manifest")
  func values() throws {
    #expect(try ArgumentSpelling.duration.read("1h30m", of: "") == .minutes(90))
    #expect(try ArgumentSpelling.duration.read("0", of: "") == .zero)
    #expect(try ArgumentSpelling.durationLimit.read("none", of: "") == nil)
    #expect(try ArgumentSpelling.durationLimit.read("1s", of: "") == .seconds(1))
    #expect(try ArgumentSpelling.sizeLimit.read("none", of: "") == nil)
    #expect(try ArgumentSpelling.sizeLimit.read("500MB", of: "") == ByteCount(500_000_000))
    #expect(try ArgumentSpelling.size.read("2GiB", of: "") == ByteCount(2 << 30))
    #expect(try ArgumentSpelling.time.read("2026-01-05", of: "") == Timestamp(rfc3339: "2026-01-05"))
    #expect(try ArgumentSpelling.deleteLimit.read("25%", of: "") == .share(.percent(25)))
    #expect(try ArgumentSpelling.deleteLimit.read("0", of: "") == .count(0))
    #expect(try ArgumentSpelling.percentage.read("70%", of: "") == .percent(70))
    #expect(try ArgumentSpelling.number(1...64).read("64", of: "") == 64)
    #expect(try ArgumentSpelling.seed.read("18446744073709551615", of: "") == .max)
    #expect(try ArgumentSpelling<Priority>.choice.read("high", of: "") == .high)
  }

  @Test("name their option, what was given, and what it takes")
  func sentences() {
    #expect(
      refusal(.bandwidth, "0", "--bwlimit")
        == refusal(.bandwidth, "0", "$SYNCJOB_BWLIMIT")?
        .replacing("$SYNCJOB_BWLIMIT", with: "--bwlimit"))
    for (sentence, expected) in [
      (
        refusal(.sizeLimit, "10G", "--max-transfer"),
        "--max-transfer: \"10G\" is decimal for some programs and binary for others: write \"10GiB\" (1024) or \"10GB\""
          + " (1000); none lifts the limit"
      ),
      (
        refusal(.sizeLimit, "0", "--max-transfer"),
        "--max-transfer must be at least 1, but is \"0\"; none lifts the limit"
      ),
      (refusal(.size, "-1", "--bytes"), "--bytes must be at least 1, but is \"-1\""),
      (refusal(.size, "-2GiB", "--bytes"), "--bytes must be at least 1, but is \"-2GiB\""),
      (
        refusal(.size, "99999999999999999999", "--bytes"),
        "--bytes must be at most 8388607TiB, but is \"99999999999999999999\""
      ),
      (refusal(.size, "9000000TiB", "--bytes"), "--bytes must be at most 8388607TiB, but is \"9000000TiB\""),
      (
        refusal(.size, "some", "--bytes"),
        "--bytes must be a size such as 10GiB, 8.6MB or 1048576, but is \"some\""
      ),
      (
        refusal(.durationLimit, "x", "--max-duration"),
        "--max-duration must be a duration such as 90, 30s, 1h30m or 3:45, but is \"x\"; none lifts the limit"
      ),
      (
        refusal(.durationLimit, "5ms", "--max-duration"),
        "--max-duration must be at least 1s, but is \"5ms\"; none lifts the limit"
      ),
      (
        refusal(.duration, "long", "--lock-wait"),
        "--lock-wait must be a duration such as 90, 30s, 1h30m or 3:45, but is \"long\""
      ),
      (refusal(.duration, "-1", "--lock-wait"), "--lock-wait must be at least 0s, but is \"-1\""),
      (
        refusal(.deleteLimit, "some", "--max-delete"),
        "--max-delete must be a percentage such as 25%, or a number, but is \"some\""
      ),
      (
        refusal(.percentage, "70", "--to"),
        "--to must be a percentage such as 85%, but is \"70\": write \"70%\""
      ),
      (refusal(.percentage, "101%", "--to"), "--to must be between 0% and 100%, but is \"101%\""),
      (refusal(.percentage, "-5%", "--to"), "--to must be between 0% and 100%, but is \"-5%\""),
      (refusal(.number(0...100), "-1", "--retries"), "--retries must be between 0 and 100, but is \"-1\""),
      (refusal(.number(1...64), "many", "--concurrency"), "--concurrency must be a whole number, but is \"many\""),
      (refusal(.seed, "x", "--seed"), "--seed must be a whole number, but is \"x\""),
      (
        refusal(.time, "yesterday", "--now"),
        "--now must be a date such as 2026-01-05 or 2026-01-05T06:00:00Z, but is \"yesterday\""
      ),
      (
        refusal(ArgumentSpelling<Priority>.choice, "hihg", "--priority"),
        "--priority must be one of low, normal, high, but is \"hihg\": did you mean \"high\"?"
      ),
      (
        refusal(.bandwidth, "fast", "--bwlimit"),
        "--bwlimit must be off, a rate such as 512K or 2M, or a timetable such as \"08:00,512K 23:00,off\", but is \"fast\""
      ),
    ] {
      #expect(sentence == expected)
    }
  }
}
