// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import SyncCore
import SyncFormats
import SyncJob

/// The command that the first arguments name.
struct CommandWords {
  /// For example `["state", "export"]`; `["run"]` when none is named.
  let names: [String]
  let type: any ParsableCommand.Type
  /// The number of arguments that name it: zero when `run` is meant.
  let count: Int
  /// The arguments after the names.
  let rest: [String]

  var typed: String { names.joined(separator: " ") }

  /// - Throws: `UsageProblem` for a word in a command's place that is neither a command nor a file.
  init(_ arguments: [String]) throws {
    let isAskingForHelp = arguments.first == "help"
    let words = isAskingForHelp ? Array(arguments.dropFirst()) : arguments
    guard let first = words.first, !first.hasPrefix("-") else {
      self.init(["run"], Syncjob.runCommand, count: 0, words)
      return
    }
    guard let type = Syncjob.subcommand(named: first) else {
      guard !isAskingForHelp else { throw Self.problem(first, ofHelp: true) }
      guard Self.mayBeManifest(first) else { throw Self.problem(first) }
      self.init(["run"], Syncjob.runCommand, count: 0, words)
      return
    }
    let below = type.configuration.subcommands
    if let usual = type.configuration.defaultSubcommand, !Self.names(words.dropFirst().first, below: type) {
      self.init([first, usual.configuration.commandName ?? ""], usual, count: 1, words)
      return
    }
    guard !below.isEmpty, let second = words.dropFirst().first, !second.hasPrefix("-") else {
      self.init([first], type, count: 1, words)
      return
    }
    guard let subcommand = type.subcommand(named: second) else { throw Self.problem(second, below: first, type) }
    self.init([first, second], subcommand, count: 2, words)
  }

  private init(_ names: [String], _ type: any ParsableCommand.Type, count: Int, _ words: [String]) {
    (self.names, self.type, self.count) = (names, type, count)
    rest = Array(words.dropFirst(count))
  }

  /// True for a word that is a subcommand, or was meant as one.
  private static func names(_ word: String?, below type: any ParsableCommand.Type) -> Bool {
    guard let word, !word.hasPrefix("-") else { return word == "-h" || word == "--help" }
    return type.subcommand(named: word) != nil || !mayBeManifest(word)
  }

  /// Nil when a word can be a manifest: a path, a name with a dot, or the name of an existing file.
  static func problem(manifest word: String) -> UsageProblem? {
    guard !mayBeManifest(word) else { return nil }
    return Syncjob.subcommand(named: word) == nil ? problem(word) : .misplacedCommand(word)
  }

  private static func mayBeManifest(_ word: String) -> Bool {
    word.isEmpty || word.contains(".") || word.contains("/") || access(word, F_OK) == 0
  }

  private static func problem(_ word: String, ofHelp: Bool = false) -> UsageProblem {
    if PlannedNames.commands.contains(word) { return .plannedCommand(word) }
    let known = Syncjob.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    let nearest = NearestName.of(word, among: known)
    return ofHelp ? .unknownTopic(word, nearest: nearest) : .unknownCommand(word, parent: nil, nearest: nearest)
  }

  private static func problem(
    _ word: String, below parent: String, _ type: any ParsableCommand.Type
  ) -> UsageProblem {
    let known = type.configuration.subcommands.compactMap { $0.configuration.commandName }
    return .unknownCommand(word, parent: parent, nearest: NearestName.of(word, among: known))
  }
}

extension ParsableCommand {
  static func subcommand(named name: String) -> (any ParsableCommand.Type)? {
    configuration.subcommands.first { $0.configuration.commandName == name }
  }

  /// The command's arguments and flags, without those of the whole program.
  static var definition: CommandDefinition {
    get throws(JSONError) { try CommandDefinition(parsing: Array(_dumpHelp().utf8)) }
  }
}

/// The environment variables of the process.
struct ProcessEnvironment: Sendable {
  /// The variables whose values are UTF-8.
  let all: [String: String]
  /// The names of the other variables: a path made of a repaired value would be another path.
  let unreadable: Set<String>

  static let current = ProcessEnvironment()

  private init() {
    var (all, unreadable) = ([String: String](), Set<String>())
    var entry = environ
    while let text = entry.pointee {
      entry += 1
      guard let sign = strchr(text, Int32(UInt8(ascii: "="))) else { continue }
      let name = String(decoding: UnsafeRawBufferPointer(start: text, count: sign - text), as: UTF8.self)
      if let value = String(validatingCString: sign + 1) { all[name] = value } else { unreadable.insert(name) }
    }
    (self.all, self.unreadable) = (all, unreadable)
  }

  subscript(name: String) -> String? { all[name] }

  var forManifest: ManifestEnvironment {
    ManifestEnvironment(variables: all, home: all["HOME"], unreadable: unreadable, knows: ZoneDatabase.knows)
  }

  /// True if the variable of a flag without a value says yes, for commands that do not have the flag themselves.
  func isOn(_ flag: String) -> Bool { all[VariableSettings.variable(of: flag)].flatMap(SwitchWord.read) ?? false }
}
