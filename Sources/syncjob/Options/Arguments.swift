// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats

/// A word of the command line, judged only when it is known which option it was given to: the sentence names that, or the
/// variable that stood for it.
struct Word: ExpressibleByArgument {
  var text: String

  init(argument: String) { text = argument }

  /// - Parameter option: `--count`.
  func value<Value>(of option: String, _ spelling: ArgumentSpelling<Value>) throws -> Value {
    do throws(ArgumentProblem) { return try spelling.read(text, of: Call.name(of: option)) } catch {
      throw Stop(error.words, .usage)
    }
  }
}
