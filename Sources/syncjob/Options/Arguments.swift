// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats

/// A span of time in the manifest's spelling: `90s`, `1h30m`, `3:45`.
struct DurationArgument: ExpressibleByArgument {
  var duration: Duration

  init?(argument: String) {
    guard let duration = DurationSpelling.duration(argument) else { return nil }
    self.duration = duration
  }
}

/// A size in the manifest's spelling: `500MB`, `2GiB`; `none` for no limit.
struct SizeLimitArgument: ExpressibleByArgument {
  var size: ByteCount?

  init?(argument: String) {
    guard argument != "none" else { return }
    guard let size = SizeSpelling.size(argument), size > .zero else { return nil }
    self.size = size
  }
}

/// A span of time of at least a second, or `none` for no limit.
struct DurationLimitArgument: ExpressibleByArgument {
  var duration: Duration?

  init?(argument: String) {
    guard argument != "none" else { return }
    guard let duration = DurationSpelling.duration(argument), duration >= .seconds(1) else { return nil }
    self.duration = duration
  }
}

/// `512K`, a timetable, `off`.
struct BandwidthArgument: ExpressibleByArgument {
  var bandwidth: Bandwidth

  init?(argument: String) {
    guard let bandwidth = BandwidthSpelling.bandwidth(argument) else { return nil }
    self.bandwidth = bandwidth
  }
}

/// A moment as RFC 3339 or a plain date.
struct TimestampArgument: ExpressibleByArgument {
  var timestamp: Timestamp

  init?(argument: String) {
    guard let timestamp = Timestamp(rfc3339: argument) else { return nil }
    self.timestamp = timestamp
  }
}

/// `20` or `25%`.
struct DeleteLimitArgument: ExpressibleByArgument {
  var limit: StoragePolicy.DeleteLimit

  init?(argument: String) {
    if let count = Int(argument), count >= 0 {
      limit = .count(count)
    } else if argument.hasSuffix("%"), let percent = Int(argument.dropLast()), (0...100).contains(percent) {
      limit = .share(.percent(percent))
    } else {
      return nil
    }
  }
}
