// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension Codec where Value == Int {
  static func integer(_ range: ClosedRange<Int>) -> Codec {
    .scalar(
      .integer, schema: { .integer(range) },
      parse: { scalar throws(ValueProblem) in try WholeNumber.read(scalar, in: range) },
      write: { .word(String($0)) })
  }
}

extension Codec where Value == Double {
  static func decimal(_ range: ClosedRange<Int>) -> Codec {
    .scalar(
      .decimal,
      schema: {
        let bounds: [JSONValue.Member] = [
          .init("minimum", .integer(Int64(range.lowerBound))), .init("maximum", .integer(Int64(range.upperBound))),
        ]
        return .any([Schema([.init("type", .string("number"))] + bounds), .shared(.variable)])
      },
      parse: { scalar throws(ValueProblem) in
        let isNegative = scalar.text.hasPrefix("-")
        guard scalar.isPlain, DecimalNumber(scalar.text.utf8.dropFirst(isNegative ? 1 : 0)) != nil,
          let number = Double(scalar.text)
        else { return nil }
        guard Double(range.lowerBound) <= number, number <= Double(range.upperBound) else {
          throw .outOfRange(scalar.found, lowest: String(range.lowerBound), highest: String(range.upperBound))
        }
        return number
      }, write: { .word(Int(exactly: $0).map(String.init) ?? String($0)) })
  }
}

extension Codec where Value == ByteCount {
  static func size(atLeast lowest: Int64 = 0) -> Codec {
    .scalar(
      .size, schema: { lowest == 0 ? .shared(.size) : Schema.shared(.size).with("minimum", .integer(lowest)) },
      parse: { scalar throws(ValueProblem) in
        guard let size = try SizeText(scalar) else { return nil }
        guard size.bytes.bytes >= lowest else {
          throw .outOfRange(scalar.found, lowest: String(lowest), highest: nil)
        }
        return size.bytes
      }, write: { .word(SizeText.spelled($0)) })
  }
}

extension Codec where Value == DeclaredSize {
  /// A size: exact without a unit, rounded with one.
  static let declaredSize = Codec.scalar(
    .size,
    parse: { scalar throws(ValueProblem) in
      guard let size = try SizeText(scalar) else { return nil }
      return size.hasUnit ? .about(size.bytes) : .exact(size.bytes)
    },
    write: { size in
      switch size {
      case .exact(let bytes): .word(String(bytes.bytes))
      case .about(let bytes): .word("\(bytes.bytes)B")
      }
    })
}

extension Codec where Value == Duration {
  static func duration(atLeast lowest: Duration = .zero) -> Codec {
    .scalar(
      .duration,
      schema: {
        let (seconds, attoseconds) = lowest.components
        let least = Double(seconds) + Double(attoseconds) / 1e18
        return lowest == .zero ? .shared(.duration) : Schema.shared(.duration).with("minimum", .double(least))
      },
      parse: { scalar throws(ValueProblem) in
        guard let duration = try DurationText.read(scalar) else { return nil }
        guard duration >= lowest else {
          throw .outOfRange(scalar.found, lowest: DurationText.spelled(lowest), highest: nil)
        }
        return duration
      }, write: { .word(DurationText.spelled($0)) })
  }
}

extension Codec where Value == Duration {
  /// The time for which something is kept or held back. Nobody counts that in seconds, so a bare number is one that
  /// lost its unit.
  static let age = Codec.scalar(
    .age,
    parse: { scalar throws(ValueProblem) in
      guard let duration = try DurationText.read(scalar) else { return nil }
      guard duration == .zero || !DurationText.isNumber(scalar.text) else {
        throw .withoutUnit(scalar.found, orDate: false)
      }
      return duration
    }, write: { .word(DurationText.spelled($0)) })
}

extension Codec where Value == Timestamp {
  static let date = Codec.scalar(
    .date, parse: { scalar throws(ValueProblem) in Timestamp(rfc3339: scalar.text) }, write: { .word($0.rfc3339) })
}

