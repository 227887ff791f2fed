// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore

extension LocalTime {
  /// What a clock on the wall shows at `moment`, in the zone of `TZ` or of the system. Asked anew each time, it follows
  /// the clock that is put forward or back.
  init(_ moment: Timestamp) {
    var seconds = time_t(moment.secondsSince1970)
    var fields = tm()
    tzset()
    // Fails only for years that no `tm` holds; midnight is as good as any time there.
    localtime_r(&seconds, &fields)
    // `tm_wday` counts from Sunday.
    self.init(
      Weekday(rawValue: (Int(fields.tm_wday) + 6) % 7) ?? .monday,
      minute: Int(fields.tm_hour) * 60 + Int(fields.tm_min))
  }
}
