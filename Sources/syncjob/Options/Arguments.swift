// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats

/// A word of the command line. It is checked only when its option is known: the error names the option, or the variable
/// that replaced it.
struct Word: ExpressibleByArgument {
  var text: String

  init(argument: String) { text = argument }

  /// - Parameter option: for example `--count`.
  func value<Value>(of option: String, _ spelling: ArgumentSpelling<Value>) throws -> Value {
    do throws(ArgumentProblem) { return try spelling.read(text, of: Call.name(of: option)) } catch {
      throw CommandExit(error.words, .usage)
    }
  }
}