extension Codec where Value == Share {
  static let percentage = Codec.scalar(
    .percentage, parse: { scalar throws(ValueProblem) in try PercentText.read(scalar) },
    write: { .word(PercentText.spelled($0)) })
}

extension Codec where Value == StoragePolicy.DeleteLimit {
  static let deleteLimit = Codec.scalar(
    .percentageOrCount, parse: { scalar throws(ValueProblem) in try DeleteLimitText.read(scalar) },
    write: { .word(DeleteLimitText.spelled($0)) })
}

/// `25%`, `40`.
enum DeleteLimitText {
  /// Nil for text that is neither.
  static func read(_ scalar: ScalarText) throws(ValueProblem) -> StoragePolicy.DeleteLimit? {
    if let share = try PercentText.read(scalar) { return .share(share) }
    return try WholeNumber.read(scalar, in: 0...Int(Int32.max)).map { .count($0) }
  }

  /// Nil for text that is neither, or is out of range.
  static func read(_ text: String) -> StoragePolicy.DeleteLimit? {
    do throws(ValueProblem) { return try read(ScalarText(argument: text)) } catch { return nil }
  }

  static func spelled(_ limit: StoragePolicy.DeleteLimit) -> String {
    switch limit {
    case .share(let share): PercentText.spelled(share)
    case .count(let count): String(count)
    }
  }
}

extension Codec where Value == Selection.Initial {
  static let initial = Codec.scalar(
    .countOrAll,
    parse: { scalar throws(ValueProblem) in
      if scalar.text == "all" { return .all }
      return try WholeNumber.read(scalar, in: 0...1_000_000).map { .count($0) }
    },
    write: { initial in
      switch initial {
      case .all: .word("all")
      case .count(let count): .word(String(count))
      }
    })
}

extension Codec where Value == Selection.Pages {
  static let pages = Codec.scalar(
    .countOrAll,
    schema: { .any([.constant(.string("all")), .integer(1...Selection.Pages.maximum)]) },
    parse: { scalar throws(ValueProblem) in
      if scalar.text == "all" { return .all }
      return try WholeNumber.read(scalar, in: 1...Selection.Pages.maximum).map { .count($0) }
    },
    write: { pages in
      switch pages {
      case .all: .word("all")
      case .count(let count): .word(String(count))
      }
    })
}

/// A whole number such as `3`: digits without quotes, with a sign at most.
enum WholeNumber {
  /// Nil for anything else.
  static func read(_ scalar: ScalarText, in range: ClosedRange<Int>) throws(ValueProblem) -> Int? {
    let digits = scalar.text.hasPrefix("-") ? scalar.text.dropFirst() : scalar.text[...]
    guard scalar.isPlain, !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    guard let number = Int(scalar.text), range.contains(number) else {
      throw .outOfRange(scalar.found, lowest: String(range.lowerBound), highest: String(range.upperBound))
    }
    return number
  }
}

/// `85%`, `99.5%`.
enum PercentText {
  /// Nil for text that does not end in `%` or has more than one digit after the point.
  static func read(_ scalar: ScalarText) throws(ValueProblem) -> Share? {
    guard scalar.text.hasSuffix("%") else { return nil }
    let numeral = scalar.text.utf8.dropLast()
    if numeral.first == UInt8(ascii: "-"), DecimalNumber(numeral.dropFirst()) != nil {
      throw .outOfRange(scalar.found, lowest: "0%", highest: "100%")
    }
    guard let number = DecimalNumber(numeral),
      let perMille = number.times(10), number.times(1000) == perMille.multipliedReportingOverflow(by: 100).partialValue
    else { return nil }
    guard let share = Share(perMille: Int(perMille)) else {
      throw .outOfRange(scalar.found, lowest: "0%", highest: "100%")
    }
    return share
  }

  static func spelled(_ share: Share) -> String {
    let (whole, tenth) = share.perMille.quotientAndRemainder(dividingBy: 10)
    return tenth == 0 ? "\(whole)%" : "\(whole).\(tenth)%"
  }
}
