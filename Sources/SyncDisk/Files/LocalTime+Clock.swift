// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore

extension LocalTime {
  /// The local time at `moment`, in the zone of `TZ` or of the system. It is computed anew each time, and so follows
  /// daylight saving time.
  package init(_ moment: Timestamp) {
    var seconds = time_t(moment.secondsSince1970)
    var fields = tm()
    tzset()
    // Fails only for years that `tm` cannot hold; midnight is as good as any time there.
    localtime_r(&seconds, &fields)
    // `tm_wday` counts from Sunday.
    self.init(
      Weekday(rawValue: (Int(fields.tm_wday) + 6) % 7) ?? .monday,
      minute: Int(fields.tm_hour) * 60 + Int(fields.tm_min))
  }
}
