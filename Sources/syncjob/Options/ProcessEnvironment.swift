// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import SyncCore
import SyncFormats

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

  var forManifest: ManifestEnvironment { ManifestEnvironment(variables: variables, home: variables["HOME"]) }

  /// The flag's value: as given, else from `SYNCJOB_<FLAG>`, else nil.
  func value<Value: ExpressibleByArgument>(_ given: Value?, _ flag: String) throws -> Value? {
    let name = "SYNCJOB_" + flag.uppercased().split(separator: "-").joined(separator: "_")
    guard given == nil, let text = variables[name], !text.isEmpty else { return given }
    guard let value = Value(argument: text) else {
      throw Stop("$\(name) is \(text.quoted), which --\(flag) does not take; see `syncjob run --help`", .usage)
    }
    return value
  }

  /// As `value`, for flags without one: `1`, `true` and `yes` switch on.
  func isSet(_ given: Bool, _ flag: String) throws -> Bool {
    let text = try value(given ? "true" : nil, flag)
    return ["1", "true", "yes"].contains(text?.lowercased() ?? "")
  }
}
