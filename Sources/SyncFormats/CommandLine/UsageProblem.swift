// SPDX-License-Identifier: Apache-2.0

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
