// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension FutureZone {
  func offset(at moment: Int64) -> Int64 {
    guard let summer else { return standard }
    // The year as clocks on standard time show it. There is no daylight saving time far outside of every calendar.
    guard abs(moment) < 200_000_000_000 else { return standard }
    let year = CivilTime(Timestamp(secondsSince1970: moment + standard)).year
    guard let begin = summer.begin.second(of: year).map({ $0 - standard }),
      let end = summer.end.second(of: year).map({ $0 - summer.offset })
    else { return standard }
    // In the southern hemisphere the summer spans the new year.
    let isSummer = begin < end ? moment >= begin && moment < end : moment >= begin || moment < end
    return isSummer ? summer.offset : standard
  }
}

extension FutureZone.Day {
  /// The local moment in seconds since 1970 as if in UTC; nil beyond the calendar.
  func second(of year: Int) -> Int64? {
    guard let newYear = CivilTime(year: year, month: 1, day: 1)?.timestamp.secondsSince1970 else { return nil }
    switch kind {
    case .ordinal(let day): return newYear + Int64(day) * 86_400 + second
    case .julian(let day):
      let isBehindFebruary = day >= 60 && CivilTime(year: year, month: 2, day: 29) != nil
      return newYear + Int64(day - 1 + (isBehindFebruary ? 1 : 0)) * 86_400 + second
    case .weekday(let month, let week, let day):
      guard let first = CivilTime(year: year, month: month, day: 1)?.timestamp.secondsSince1970 else { return nil }
      // 1 January 1970 was a Thursday.
      let weekday = Int(((first / 86_400 + 4) % 7 + 7) % 7)
      var number = 1 + (day - weekday + 7) % 7 + (week - 1) * 7
      while CivilTime(year: year, month: month, day: number) == nil { number -= 7 }
      return first + Int64(number - 1) * 86_400 + second
    }
  }
}
