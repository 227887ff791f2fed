// SPDX-License-Identifier: Apache-2.0

/// Does one piece of work for each of several parts. The caller decides whether they are done one after another or at
/// once.
package protocol PartRunner: Sendable {
  /// The number of parts that can be done at once.
  var width: Int { get }

  /// Returns the results in the order of the parts.
  func run<Part: Sendable, Value: Sendable>(_ parts: [Part], _ work: @Sendable (Part) -> Value) -> [Value]
}

extension PartRunner {
  /// Does some work for consecutive ranges of the numbers below `count`, as many as can be done at once.
  /// - Returns: The results in the order of the ranges.
  package func run<Value: Sendable>(upTo count: Int, _ work: @Sendable (Range<Int>) -> Value) -> [Value] {
    let length = max(1, (count + width - 1) / width)
    return run(stride(from: 0, to: count, by: length).map { $0..<min($0 + length, count) }, work)
  }

  /// Finds a value for each number below `count`, several at once, and hands them over in order. Only some thousands are
  /// held at a time.
  func forEach<Value: Sendable>(
    upTo count: Int, _ value: @Sendable (Int) -> Value, then body: (Value) -> Void
  ) {
    let length = 4096
    let ranges = stride(from: 0, to: count, by: length).map { $0..<min($0 + length, count) }
    for round in stride(from: 0, to: ranges.count, by: width) {
      let parts = Array(ranges[round..<min(round + width, ranges.count)])
      for values in run(parts, { $0.map(value) }) { values.forEach(body) }
    }
  }
}

/// Does one part after another.
package struct SerialParts: PartRunner {
  package init() {}

  package var width: Int { 1 }

  package func run<Part: Sendable, Value: Sendable>(
    _ parts: [Part], _ work: @Sendable (Part) -> Value
  ) -> [Value] { parts.map(work) }
}
