// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import SyncCore
import SyncFormats

/// A first word that stands where a command or a manifest stands and is neither.
struct MistypedCommand {
  var word: String
  var nearest: String

  /// Nil when the first of `arguments` is an option, a command, a file, or like no command.
  init?(_ arguments: [String]) {
    let commands = Syncjob.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard let word = arguments.first, !word.hasPrefix("-"), !word.contains("."), !word.contains("/"),
      !commands.contains(word), access(word, F_OK) != 0,
      let nearest = NearestName.of(word, among: commands)
    else { return nil }
    self.word = word
    self.nearest = nearest
  }

  var stop: Stop {
    Stop(
      "there is neither a command nor a manifest \(word.quoted); did you mean \(nearest.quoted)? (syncjob --help lists the commands)",
      .usage)
  }
}

/// A command's name in the place of a manifest.
struct MisplacedCommand {
  /// What to do instead of reading `path`, which is not there; nil when it is no command's name.
  static func hint(_ path: String) -> String? {
    let names = Syncjob.configuration.subcommands.compactMap { $0.configuration.commandName }
    return names.contains(path) ? "a command stands before its options: syncjob \(path) …" : nil
  }
}
