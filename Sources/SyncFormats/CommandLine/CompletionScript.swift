// SPDX-License-Identifier: Apache-2.0

/// The argument parser's completion script, with manifests as the first word. The parser does not complete the
/// arguments of the command that is meant when none is named.
package enum CompletionScript {
  /// The shells that the parser writes scripts for.
  package enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

  /// - Returns: the script; ends with a newline.
  package static func text(_ script: String, for shell: Shell) -> String {
    let script = script.hasSuffix("\n") ? script : "\(script)\n"
    return completed(script, for: shell)
  }

  private static func completed(_ script: String, for shell: Shell) -> String {
    switch shell {
    case .bash:
      // bash reads it as a part of itself, so it has no interpreter of its own.
      script.replacing(
        "complete -o filenames -F _syncjob syncjob", with: "complete -o default -o filenames -F _syncjob syncjob"
      ).replacing("#!/bin/bash\n", with: "# shellcheck shell=bash\n", maxReplacements: 1)
    case .zsh:
      // Only the first of them is the list of commands.
      script.replacing(
        "_describe -V subcommand subcommands && ret=0",
        with: "_describe -V subcommand subcommands && ret=0\n        _files -g '*.(yaml|yml)' && ret=0",
        maxReplacements: 1)
    case .fish:
      script
        + script.split(separator: "\n").filter { $0.contains("positional \"syncjob run\" -eq 1'") }
        .map { $0.replacing("\"syncjob run\"", with: "\"syncjob\"") + "\n" }.joined()
    }
  }
}
