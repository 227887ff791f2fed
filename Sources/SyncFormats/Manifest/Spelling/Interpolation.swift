// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Replaces `${NAME}`, `${NAME:-default}`, `${NAME:?message}` and `$$`. Any other `$` stands for itself.
enum Interpolation {
  static func replacingVariables(
    in text: String, from variables: ManifestEnvironment
  ) throws(ValueProblem.VariableProblem) -> String {
    var result = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      let after = rest[rest.index(after: dollar)...]
      switch after.first {
      case "$":
        result += "$"
        rest = after.dropFirst()
      case "{":
        guard let end = after.firstIndex(of: "}") else { throw .unclosed }
        result += try value(of: after[..<end].dropFirst(), from: variables)
        rest = after[after.index(after: end)...]
      default:
        result += "$"
        rest = after
      }
    }
    return result + rest
  }

  private static func value(
    of expression: Substring, from environment: ManifestEnvironment
  ) throws(ValueProblem.VariableProblem) -> String {
    let name = expression.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    let rest = expression[name.endIndex...]
    // A default with a variable inside would end at the wrong brace.
    guard let first = name.first, !first.isNumber, !rest.contains("${") else { throw .malformed(String(expression)) }
    guard !environment.unreadable.contains(String(name)) else { throw .notUTF8(String(name)) }
    let value = environment.variables[String(name)]
    let isSet = value.map { !$0.isEmpty } ?? false
    switch (rest.prefix(2), value) {
    case ("", let value?): return value
    case ("", nil): throw .unset(String(name))
    case (":-", let value): return isSet ? value ?? "" : String(rest.dropFirst(2))
    case (":?", let value?) where isSet: return value
    case (":?", _): throw .required(String(name), message: String(rest.dropFirst(2)))
    default: throw .malformed(String(expression))
    }
  }
}
