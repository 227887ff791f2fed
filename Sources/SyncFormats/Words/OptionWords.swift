// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The messages about values of options. Each option is named by its flag, or by the variable that set it.
package enum OptionWords {
  package static func bothWantStdout(events: String, json: String) -> String {
    "\(events) - and \(json) both want stdout; write one of them to a file"
  }

  package static func badScore(_ flag: String, _ value: String) -> String {
    "\(flag) takes balanced, classic or oldest, not \(value.quoted)"
  }

  package static let noBudgetToSimulate = "the manifest sets no storage.budget: give one with --budget 32GB"

  package static let stdinNeedsFormat = "name the kind of what comes from stdin with --format"

  package static func badFormat(_ flag: String, _ value: String) -> String {
    let names = HistorySource.Kind.allCases.map(\.rawValue)
    let near = NearestName.of(value, among: names).map { "; did you mean \($0.quoted)?" } ?? ""
    return "\(flag) takes one of \(names.joined(separator: ", ")), not \(value.quoted)\(near)"
  }

  package static func badZone(_ flag: String, _ value: String) -> String {
    "\(flag) takes a name such as Europe/Berlin or an offset such as +02:00, not \(value.quoted)"
  }

  package static func twoMappings(_ musicDirectory: String, _ prefix: String) -> String {
    "\(musicDirectory) and \(prefix) say the same in two ways: give one of them"
  }

  package static func badMusicDirectory(_ flag: String, _ value: String) -> String {
    "\(flag) takes an absolute path, not \(value.quoted)"
  }

  package static func badPrefix(_ flag: String, _ value: String) -> String {
    "\(flag) takes a folder as the player knows it, such as stick, not \(value.quoted)"
  }
}
