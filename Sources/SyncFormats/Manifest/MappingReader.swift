// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// What a reading collects on its way, and what it knows of the world.
final class ReadingContext {
  private(set) var findings: [Finding] = []
  let directory: String
  let home: String?
  let interpolation: Interpolation

  init(directory: String, environment: ManifestEnvironment) {
    self.directory = directory
    home = environment.home
    interpolation = Interpolation(variables: environment.variables)
  }

  func report(_ problem: ManifestProblem, at node: YAMLNode) {
    findings.append(Finding(problem, line: node.mark.line, column: node.mark.column, width: node.width))
  }

  /// The scalar's text with its variables replaced; nil when it is none, or after a finding.
  func text(_ node: YAMLNode, _ key: String, _ expected: Expectation) -> String? {
    guard case .scalar(let scalar) = node.value else {
      report(.wrongType(key: key, expected: expected, found: node.found), at: node)
      return nil
    }
    if scalar.isPlain, scalar.text.isEmpty {
      report(.wrongType(key: key, expected: expected, found: .nothing), at: node)
      return nil
    }
    do throws(ManifestProblemError) { return try interpolation.apply(scalar.text) } catch {
      report(error.problem, at: node)
      return nil
    }
  }
}

/// Takes the keys of one mapping, one after the other; what nobody took is unknown.
struct MappingReader {
  let context: ReadingContext
  /// The path of the mapping, e.g. `storage.evict`; empty at the top.
  let place: String
  let node: YAMLNode
  private var pairs: [String: YAMLPair] = [:]
  private var known: [String] = []

  /// Nil, after a finding, when `node` is no mapping.
  init?(_ node: YAMLNode, place: String, context: ReadingContext) {
    guard case .mapping(let pairs) = node.value else {
      context.report(.wrongType(key: place, expected: .mapping, found: node.found), at: node)
      return nil
    }
    self.context = context
    self.place = place
    self.node = node
    for pair in pairs {
      guard case .scalar(let key) = pair.key.value else {
        context.report(.keyIsNotText, at: pair.key)
        continue
      }
      if let first = self.pairs[key.text] {
        context.report(.duplicateKey(key.text, firstLine: first.key.mark.line), at: pair.key)
      } else {
        self.pairs[key.text] = pair
      }
    }
  }

  /// The keys in the order of the text, without those that begin with `x-`.
  var entries: [(name: String, pair: YAMLPair)] {
    pairs.map { ($0.key, $0.value) }.filter { !$0.0.hasPrefix("x-") }.sorted { $0.1.key.mark < $1.1.key.mark }
  }

  func path(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

  mutating func take(_ key: String) -> YAMLNode? {
    known.append(key)
    return pairs[key]?.value
  }

  func keyNode(_ key: String) -> YAMLNode? { pairs[key]?.key }

  /// A key that the contract has and this version does not act on: only its default is accepted.
  mutating func refuse(_ key: String, unless defaults: String...) {
    guard let value = take(key) else { return }
    if let text = value.scalarText, defaults.contains(text) { return }
    if case .mapping(let pairs) = value.value, pairs.isEmpty, defaults.contains("{}") { return }
    if case .sequence(let elements) = value.value, elements.isEmpty, defaults.contains("[]") { return }
    context.report(.notSupportedYet(path(key), default: defaults.first ?? ""), at: keyNode(key) ?? value)
  }

  /// Reports what nobody took.
  func finish() {
    for (name, pair) in entries where !known.contains(name) {
      context.report(.unknownKey(name, place: place, nearest: nearest(to: name)), at: pair.key)
    }
  }

  private func nearest(to name: String) -> String? {
    let scored = known.map { ($0, editDistance(Array($0), Array(name))) }
    guard let best = scored.min(by: { $0.1 < $1.1 }), best.1 <= max(2, name.count / 3) else { return nil }
    return best.0
  }

  mutating func mapping(_ key: String, _ read: (inout MappingReader) -> Void) {
    guard let value = take(key), var reader = MappingReader(value, place: path(key), context: context) else { return }
    read(&reader)
    reader.finish()
  }
}

extension YAMLNode {
  var found: ManifestProblem.FoundKind {
    switch value {
    case .scalar(let scalar): scalar.isPlain && scalar.text.isEmpty ? .nothing : .text
    case .sequence: .list
    case .mapping: .mapping
    }
  }
}

/// Levenshtein's distance.
func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var row = Array(0...b.count)
  for (i, x) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, y) in b.enumerated() {
      let cost = min(row[j + 1] + 1, row[j] + 1, diagonal + (x == y ? 0 : 1))
      diagonal = row[j + 1]
      row[j + 1] = cost
    }
  }
  return row[b.count]
}
