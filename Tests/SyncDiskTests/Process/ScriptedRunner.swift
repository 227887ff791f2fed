// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk

/// The fake twin of the process runner: programs that are functions of their call.
struct ScriptedRunner: ProcessRunner {
  struct Program: Sendable {
    /// The time until it ends by itself.
    var time = Duration.zero
    var end: @Sendable (ProcessCall) -> ProcessEnd
  }

  /// By name.
  var programs: [String: Program] = [:]

  func run(_ call: ProcessCall) async throws(ProcessFailure) -> ProcessEnd {
    guard let program = programs[call.words[0]] else { throw .notStarted(.enoent) }
    do { try await Task.sleep(for: min(program.time, call.time)) } catch { throw .cancelled }
    guard program.time < call.time else { throw .tookTooLong }
    let end = program.end(call)
    guard end.output.count <= call.output.bytes else { throw .wroteTooMuch }
    return end
  }

  func run(_ call: ProcessCall, into sink: any ProcessSink) async throws(ProcessFailure) -> ProcessEnd {
    var end = try await run(call)
    guard end.output.isEmpty || sink.take(end.output, isCancelled: { Task.isCancelled }) else { throw .cancelled }
    end.output = []
    return end
  }
}
