// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a call of the program, before any command has begun.
package enum UsageProblem: Error, Hashable, Sendable {
  /// A `SYNCJOB_*` variable that belongs to no flag.
  case unknownVariable(String, nearest: String?)
  /// A variable of a flag without a value, and a word that is neither yes nor no.
  case badSwitch(String, String)
  /// A variable that the program reads, and whose bytes are not UTF-8.
  case variableNotUTF8(String)
  /// An argument, with its broken bytes escaped.
  case argumentNotUTF8(String)
  /// A word in a command's place. `parent` is the command above it, if there is one: `state`.
  case unknownCommand(String, parent: String?, nearest: String?)
  /// A command that a later version has.
  case plannedCommand(String)
  case plannedFlag(String)
  /// A command's name behind an option.
  case misplacedCommand(String)
  case missingSubcommand(of: String, [String])
  /// - Parameter takesArguments: of any kind, so that the word may have been meant as one.
  case unknownFlag(String, command: String, nearest: String?, takesArguments: Bool)
  case missingValue(flag: String, name: String)
  case needlessValue(flag: String, String)
  case missingArgument(String, command: String)
  case unexpectedArguments([String], command: String)
  case manifestForItem(String)
  case twoManifests(String, String)
  /// What the argument parser says, where nothing here says it.
  case parser(String, command: String)
}
