// SPDX-License-Identifier: Apache-2.0

/// Goes through the arguments of a command as the argument parser does, to describe mistakes in the program's own
/// words.
package struct ArgumentScan {
  private let command: CommandDefinition
  /// The name as it is typed: `state export`.
  private let name: String
  /// The arguments that are neither flags nor their values.
  package private(set) var positionals: [String] = []
  /// The values of flags, by the long name without dashes, in the order in which they are typed.
  package private(set) var values: [String: [String]] = [:]
  /// The first mistake.
  package private(set) var problem: UsageProblem?

  /// - Parameters:
  ///   - arguments: those after the command's name.
  ///   - name: the command as it is typed.
  package init(_ arguments: [String], of command: CommandDefinition, named name: String) {
    (self.command, self.name) = (command, name)
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--" {
        positionals += rest
        break
      }
      if word.hasPrefix("--") {
        passLong(word, &rest)
      } else if word.hasPrefix("-"), word != "-" {
        passShort(word, &rest)
      } else {
        positionals.append(word)
      }
    }
    checkCount()
  }

  private mutating func note(_ found: UsageProblem) { problem = problem ?? found }

  private mutating func passLong(_ word: String, _ rest: inout ArraySlice<String>) {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let flagName = parts.first ?? ""
    guard let flag = command.flag(long: flagName) else { return note(unknown("--\(flagName)")) }
    if flag.takesValue {
      if parts.count == 1 { passValue(of: flag, "--\(flagName)", &rest) } else { note(parts[1], of: flag) }
    } else if parts.count == 2 {
      note(.needlessValue(flag: "--\(flagName)", parts[1]))
    }
  }

  private mutating func passShort(_ word: String, _ rest: inout ArraySlice<String>) {
    for (place, letter) in word.enumerated().dropFirst() {
      guard letter != "=" else { return }
      guard let flag = command.flag(short: letter) else { return note(unknown("-\(letter)")) }
      guard flag.takesValue else { continue }
      let value = word.dropFirst(place + 1)
      if value.isEmpty {
        passValue(of: flag, "-\(letter)", &rest)
      } else {
        note(String(value.hasPrefix("=") ? value.dropFirst() : value), of: flag)
      }
      return
    }
  }

  private mutating func passValue(
    of flag: CommandDefinition.Flag, _ typed: String, _ rest: inout ArraySlice<String>
  ) {
    guard let value = rest.first, flag.takesAnyValue || value == "-" || !value.hasPrefix("-") else {
      return note(.missingValue(flag: typed, name: flag.valueName))
    }
    note(rest.removeFirst(), of: flag)
  }

  private mutating func note(_ value: String, of flag: CommandDefinition.Flag) {
    values[flag.long.first ?? "", default: []].append(value)
  }

  private func unknown(_ typed: String) -> UsageProblem {
    if PlannedNames.flags.contains(typed) { return .plannedFlag(typed) }
    let known = command.flags.flatMap(\.long)
    let near = typed.hasPrefix("--") ? NearestName.ofHyphenated(String(typed.dropFirst(2)), among: known) : nil
    return .unknownFlag(
      typed, command: name, nearest: near.map { "--\($0)" }, takesArguments: !command.positionals.isEmpty)
  }

  private mutating func checkCount() {
    let required = command.positionals.filter { !$0.isOptional }
    if positionals.count < required.count {
      note(.missingArgument(required[positionals.count].name, command: name))
    }
    if !command.positionals.contains(where: \.isRepeating), positionals.count > command.positionals.count {
      note(.unexpectedArguments(Array(positionals.dropFirst(command.positionals.count)), command: name))
    }
  }
}

extension NearestName {
  /// The same as `of`, for names of flags and commands, whose words are joined by hyphens.
  package static func ofHyphenated(_ name: String, among known: [String]) -> String? {
    of(name, among: known.map { $0.replacing("-", with: "_") })?.replacing("_", with: "-")
  }
}

/// Names of commands and flags in a later version of the program.
package enum PlannedNames {
  package static let commands: Set<String> = [
    "scan", "merge", "runs", "submit",
  ]
  package static let flags: Set<String> = [
    "--shard", "--force", "--trash",
  ]
}

/// The words by which a variable says yes or no.
package enum SwitchWord {
  /// The accepted words, for people.
  package static let taken = "1, true, yes, on, 0, false, no or off"

  /// Nil for any other word. Upper and lower case are the same.
  package static func read(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "1", "true", "yes", "on": true
    case "0", "false", "no", "off": false
    default: nil
    }
  }
}

/// A mistake in a call of the program, found before any command has begun.
package enum UsageProblem: Error, Hashable, Sendable {
  /// A `SYNCJOB_*` variable that belongs to no flag.
  case unknownVariable(String, nearest: String?)
  /// A variable of a flag without a value, with a word that means neither yes nor no.
  case badSwitch(String, String)
  /// A variable for a flag that has to be typed, since it orders a removal.
  case flagOnlyTyped(String, flag: String, command: String)
  /// A variable that the program reads, with bytes that are not UTF-8.
  case variableNotUTF8(String)
  /// An argument, with its invalid bytes escaped.
  case argumentNotUTF8(String)
  /// An unknown word in place of a command. `parent` is the command above it, if any: `state`.
  case unknownCommand(String, parent: String?, nearest: String?)
  /// An unknown word after `help`.
  case unknownTopic(String, nearest: String?)
  /// A command of a later version.
  case plannedCommand(String)
  case plannedFlag(String)
  /// A command's name after an option.
  case misplacedCommand(String)
  case missingSubcommand(of: String, [String])
  /// - Parameter takesArguments: true if the command takes any arguments, so that the word may have been meant as one.
  case unknownFlag(String, command: String, nearest: String?, takesArguments: Bool)
  case missingValue(flag: String, name: String)
  case needlessValue(flag: String, String)
  case missingArgument(String, command: String)
  case unexpectedArguments([String], command: String)
  case manifestForItem(String)
  case twoManifests(String, String)
  case emptyManifest
  /// The argument parser's message, where no other case fits.
  case parser(String, command: String)
}
