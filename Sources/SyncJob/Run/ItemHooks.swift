// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Synchronization

/// Calls the hook of the items for each file that a run changes, one after the other, beside the transfers.
final class ItemHooks: Sendable {
  private let context: JobContext
  private let recorder: ReportRecorder
  private let run: HookContext
  private let mask: SecretMask
  /// The number of changed files.
  private let changes = Mutex(0)

  /// A program that hangs would take its whole time for each of the files.
  private static let patience = 3

  init(_ context: JobContext, _ recorder: ReportRecorder, _ mask: SecretMask) {
    (self.context, self.recorder, self.mask) = (context, recorder, mask)
    run = context.hookContext(runID: recorder.current.runID)
  }

  /// Performs `body` with a function that takes its events. Returns after the last call.
  func around(_ body: (@escaping @Sendable (RunEvent) -> Void) async -> Void) async {
    guard let program = HookProgram(.item, context.manifest.hooks, mask) else { return await body(recorder.emit) }
    let (inputs, queue) = AsyncStream.makeStream(of: HookInput.self)
    await withTaskGroup { group in
      group.addTask { [self] in await call(program, with: inputs) }
      await body { [self] event in
        recorder.emit(event)
        guard let input = input(event) else { return }
        changes.withLock { $0 += 1 }
        queue.yield(input)
      }
      queue.finish()
    }
  }

  private func input(_ event: RunEvent) -> HookInput? {
    switch event {
    case .completed(let id, _), .moved(let id, _, _), .removed(let id, _, _):
      recorder.line(of: id).flatMap { HookInput(event, $0, of: run, at: context.now) }
    default: nil
    }
  }

  private func tell(_ called: Int) {
    recorder.emit(.worked(RunWork(.callingHooks, done: called, of: changes.withLock { $0 })))
  }

  private func call(_ program: HookProgram, with inputs: AsyncStream<HookInput>) async {
    var (called, inRow) = (0, 0)
    // Ends early if the task is cancelled.
    for await input in inputs where inRow < Self.patience {
      tell(called)
      called += 1
      let problem = await program.call(input)
      if let problem { recorder.emit(.warned(.hookFailed(problem))) }
      inRow = problem?.isOfItself ?? true ? 0 : inRow + 1
    }
    if called > 0 { tell(called) }
    let omitted = changes.withLock { $0 } - called
    guard omitted > 0 else { return }
    let reason: HookOmission = Task.isCancelled ? .stopped : .failures(Self.patience)
    recorder.emit(
      .warned(.hookLeftOut(files: omitted, reason, isFatal: context.manifest.hooks.onFailure == .fail)))
  }
}

extension HookProblem {
  /// True if the program ran to an end of its own.
  fileprivate var isOfItself: Bool {
    switch cause {
    case .exited, .signalled: true
    case .notStarted, .tookTooLong, .stopped: false
    }
  }
}
