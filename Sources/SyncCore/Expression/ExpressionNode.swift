// SPDX-License-Identifier: Apache-2.0

/// A parsed regular expression.
indirect enum ExpressionNode: Hashable, Sendable {
  case test(ExpressionTest)
  case assertion(ExpressionAssertion)
  case sequence([ExpressionNode])
  /// Any one of the nodes.
  case choice([ExpressionNode])
  /// - Parameter most: Nil for no upper limit.
  case repeated(ExpressionNode, least: Int, most: Int?)
}

/// A condition on a position between two characters.
enum ExpressionAssertion: Hashable, Sendable {
  case textBegins, textEnds, lineBegins, lineEnds
  /// The end of the text, or the position before a final newline.
  case textEndsButForNewline
  case wordBoundary(isNegated: Bool)

  func holds(_ subject: ExpressionSubject, _ place: Int) -> Bool {
    let characters = subject.characters
    let count = characters.count
    return switch self {
    case .textBegins: place == 0
    case .textEnds: place == count
    case .lineBegins: place == 0 || characters[place - 1].isNewline
    case .lineEnds: place == count || characters[place].isNewline
    case .textEndsButForNewline: place == count || (place == count - 1 && characters[place].isNewline)
    case .wordBoundary(let isNegated): (subject.isWord(place - 1) != subject.isWord(place)) != isNegated
    }
  }
}

/// One step of a compiled expression. The next step follows unless the step says otherwise.
enum ExpressionStep: Hashable, Sendable {
  /// Consumes one character.
  case test(ExpressionTest)
  case assert(ExpressionAssertion)
  case jump(Int)
  case split(Int, Int)
  case end
}

/// Compiles an expression into steps.
struct ExpressionCompiler {
  /// The largest number of steps. The worst expression of this size takes a quarter of a second for a text of 1,000
  /// characters; an ordinary one takes microseconds.
  private static let limit = 2_000

  private var steps: [ExpressionStep] = []
  /// The number of nodes compiled, including empty ones.
  private var work = 0

  static func program(of node: ExpressionNode) throws(ExpressionProblem) -> [ExpressionStep] {
    var compiler = ExpressionCompiler()
    try compiler.write(node)
    compiler.steps.append(.end)
    return compiler.steps
  }

  private mutating func write(_ node: ExpressionNode) throws(ExpressionProblem) {
    work += 1
    guard work <= Self.limit * 4, steps.count <= Self.limit else { throw .tooLarge }
    switch node {
    case .test(let test): steps.append(.test(test))
    case .assertion(let assertion): steps.append(.assert(assertion))
    case .sequence(let nodes): for node in nodes { try write(node) }
    case .choice(let nodes): try write(choice: nodes[...])
    case .repeated(let node, let least, let most):
      for _ in 0..<least { try write(node) }
      if let most {
        for _ in least..<most { try writeOptional(node) }
      } else {
        try writeLoop(node)
      }
    }
  }

  private mutating func write(choice nodes: ArraySlice<ExpressionNode>) throws(ExpressionProblem) {
    var ends: [Int] = []
    for (index, node) in nodes.enumerated() {
      guard index < nodes.count - 1 else {
        try write(node)
        break
      }
      let split = steps.count
      steps.append(.end)
      try write(node)
      ends.append(steps.count)
      steps.append(.end)
      steps[split] = .split(split + 1, steps.count)
    }
    for end in ends { steps[end] = .jump(steps.count) }
  }

  private mutating func writeOptional(_ node: ExpressionNode) throws(ExpressionProblem) {
    let split = steps.count
    steps.append(.end)
    try write(node)
    steps[split] = .split(split + 1, steps.count)
  }

  private mutating func writeLoop(_ node: ExpressionNode) throws(ExpressionProblem) {
    let split = steps.count
    steps.append(.end)
    try write(node)
    steps.append(.jump(split))
    steps[split] = .split(split + 1, steps.count)
  }
}
