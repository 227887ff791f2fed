// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// The state that the readers of all keys share while one manifest is read: its directory, and the findings so far.
final class ReadingContext {
  let directory: String
  let environment: ManifestEnvironment
  /// The items that were named so far.
  var items = ItemRegister()
  var declared = Declarations()
  private(set) var hasOpenSecrets = false
  private var findings: [Finding] = []
  /// The lines of the keys below `auth` and `servers`, wherever an alias has them from.
  private var credentialLines: Set<Int32> = []

  init(directory: String, environment: ManifestEnvironment) {
    self.directory = directory
    self.environment = environment
  }

  func report(_ fact: Finding.Fact, at mark: YAMLMark, hidesValue: Bool = false) {
    findings.append(Finding(fact, at: SourceMark(mark), hidesValue: hidesValue))
  }

  func report(_ problem: ValueProblem, of field: Field, hidesValue: Bool = false) {
    var told = field.alternative.map { problem.offering($0) } ?? problem
    if field.mayHoldCredential { told = told.withoutValue }
    if let file = field.secretFileKey, case .variable(.unset(let name)) = told {
      told = .variable(.unsetSecret(name, fileKey: file))
    }
    report(.value(key: field.path, told), at: field.node.mark, hidesValue: hidesValue)
  }

  /// Notes that no finding in the line of a pair may show its value.
  func noteCredential(_ pair: YAMLPair) {
    credentialLines.insert(pair.keyMark.line)
    credentialLines.insert(pair.value.mark.line)
  }

  func hasFinding(at mark: YAMLMark) -> Bool { findings.contains { $0.mark == SourceMark(mark) } }

  func report(_ error: YAMLError) { report(error.fact, at: error.mark) }

  /// The findings sorted by place, each once: an alias repeats a node, but not its problem.
  var sortedFindings: [Finding] {
    guard !findings.isEmpty else { return [] }
    var known: Set<Finding> = []
    let unique = findings.filter { known.insert($0.regardlessOfPath).inserted }.map(guarded)
    return unique.enumerated().sorted { ($0.element.mark, $0.offset) < ($1.element.mark, $1.offset) }.map(\.element)
  }

  /// The finding, marked when its line is one of credentials.
  private func guarded(_ finding: Finding) -> Finding {
    var lines = [finding.mark.line]
    if case .key(.duplicate(_, let firstLine)) = finding.fact { lines.append(firstLine) }
    guard lines.contains(where: { credentialLines.contains(Int32(clamping: $0)) }) else { return finding }
    var finding = finding
    finding.isAmongCredentials = true
    return finding
  }

  /// The same as `scalar` for a credential. Where no network is used, one whose variable is not set stays as written.
  func credential(_ field: Field) -> ScalarText? {
    guard environment.leavesSecretsOpen, case .scalar(let scalar) = field.node.content else {
      return self.scalar(field, expecting: .text)
    }
    do throws(ValueProblem.VariableProblem) {
      _ = try Interpolation.replacingVariables(in: scalar.text, from: environment)
      return self.scalar(field, expecting: .text)
    } catch {
      switch error {
      case .unset, .required:
        hasOpenSecrets = true
        return ScalarText(text: scalar.text, written: scalar, hasVariables: false, isOpen: true)
      default: return self.scalar(field, expecting: .text)
      }
    }
  }

  /// The field's text with its variables replaced; nil, after a report, when it has none.
  func scalar(_ field: Field, expecting expected: Expectation) -> ScalarText? {
    guard case .scalar(let scalar) = field.node.content else {
      report(.wrongType(expected: expected, found: field.node.found), of: field)
      return nil
    }
    guard scalar.text.utf8.contains(UInt8(ascii: "$")) else {
      return ScalarText(text: scalar.text, written: scalar, hasVariables: false)
    }
    do throws(ValueProblem.VariableProblem) {
      let text = try Interpolation.replacingVariables(in: scalar.text, from: environment)
      return ScalarText(text: text, written: scalar, hasVariables: true)
    } catch {
      report(.variable(error), of: field)
      return nil
    }
  }
}

