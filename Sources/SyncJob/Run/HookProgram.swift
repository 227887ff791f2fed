// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// The program of a hook.
struct HookProgram: Sendable {
  private let words: [String]
  private let kind: HookKind
  private let settings: HookSettings
  private let mask: SecretMask
  private let runner: any ProcessRunner

  /// The time for which a hook that has to end may put things in order.
  private static let grace = Duration.seconds(5)
  /// Enough for the last line of what a hook writes.
  private static let kept = ByteCount(4096)
  /// The longest title and message in code points.
  private static let longest = 300

  /// Returns nil if the manifest has no such hook.
  /// - Parameter mask: Hides secrets in what the program writes.
  init?(
    _ kind: HookKind, _ settings: HookSettings, _ mask: SecretMask, runner: any ProcessRunner = POSIXProcessRunner()
  ) {
    guard let words = settings.words(kind) else { return nil }
    (self.words, self.kind, self.settings, self.mask, self.runner) = (words, kind, settings, mask, runner)
  }

  /// Calls the program and waits for its end. Ends it at its limit, and if the task is cancelled.
  /// - Returns: Nil if it ended with status 0.
  func call(_ input: HookInput) async -> HookProblem? {
    guard !Task.isCancelled else { return problem(.stopped, input) }
    var call = ProcessCall(words, time: settings.timeout, output: .zero)
    call.variables = input.variables
    call.input = input.bytes
    call.errors = Self.kept
    call.joinsOutput = true
    call.endsGroup = true
    call.grace = Self.grace
    let end: ProcessEnd
    do throws(ProcessFailure) { end = try await runner.run(call) } catch {
      switch error {
      case .notStarted(let code): return problem(.notStarted(code), input)
      case .cancelled: return problem(.stopped, input)
      case .tookTooLong, .wroteTooMuch: return problem(.tookTooLong(settings.timeout), input)
      }
    }
    switch end.status {
    case .exited(0): return nil
    case .exited(let status): return problem(.exited(status), input, end.errors)
    case .signalled(let signal): return problem(.signalled(signal), input, end.errors)
    }
  }

  private func problem(_ cause: HookProblem.Cause, _ input: HookInput, _ written: [UInt8] = []) -> HookProblem {
    let lines = String(decoding: written, as: UTF8.self).split(whereSeparator: \.isNewline)
    let message = lines.last { !$0.allSatisfy(\.isWhitespace) }.map { Self.shortened(mask.masked(String($0))) }
    return HookProblem(
      kind, program: words[0], cause, message: message, title: input.title.map(Self.shortened),
      isFatal: settings.onFailure == .fail)
  }

  /// A character may consist of thousands of code points.
  private static func shortened(_ text: String) -> String {
    let scalars = text.unicodeScalars
    return scalars.count <= longest ? text : String(String.UnicodeScalarView(scalars.prefix(longest))) + "…"
  }
}
