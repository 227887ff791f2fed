// SPDX-License-Identifier: Apache-2.0

extension Timestamp {
  /// The time as `2026-11-21T06:00:03Z` (RFC 3339, always UTC, whole seconds).
  package var rfc3339: String {
    let time = CivilTime(self)
    return "\(padded(time.year, 4))-\(padded(time.month))-\(padded(time.day))"
      + "T\(padded(time.hour)):\(padded(time.minute)):\(padded(time.second))Z"
  }

  /// Reads RFC 3339 date-times with any offset, dropping fractions, and plain dates (`2026-01-05`, midnight UTC).
  /// Returns nil for anything else, and if the offset moves the time out of the years 0 to 9999.
  package init?(rfc3339 text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10])
    else { return nil }
    if bytes.count == 10 {
      guard let date = CivilTime(year: year, month: month, day: day) else { return nil }
      self = date.timestamp
      return
    }
    guard bytes.count >= 20, "Tt ".utf8.contains(bytes[10]),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
      let second = number(bytes[17..<19]),
      let time = CivilTime(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second),
      let offset = utcOffset(withoutFraction(bytes[19...]))
    else { return nil }
    let moment = Timestamp(secondsSince1970: time.timestamp.secondsSince1970 - offset)
    guard (0...9999).contains(CivilTime(moment).year) else { return nil }
    self = moment
  }
}

/// The number in decimal with leading zeros up to `width`.
package func padded(_ number: Int, _ width: Int = 2) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

private func number(_ digits: ArraySlice<UInt8>) -> Int? {
  var value = 0
  for digit in digits {
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
    value = value * 10 + Int(digit - UInt8(ascii: "0"))
  }
  return value
}

/// The rest after a fraction such as `.123`. Empty if a point has no digit after it.
private func withoutFraction(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  guard rest.first == UInt8(ascii: ".") else { return rest }
  let zone = rest.dropFirst().drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  return zone.startIndex > rest.startIndex + 1 ? zone : []
}

/// Reads `Z` or `+01:00` as seconds east of UTC.
private func utcOffset(_ zone: ArraySlice<UInt8>) -> Int64? {
  let zone = Array(zone)
  if zone == [UInt8(ascii: "Z")] || zone == [UInt8(ascii: "z")] { return 0 }
  guard zone.count == 6, zone[3] == UInt8(ascii: ":"), let hours = number(zone[1..<3]),
    let minutes = number(zone[4..<6]), hours < 24, minutes < 60
  else { return nil }
  switch zone[0] {
  case UInt8(ascii: "+"): return Int64(hours * 3600 + minutes * 60)
  case UInt8(ascii: "-"): return -Int64(hours * 3600 + minutes * 60)
  default: return nil
  }
}
