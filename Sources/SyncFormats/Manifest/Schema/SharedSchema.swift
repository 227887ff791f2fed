// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The values that many keys of the manifest share: `$defs` of the schema. Each accepts `${NAME}`, because the value of
/// a variable is not known to an editor.
enum SharedSchema: String, CaseIterable {
  case variable, text, boolean, size, duration, age, date, percentage, rate, checksum, url, path, location

  var schema: Schema {
    switch self {
    case .variable: .pattern(#"\$\{"#).described("A text with ${NAME}, ${NAME:-default} or ${NAME:?message}.")
    // To YAML 1.2 `1999` and `true` are no texts, but the reader takes them as they are written.
    case .text:
      Schema([
        .init("type", .array([.string("string"), .string("number"), .string("boolean")])),
        .init("minLength", .integer(1)),
      ]).described("A text.")
    case .boolean: .any([Schema([.init("type", .string("boolean"))]), .shared(.variable)])
    case .size: number(or: "^\(Pattern.size)$", "integer", "A size: bytes, or a number with a unit, such as 10GiB.")
    case .duration:
      number(or: "^(\(Pattern.number)|\(Pattern.duration))$", "number", "A duration: 90, 30s, 1h30m, 3:45 or 1:02:03.")
    case .age:
      Schema.any([
        .constant(.integer(0)), .pattern("^(0+(\\.0+)?|\(Pattern.duration))$"), .shared(.variable),
      ]).described("A duration with its unit, such as 7d or 24h.")
    case .date: pattern("^\(Pattern.date)$", "A date: 2026-01-05 or 2026-01-05T06:00:00+01:00.")
    case .percentage: pattern("^\(Pattern.percentage)$", "A percentage from 0% to 100%.")
    case .rate:
      Schema.any([
        Schema([.init("type", .string("integer")), .init("minimum", .integer(ByteRate.lowest.bytesPerSecond))]),
        .pattern("^(off|\(Pattern.rate)|\(Pattern.timetable))$"), .shared(.variable),
      ]).described("off, bytes per second such as 512K, or a timetable such as \"08:00,512K 23:00,off\".")
    case .checksum:
      pattern(
        "^(\(Checksum.Algorithm.allCases.map { "\($0.rawValue):[0-9A-Fa-f]{\($0.digits)}" }.joined(separator: "|")))$",
        "A checksum: sha256:, sha512:, sha1: or md5: and the hexadecimal digits.")
    case .url: pattern("^\(Pattern.scheme)://[^/]", "A URL: http://… or https://….")
    case .path: .shared(.text).with("not", Schema.pattern("^~[^/]").json)
    case .location: .shared(.path).with("pattern", .string("^(?!(?!\(Pattern.scheme)://[^/]).*://)|\\$\\{"))
    }
  }

  private func pattern(_ pattern: String, _ sentence: String) -> Schema {
    Schema.any([.pattern(pattern), .shared(.variable)]).described(sentence)
  }

  private func number(or pattern: String, _ type: String, _ sentence: String) -> Schema {
    Schema.any([
      Schema([.init("type", .string(type)), .init("minimum", .integer(0))]), .pattern(pattern), .shared(.variable),
    ]).described(sentence)
  }
}

extension SharedSchema {
  /// The spellings of values, as regular expressions (ECMA-262).
  private enum Pattern {
    static let number = #"[0-9]+(\.[0-9]+)?"#
    private static let unit = "([KMGT]i?)?B"
    static let size = "([0-9]+|\(number) *\(unit))"
    private static let clock =
      #"([0-9]+:[0-5]?[0-9](\.[0-9]+)?|[0-9]+:[0-5]?[0-9]:[0-5]?[0-9](\.[0-9]+)?)"#
    static let duration = "((\(number)(ms|[smhdw]))+|\(clock))"
    static let date =
      #"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"#
      + #"([Tt ]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2}))?"#
    static let percentage = #"0*(100(\.0+)?|[0-9]{1,2}(\.[0-9]0*)?)%"#
    static let rate = "(\(number) *(\(unit)|[kKmMgGtT])|[0-9]{4,})"
    private static let day =
      "([Mm]on|[Tt]ue|[Ww]ed|[Tt]hu|[Ff]ri|[Ss]at|[Ss]un|MON|TUE|WED|THU|FRI|SAT|SUN|[A-Za-z]+[Dd][Aa][Yy])-"
    private static let entry = "(\(day))?([01][0-9]|2[0-3]):[0-5][0-9],(off|\(rate))"
    static let timetable = " *\(entry)( +\(entry))* *"
    static let scheme = "[Hh][Tt][Tt][Pp][Ss]?"
  }
}

extension Schema {
  /// The values that a key takes, if nothing else is said about them.
  init(_ expected: Expectation) {
    switch expected {
    case .text: self = .shared(.text)
    case .boolean: self = .shared(.boolean)
    case .integer: self = .integer(0...Int(Int32.max))
    case .decimal: self = .any([Schema([.init("type", .string("number"))]), .shared(.variable)])
    case .size: self = .shared(.size)
    case .duration: self = .shared(.duration)
    case .age: self = .shared(.age)
    case .bandwidth: self = .shared(.rate)
    case .date: self = .shared(.date)
    case .percentage: self = .shared(.percentage)
    case .percentageOrCount: self = .any([.shared(.percentage), .integer(0...Int(Int32.max))])
    case .sizeOrPercentage: self = .any([.shared(.size), .shared(.percentage)])
    case .dateOrAge: self = .any([.shared(.date), .shared(.age)])
    case .checksum: self = .shared(.checksum)
    case .choice(let names): self = .any([.choice(names.map { .string($0) }), .shared(.variable)])
    case .countOrAll: self = .any([.constant(.string("all")), .integer(0...1_000_000)])
    case .url: self = .shared(.url)
    case .urlOrPath: self = .shared(.location)
    case .privateAccess: self = .any([.shared(.boolean), .list(of: .shared(.text), atLeast: 0)])
    case .path: self = .shared(.path)
    case .command: self = .command
    case .list: self = .list(of: .shared(.text))
    case .integerOrBounds, .mapping, .listOfMappings, .listOfHistories: self = Schema([])
    }
  }
}
