// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

extension ScalarText {
  /// Makes a scalar of a word of the command line.
  init(argument: String) {
    self.init(text: argument, written: YAMLScalar(text: argument, isPlain: true), hasVariables: false)
  }
}

/// `off`, `512K`, `08:00,512K 23:00,off`, `Mon-08:00,1M Sat-00:00,off`.
enum BandwidthText {
  private static let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

  /// Nil for text that is neither a rate nor looks like a timetable.
  static func read(_ scalar: ScalarText) throws(ValueProblem) -> Bandwidth? {
    if scalar.text == "off" { return .unlimited }
    guard scalar.text.contains(",") || scalar.text.contains(":") else {
      return try rate(scalar.text[...]).map(Bandwidth.rate)
    }
    var entries: [Timetable.Entry] = []
    for word in scalar.text.split(separator: " ") {
      guard let entry = try entry(word) else { throw .bandwidth(.entry(String(word))) }
      let isTaken = entries.contains { $0.weekday == entry.weekday && $0.minute == entry.minute }
      guard !isTaken else { throw .bandwidth(.duplicate(start(of: entry))) }
      entries.append(entry)
    }
    return Timetable(entries).map(Bandwidth.timetable)
  }

  /// A bare letter is a binary unit here, as in rclone and curl.
  private static func rate(_ text: Substring) throws(ValueProblem) -> ByteRate? {
    var spelled = String(text)
    if let letter = text.last, "kKmMgGtT".contains(letter), text.dropLast().last?.isNumber == true {
      spelled = "\(text.dropLast())\(letter.uppercased())iB"
    }
    guard let bytes = try SizeText(ScalarText(argument: spelled))?.bytes.bytes else { return nil }
    guard bytes >= ByteRate.lowest.bytesPerSecond else {
      throw .bandwidth(.tooSlow(String(text), lowest: ByteRate.lowest))
    }
    return ByteRate(bytes)
  }

  private static func entry(_ word: Substring) throws(ValueProblem) -> Timetable.Entry? {
    guard let comma = word.firstIndex(of: ",") else { return nil }
    var time = word[..<comma]
    var weekday: Weekday?
    if let hyphen = time.firstIndex(of: "-") {
      guard let day = self.weekday(time[..<hyphen]) else { return nil }
      weekday = day
      time = time[time.index(after: hyphen)...]
    }
    guard let minute = minute(time) else { return nil }
    let limit = word[word.index(after: comma)...]
    if limit == "off" { return Timetable.Entry(weekday: weekday, minute: minute, limit: nil) }
    guard let rate = try rate(limit) else { return nil }
    return Timetable.Entry(weekday: weekday, minute: minute, limit: rate)
  }

  /// A complete name, or its first three letters, in any case.
  private static func weekday(_ text: Substring) -> Weekday? {
    let name = text.lowercased()
    return names.firstIndex { $0 == name || $0.prefix(3) == name }.flatMap(Weekday.init)
  }

  /// Reads `HH:MM`, from `00:00` to `23:59`.
  private static func minute(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(isDigit) }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { return nil }
    return hour * 60 + minute
  }

  // MARK: Writing

  static func spelled(_ bandwidth: Bandwidth) -> String {
    switch bandwidth {
    case .unlimited: "off"
    case .rate(let rate): spelled(rate)
    case .timetable(let timetable):
      timetable.entries.map { "\(start(of: $0)),\($0.limit.map(spelled) ?? "off")" }.joined(separator: " ")
    }
  }

  static func spelled(_ rate: ByteRate) -> String {
    let size = SizeText.spelled(ByteCount(rate.bytesPerSecond))
    return size.hasSuffix("iB") ? String(size.dropLast(2)) : size
  }

  private static func start(of entry: Timetable.Entry) -> String {
    let day = entry.weekday.map { "\(names[$0.rawValue].prefix(3).capitalizedFirst)-" } ?? ""
    return "\(day)\(twoDigits(entry.minute / 60)):\(twoDigits(entry.minute % 60))"
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}

extension Substring {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension Codec where Value == Bandwidth {
  static let bandwidth = Codec.scalar(
    .bandwidth, parse: { scalar throws(ValueProblem) in try BandwidthText.read(scalar) },
    write: { bandwidth in
      if case .timetable = bandwidth {
        .string(BandwidthText.spelled(bandwidth))
      } else {
        .word(BandwidthText.spelled(bandwidth))
      }
    })
}
