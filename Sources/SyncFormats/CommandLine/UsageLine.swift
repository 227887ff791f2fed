// SPDX-License-Identifier: Apache-2.0

/// The line of a help text that shows how a command is called.
package enum UsageLine {
  private static let start = "USAGE: "
  private static let longest = 80

  /// The help with `[<options>]` in place of the options in a usage line that is too long for a terminal. The parser
  /// does the same for commands with many more.
  package static func fitted(_ help: String) -> String {
    help.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix(start) && $0.count > longest ? start + shortened($0.dropFirst(start.count)) : String($0) }
      .joined(separator: "\n")
  }

  private static func shortened(_ call: Substring) -> String {
    var (command, arguments, isOption) = ([Substring](), [Substring](), false)
    for word in call.split(separator: " ") {
      if word.hasPrefix("[-") {
        isOption = !word.hasSuffix("]")
      } else if isOption {
        isOption = !word.hasSuffix("]")
      } else if word.hasPrefix("<") || word.hasPrefix("[<") || word.hasPrefix("...") {
        arguments.append(word)
      } else {
        command.append(word)
      }
    }
    return (command + ["[<options>]"] + arguments).joined(separator: " ")
  }
}
