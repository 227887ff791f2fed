// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The spelling of a value on the command line and in variables: the same as in the manifest.
package struct ArgumentSpelling<Value: Sendable>: Sendable {
  private let expected: Expectation
  /// The value of the word `none`; nil when that word is not accepted.
  private let whenNone: Value?
  private let parse: @Sendable (ScalarText) throws(ValueProblem) -> Value?

  private init(
    _ expected: Expectation, whenNone: Value? = nil,
    parse: @escaping @Sendable (ScalarText) throws(ValueProblem) -> Value?
  ) {
    self.expected = expected
    self.whenNone = whenNone
    self.parse = parse
  }

  /// - Parameter name: the option or variable that the word was given to: `--bwlimit`, `$SYNCJOB_BWLIMIT`.
  package func read(_ text: String, of name: String) throws(ArgumentProblem) -> Value {
    if text == "none", let whenNone { return whenNone }
    let scalar = ScalarText(argument: text)
    do throws(ValueProblem) {
      if let value = try parse(scalar) { return value }
      throw ValueProblem.wrongType(expected: expected, found: scalar.found)
    } catch {
      let sentence = ManifestWords.sentence(error, of: name)
      throw ArgumentProblem(words: whenNone == nil ? sentence : sentence + "; none lifts the limit")
    }
  }
}

/// The error for a word that its option does not take.
package struct ArgumentProblem: Error, Hashable, Sendable {
  /// A sentence with the option, the word, and the accepted values; without a full stop.
  package let words: String
}

extension ArgumentSpelling where Value == Duration {
  package static var duration: Self {
    Self(.duration) { scalar throws(ValueProblem) in try DurationText.read(scalar) }
  }
}

extension ArgumentSpelling where Value == Duration? {
  /// A duration of at least one second.
  package static var durationLimit: Self {
    Self(.duration, whenNone: .some(nil)) { scalar throws(ValueProblem) in
      guard let duration = try DurationText.read(scalar) else { return nil }
      guard duration >= .seconds(1) else { throw .outOfRange(scalar.found, lowest: "1s", highest: nil) }
      return duration
    }
  }
}

extension ArgumentSpelling where Value == ByteCount {
  /// A size of at least one byte.
  package static var size: Self {
    Self(.size) { scalar throws(ValueProblem) in try positive(scalar) }
  }

  /// A place in a file: a size, or 0 for the beginning.
  package static var offset: Self {
    Self(.size) { scalar throws(ValueProblem) in scalar.text == "0" ? .zero : try positive(scalar) }
  }

  fileprivate static func positive(_ scalar: ScalarText) throws(ValueProblem) -> ByteCount? {
    let size: ByteCount?
    do throws(ValueProblem) { size = try SizeText(scalar)?.bytes } catch {
      // The lowest value here differs from that of a key.
      if case .outOfRange(let found, lowest: _?, _) = error { throw .outOfRange(found, lowest: "1", highest: nil) }
      throw error
    }
    if size == .zero { throw .outOfRange(scalar.found, lowest: "1", highest: nil) }
    return size
  }
}

extension ArgumentSpelling where Value == ByteCount? {
  package static var sizeLimit: Self {
    Self(.size, whenNone: .some(nil)) { scalar throws(ValueProblem) in
      try ArgumentSpelling<ByteCount>.positive(scalar).map { .some($0) }
    }
  }
}

extension ArgumentSpelling where Value == Bandwidth {
  package static var bandwidth: Self {
    Self(.bandwidth) { scalar throws(ValueProblem) in try BandwidthText.read(scalar) }
  }
}

extension ArgumentSpelling where Value == Timestamp {
  package static var time: ArgumentSpelling<Timestamp> {
    Self(.date) { scalar throws(ValueProblem) in Timestamp(rfc3339: scalar.text) }
  }
}

extension ArgumentSpelling where Value == StoragePolicy.DeleteLimit {
  package static var deleteLimit: Self {
    Self(.percentageOrCount) { scalar throws(ValueProblem) in try DeleteLimitText.read(scalar) }
  }
}

extension ArgumentSpelling where Value == Share {
  package static var percentage: Self {
    Self(.percentage) { scalar throws(ValueProblem) in try PercentText.read(scalar) }
  }
}

extension ArgumentSpelling where Value == Int {
  package static func number(_ range: ClosedRange<Int>) -> Self {
    Self(.integer) { scalar throws(ValueProblem) in try WholeNumber.read(scalar, in: range) }
  }
}

extension ArgumentSpelling where Value == UInt64 {
  package static var seed: Self {
    Self(.integer) { scalar throws(ValueProblem) in
      if let number = UInt64(scalar.text) { return number }
      guard try WholeNumber.read(scalar, in: 0...Int.max) != nil else { return nil }
      throw .outOfRange(scalar.found, lowest: "0", highest: String(UInt64.max))
    }
  }
}

extension ArgumentSpelling where Value: CaseIterable & RawRepresentable<String> {
  /// One of the cases, by its name.
  package static var choice: Self {
    Self(.choice(Value.allCases.map(\.rawValue))) { scalar throws(ValueProblem) in Value(rawValue: scalar.text) }
  }
}
