// SPDX-License-Identifier: Apache-2.0

/// A command's arguments and flags, as the argument parser itself defines them. They are read from its own description
/// of the program, so that no second table can become outdated.
package struct CommandDefinition: Hashable, Sendable {
  /// A flag, or an option with a value.
  package struct Flag: Hashable, Sendable {
    /// Without dashes: `dry-run`.
    package var long: [String]
    /// Without a dash: `n`.
    package var short: [Character]
    package var takesValue: Bool
    package var isRepeating: Bool
    /// True if the next argument is its value even when it begins with a dash.
    package var takesAnyValue: Bool
    package var valueName: String

    package init(
      _ long: String..., short: Character..., takesValue: Bool = false, isRepeating: Bool = false,
      takesAnyValue: Bool = false, valueName: String = ""
    ) {
      self.init(
        long: long, short: short, takesValue: takesValue, isRepeating: isRepeating, takesAnyValue: takesAnyValue,
        valueName: valueName)
    }

    fileprivate init(
      long: [String], short: [Character], takesValue: Bool, isRepeating: Bool, takesAnyValue: Bool, valueName: String
    ) {
      (self.long, self.short, self.takesValue) = (long, short, takesValue)
      (self.isRepeating, self.takesAnyValue, self.valueName) = (isRepeating, takesAnyValue, valueName)
    }
  }

  /// An argument without a flag.
  package struct Positional: Hashable, Sendable {
    package var name: String
    package var isOptional: Bool
    package var isRepeating: Bool

    package init(_ name: String, isOptional: Bool = false, isRepeating: Bool = false) {
      (self.name, self.isOptional, self.isRepeating) = (name, isOptional, isRepeating)
    }
  }

  /// For example `run`; `syncjob` for the program itself.
  package var name: String
  package var flags: [Flag]
  package var positionals: [Positional]
  package var subcommands: [CommandDefinition]

  package init(
    _ name: String, flags: [Flag] = [], positionals: [Positional] = [], subcommands: [CommandDefinition] = []
  ) {
    (self.name, self.flags, self.positionals, self.subcommands) = (name, flags, positionals, subcommands)
  }

  /// - Parameter json: the output of the argument parser for `--experimental-dump-help`.
  package init(parsing json: [UInt8]) throws(JSONError) {
    self.init(try JSONValue(parsing: json)["command"] ?? .null)
  }

  private init(_ command: JSONValue) {
    let arguments = command["arguments"]?.array ?? []
    let subcommands = (command["subcommands"]?.array ?? []).map { CommandDefinition($0) }
    self.init(
      command["commandName"]?.string ?? "", flags: arguments.compactMap { Flag($0) },
      positionals: arguments.compactMap { Positional($0) }, subcommands: subcommands.filter { $0.name != "help" })
  }

  /// The command that the words name: `["state", "export"]`; nil when there is none.
  package func command(at words: some Collection<String>) -> CommandDefinition? {
    guard let word = words.first else { return self }
    return subcommands.first { $0.name == word }?.command(at: words.dropFirst())
  }

  package func flag(long name: String) -> Flag? { flags.first { $0.long.contains(name) } }

  package func flag(short name: Character) -> Flag? { flags.first { $0.short.contains(name) } }

  /// The command's own flags and those of every command below it.
  package var allFlags: [Flag] { flags + subcommands.flatMap(\.allFlags) }
}

extension CommandDefinition.Flag {
  fileprivate init?(_ argument: JSONValue) {
    let kind = argument["kind"]?.string
    guard kind == "flag" || kind == "option" else { return nil }
    let names = argument["names"]?.array ?? []
    func named(_ kind: String) -> [String] {
      names.filter { $0["kind"]?.string == kind }.compactMap(\.["name"]?.string)
    }
    self.init(
      long: named("long"), short: named("short").compactMap(\.first), takesValue: kind == "option",
      isRepeating: argument["isRepeating"]?.bool ?? false,
      takesAnyValue: argument["parsingStrategy"]?.string == "unconditional",
      valueName: argument["valueName"]?.string ?? "")
  }
}

extension CommandDefinition.Positional {
  fileprivate init?(_ argument: JSONValue) {
    guard argument["kind"]?.string == "positional" else { return nil }
    self.init(
      argument["valueName"]?.string ?? "", isOptional: argument["isOptional"]?.bool ?? false,
      isRepeating: argument["isRepeating"]?.bool ?? false)
  }
}
