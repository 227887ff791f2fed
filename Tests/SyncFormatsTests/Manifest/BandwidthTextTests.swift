// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("limits of the bandwidth are read as rclone and curl read them")
struct BandwidthTextTests {
  private func read(_ text: String) -> Bandwidth? {
    do throws(ArgumentProblem) { return try ArgumentSpelling.bandwidth.read(text, of: "--bwlimit") } catch {
      return nil
    }
  }

  @Test(
    "rates, with bare letters binary",
    arguments: [
      ("512K", 524_288), ("512k", 524_288), ("1.5M", 1_572_864), ("2M", 2_097_152), ("1G", 1 << 30), ("1KiB", 1024),
      ("2MB", 2_000_000), ("1024", 1024), ("2048B", 2048),
    ])
  func rates(text: String, bytes: Int64) {
    #expect(read(text) == .rate(ByteRate(bytes)))
  }

  @Test(
    "what is no limit",
    arguments: [
      "", "0", "1023", "512", "K", "fast", "Off", "-1K", "1 K K", "512KK", "08:00", "8:00,1M", "08:00 1M", "24:00,1M",
      "08:60,1M", "08:00,", ",1M", "Mo-08:00,1M", "-08:00,1M", "Mon08:00,1M", "08:00,1M,2M", "08:00,1M 08:00,2M",
      "08:00,10", ",", ":", "٠٨:٠٠,1M",
    ])
  func refused(text: String) { #expect(read(text) == nil) }

  @Test("timetables, with days of the week whole or by three letters, in any case")
  func timetables() throws {
    let entries = [
      Timetable.Entry(minute: 480, limit: ByteRate(524_288)), Timetable.Entry(minute: 1380, limit: nil),
      Timetable.Entry(weekday: .saturday, minute: 0, limit: nil),
      Timetable.Entry(weekday: .monday, minute: 1439, limit: ByteRate(1000_000)),
    ]
    let text = "08:00,512K  23:00,off SAT-00:00,off Monday-23:59,1MB"
    #expect(read(text) == .timetable(try #require(Timetable(entries))))
  }
}
