// SPDX-License-Identifier: Apache-2.0
internal import SyncCore

/// The messages about values of options. Each option is named by its flag, or by the variable that set it.
package enum OptionWords {
  package static func bothWantStdout(events: String, json: String) -> String {
    "\(events) - and \(json) both want stdout; write one of them to a file"
  }

  package static func badScore(_ flag: String, _ value: String) -> String {
    "\(flag) takes balanced, classic or oldest, not \(value.quoted)"
  }

  package static let noBudgetToSimulate = "the manifest sets no storage.budget: give one with --budget 32GB"

  package static let stdinNeedsFormat = "reading from stdin needs --format"

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

extension UsageProblem {
  /// The problem and the remedy: one sentence without a full stop.
  package var words: String {
    switch self {
    case .unknownVariable(let name, let near):
      "$\(name.printable) belongs to no flag of any command"
        + (near.map { "; did you mean $\($0)?" } ?? "; unset it, or see the flags with: syncjob run --help")
    case .badSwitch(let name, let value): "$\(name) must be \(SwitchWord.taken), but is \(value.quoted)"
    case .flagOnlyTyped(let name, let flag, let command):
      "$\(name) is set, and \(command) takes \(flag) only from the command line, so that no variable decides which files"
        + " go; unset it, or type \(flag)"
    case .variableNotUTF8(let name): "the value of $\(name.printable) is not UTF-8; set it to text in UTF-8"
    case .argumentNotUTF8(let word): "the argument \"\(word)\" is not UTF-8; rename the file, or go to its folder first"
    case .unknownCommand, .unknownTopic, .plannedCommand, .misplacedCommand, .missingSubcommand: commandWords
    case .plannedFlag(let flag): "\(flag.quoted) is not part of this version"
    case .unknownFlag, .missingValue, .needlessValue: flagWords
    case .missingArgument(let name, let command):
      "\(command) lacks an argument: <\(name)>; see: syncjob \(command) --help"
    case .unexpectedArguments(let words, let command):
      "\(command) takes no such argument: \(words.map(\.quoted).joined(separator: ", "));"
        + " see: syncjob \(command) --help"
    case .manifestForItem(let path): "\(path.quoted) is a file, not an item; did you mean -m \(path.printable)?"
    case .twoManifests(let first, let second):
      "two manifests are named, \(first.quoted) and \(second.quoted); name one of them"
    case .emptyManifest: "the name of the manifest is empty; name a file such as car.yaml"
    case .parser(let message, let command): Self.restyled(message) + "; see: syncjob \(command) --help"
    }
  }

  private var commandWords: String {
    switch self {
    case .unknownCommand(let word, nil, let near):
      "\(word.quoted) is neither a command nor a file; "
        + (near.map { "did you mean \($0.quoted)?" } ?? "see the commands with: syncjob --help")
    case .unknownTopic(let word, let near):
      "there is no command \(word.quoted); "
        + (near.map { "did you mean: syncjob help \($0)" } ?? "see the commands with: syncjob --help")
    case .unknownCommand(let word, let parent?, let near):
      "\(parent) has no command \(word.quoted); "
        + (near.map { "did you mean \("\(parent) \($0)".quoted)?" } ?? "see: syncjob \(parent) --help")
    case .plannedCommand(let word): "\(word.quoted) is not part of this version; see the commands with: syncjob --help"
    case .misplacedCommand(let word): "the command comes before its options: syncjob \(word) …"
    case .missingSubcommand(let parent, let names):
      "\(parent) needs a command: \(names.map { "syncjob \(parent) \($0)" }.joined(separator: " or "))"
    default: ""
    }
  }

  private var flagWords: String {
    switch self {
    case .unknownFlag(let flag, let command, let near?, _):
      "\(command) has no option \(flag.printable); did you mean \(near)?"
    case .unknownFlag(let flag, let command, nil, let takesArguments):
      "\(command) has no option \(flag.printable); see: syncjob \(command) --help"
        + (takesArguments ? " (an argument that begins with a dash comes after --)" : "")
    case .missingValue(let flag, let name): "\(flag) lacks its value: \(flag) <\(name)>"
    case .needlessValue(let flag, let value): "\(flag) takes no value, but is given \(value.quoted)"
    default: ""
    }
  }

  /// The argument parser's sentence in the program's own form: a small letter first, no full stop, one line.
  private static func restyled(_ message: String) -> String {
    var text = message.split(separator: "\n").map { String($0).trimmed }.joined(separator: " ")
    if text.hasSuffix(".") { text.removeLast() }
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension String {
  fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}