extension ValueProblem {
  /// The problem of a wrong number, or of a value that is not one, for a key where a word may replace the number.
  fileprivate func offering(_ word: String) -> ValueProblem {
    switch self {
    case .wrongType, .outOfRange: .noNumber(self, word: word)
    default: self
    }
  }
}

/// A key of a mapping with its value, and the dotted path of the mapping.
struct Field {
  let section: String
  let key: String
  let node: YAMLNode
  /// A word that may replace the number.
  var alternative: String?
  /// The keys of its mapping that misspelt ones stand for. They are not there, but each was reported already.
  var misspelt: [String] = []

  /// True for a key of its mapping that is not there, not even misspelt.
  func lacks(_ name: String) -> Bool { node[name] == nil && !misspelt.contains(name) }

  var path: String { section.isEmpty ? key : "\(section).\(key)" }

  /// The key for a file with the same secret; nil for anything but a secret.
  var secretFileKey: String? {
    Self.isCredentials(section) && ["password", "bearer", "api_key"].contains(key) ? "\(key)_file" : nil
  }

  /// True for a value that nothing may show: a server, `auth`, or a key below them whose value is not harmless.
  var mayHoldCredential: Bool {
    let isSection = section.isEmpty && key == "servers" || section == "servers" || key == "auth"
    return isSection || Self.isCredentials(section) && !CredentialSection.isHarmless(key)
  }

  /// True for the path of a mapping of credentials.
  static func isCredentials(_ path: String) -> Bool {
    path.hasPrefix("servers.")
      || path.utf8.split(separator: UInt8(ascii: ".")).dropFirst().contains { $0.elementsEqual("auth".utf8) }
  }
}

/// A scalar with its variables replaced.
struct ScalarText {
  let text: String
  let written: YAMLScalar
  let hasVariables: Bool
  /// True for a credential that stays as written because its variable is not set.
  var isOpen = false

  /// Quotes do not matter when there are variables: YAML requires them around braces.
  var isPlain: Bool { written.isPlain || hasVariables }

  var found: FoundValue {
    if hasVariables { return .variables(written.text) }
    if !isPlain { return .quoted(text) }
    return text.isEmpty ? .nothing : .text(text)
  }
}

extension YAMLNode {
  /// True for `key:` without a value.
  var isNothing: Bool {
    if case .scalar(let scalar) = content { scalar.isPlain && scalar.text.isEmpty } else { false }
  }

  /// True for a scalar with exactly that text.
  func holds(_ text: String) -> Bool {
    if case .scalar(let scalar) = content { scalar.text == text } else { false }
  }

  var found: FoundValue {
    switch content {
    case .scalar(let scalar): ScalarText(text: scalar.text, written: scalar, hasVariables: false).found
    case .sequence: .list
    case .mapping: .mapping
    }
  }
}

extension SourceMark {
  init(_ mark: YAMLMark) {
    self.init(line: Int(mark.line), column: Int(mark.column), length: Int(mark.length))
  }
}

extension Finding {
  /// The finding without its path: equal for every place where an alias repeats a key.
  fileprivate var regardlessOfPath: Finding {
    switch fact {
    case .value(_, let problem): Finding(.value(key: "", problem), at: mark)
    case .key(.unknown(let key, _, let nearest)):
      Finding(.key(.unknown(key, section: "", nearest: nearest)), at: mark)
    case .key(.shortened(let key, _, let known)):
      Finding(.key(.shortened(key, section: "", known: known)), at: mark)
    case .key(.flattened(let key, _)): Finding(.key(.flattened(key, section: "")), at: mark)
    case .key(.notYet(_, let allowed)): Finding(.key(.notYet("", allowed: allowed)), at: mark)
    default: self
    }
  }
}
