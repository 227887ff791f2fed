// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncFormats
import SyncIO

/// The environment variables of the process.
struct ProcessEnvironment: Sendable {
  private let variables: [String: String]

  var all: [String: String] { variables }

  static var current: ProcessEnvironment {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
      entry += 1
    }
    return ProcessEnvironment(variables: variables)
  }

  subscript(name: String) -> String? { variables[name] }

  var forManifest: ManifestEnvironment {
    ManifestEnvironment(variables: variables, home: variables["HOME"], knows: ZoneDatabase.knows)
  }

  /// The flag's value: as given, else from `SYNCJOB_<FLAG>`, else nil.
  func value<Value>(_ given: Word?, _ flag: String, _ spelling: ArgumentSpelling<Value>) throws -> Value? {
    if let given { return try given.value(of: "--\(flag)", spelling) }
    return try text(flag).map { try Word(argument: $0.text).value(of: "$\($0.name)", spelling) }
  }

  /// The same, for words of any kind.
  func value(_ given: String?, _ flag: String) -> String? { given ?? text(flag)?.text }

  /// A variable that is empty counts as unset.
  private func text(_ flag: String) -> (name: String, text: String)? {
    let name = "SYNCJOB_" + flag.uppercased().split(separator: "-").joined(separator: "_")
    guard let text = variables[name], !text.isEmpty else { return nil }
    return (name, text)
  }

  /// As `value`, for flags without one: `1`, `true` and `yes` switch on.
  func isSet(_ given: Bool, _ flag: String) -> Bool {
    let text = value(given ? "true" : nil, flag)
    return ["1", "true", "yes"].contains(text?.lowercased() ?? "")
  }
}
