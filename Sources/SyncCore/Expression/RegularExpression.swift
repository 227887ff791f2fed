// SPDX-License-Identifier: Apache-2.0

/// A regular expression whose matching time is bounded by the product of its own length and that of the text, for every
/// text: texts come from strangers.
///
/// All paths through the expression are followed at once (Thompson 1968, as in Pike's sam and RE2), so there is no
/// backtracking. The syntax leaves out constructs that cannot be matched this way (backreferences, lookaround).
/// Characters are those that a person sees, and canonically equivalent ones are equal, as in Swift's own expressions.
package struct RegularExpression: Hashable, Sendable {
  /// The text as written.
  package let source: String
  private let ignoresCase: Bool
  private let program: [ExpressionStep]

  /// - Parameter ignoringCase: True to match as if the text began with `(?i)`.
  package init(_ source: String, ignoringCase: Bool = false) throws(ExpressionProblem) {
    self.source = source
    ignoresCase = ignoringCase
    var reader = ExpressionReader(source, ignoringCase: ignoringCase)
    program = try ExpressionCompiler.program(of: try reader.read())
  }

  /// True if any part of `text` matches.
  package func matches(in text: String) -> Bool {
    let subject = ExpressionSubject(text)
    var (current, next) = (ExpressionStates(program.count), ExpressionStates(program.count))
    for place in 0...subject.characters.count {
      if reaches(0, at: place, of: subject, &current) { return true }
      guard place < subject.characters.count else { break }
      next.removeAll()
      for step in current.members {
        guard case .test(let test) = program[step], test.matches(subject, place) else { continue }
        if reaches(step + 1, at: place + 1, of: subject, &next) { return true }
      }
      swap(&current, &next)
    }
    return false
  }

  /// Follows every path that consumes no character.
  /// - Returns: True if one of them reaches the end.
  private func reaches(
    _ start: Int, at place: Int, of subject: ExpressionSubject, _ states: inout ExpressionStates
  ) -> Bool {
    var pending = [start]
    while let step = pending.popLast() {
      guard states.insert(step) else { continue }
      switch program[step] {
      case .test: break
      case .jump(let target): pending.append(target)
      case .split(let first, let second): pending += [second, first]
      case .assert(let assertion): if assertion.holds(subject, place) { pending.append(step + 1) }
      case .end: return true
      }
    }
    return false
  }
}

/// A set of steps, in insertion order.
private struct ExpressionStates {
  private(set) var members: [Int] = []
  private var isMember: [Bool]

  init(_ count: Int) { isMember = Array(repeating: false, count: count) }

  /// - Returns: False if the step is already in the set.
  mutating func insert(_ step: Int) -> Bool {
    guard !isMember[step] else { return false }
    isMember[step] = true
    members.append(step)
    return true
  }

  mutating func removeAll() {
    for member in members { isMember[member] = false }
    members.removeAll(keepingCapacity: true)
  }
}

/// A text to be searched.
struct ExpressionSubject {
  let characters: [Character]

  init(_ text: String) { characters = Array(text.composed) }

  func isWord(_ place: Int) -> Bool {
    characters.indices.contains(place) && ExpressionClass.word.contains(characters[place])
  }
}
