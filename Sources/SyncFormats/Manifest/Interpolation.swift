// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Replaces `${VAR}`, `${VAR:-default}`, `${VAR:?message}` and `$$` in a value.
struct Interpolation {
  let variables: [String: String]

  func apply(_ text: String) throws(ManifestProblemError) -> String {
    guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
    var result = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      rest = rest[rest.index(after: dollar)...]
      if rest.first == "$" {
        result += "$"
        rest = rest.dropFirst()
      } else {
        guard rest.first == "{", let end = rest.firstIndex(of: "}") else {
          throw ManifestProblemError(.badInterpolation("$" + rest.prefix(20)))
        }
        result += try value(rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[rest.index(after: end)...]
      }
    }
    return result + rest
  }

  private func value(_ expression: Substring) throws(ManifestProblemError) -> String {
    let name = expression.prefix { $0 != ":" }
    let isName = name.first.map { $0.isLetter || $0 == "_" } ?? false
    guard isName, name.utf8.allSatisfy({ isNameByte($0) }) else {
      throw ManifestProblemError(.badInterpolation("${\(expression)}"))
    }
    let value = variables[String(name)]
    let modifier = expression[name.endIndex...]
    switch modifier.prefix(2) {
    case "":
      guard let value else { throw ManifestProblemError(.undefinedVariable(String(name))) }
      return value
    // As in the shell, a colon means that an empty variable counts as unset.
    case ":-": return value.flatMap { $0.isEmpty ? nil : $0 } ?? String(modifier.dropFirst(2))
    case ":?":
      guard let value, !value.isEmpty else {
        let message = modifier.dropFirst(2)
        throw ManifestProblemError(
          .requiredVariable(String(name), message: message.isEmpty ? "it is not set" : String(message)))
      }
      return value
    default: throw ManifestProblemError(.badInterpolation("${\(expression)}"))
    }
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }
}

/// A problem on its way to the place that knows the mark.
struct ManifestProblemError: Error {
  var problem: ManifestProblem
  init(_ problem: ManifestProblem) { self.problem = problem }
}
