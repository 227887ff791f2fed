// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The events of a run as JSON, one object per line (docs/manual/machine-output.md).
///
/// The progress of an item is written at most four times a second, and exactly once more before the line that ends it.
package struct EventLines: Sendable {
  private static let interval = Duration.milliseconds(250)

  /// Programs receive a rate as soon as there is one, because they can smooth it themselves.
  private static let warmUp = Duration.milliseconds(100)

  private var progress = RunProgress()
  /// The time and the bytes of the last progress line of each active item.
  private var told: [ItemID: (at: Duration, bytes: ByteCount)] = [:]
  /// The number of finished files in the library. Nil before there is a plan.
  private var finishedFiles: Int?

  /// - Parameter finishedFiles: The number of finished files, for removals without a plan.
  package init(finishedFiles: Int? = nil) { self.finishedFiles = finishedFiles }

  /// Returns the lines for `event`, in order. Each ends with a newline.
  /// - Parameters:
  ///   - now: The time to write in the lines.
  ///   - time: A time on a clock that never goes back.
  package mutating func lines(for event: RunEvent, now: Timestamp, at time: Duration) -> [[UInt8]] {
    var lines = lastProgress(before: event, now: now, at: time)
    progress.fold(event, at: time)
    if case .progressed(let id, let bytes, _) = event {
      if isDue(id, bytes, at: time) { lines.append(progressed(id, now: now, at: time)) }
    } else {
      if let line = line(event, now: now) { lines.append(line) }
      lines += consequences(of: event, now: now)
    }
    return lines
  }

  /// The last line of a run that ended regularly.
  package func finished(_ report: RunReport, now: Timestamp) -> [UInt8] {
    line("run_finished", now) { $0.writeEnd(of: report) }
  }

  /// The last line of a run that could not continue.
  package func finished(_ error: JobError, now: Timestamp) -> [UInt8] {
    line("run_finished", now) { writer in
      writer.field("outcome", RunOutcome(error.status).rawValue)
      writer.field("exit_status", Int(error.status.rawValue))
      writer.field("message", error.words())
    }
  }

  // MARK: Progress

  private func isDue(_ id: ItemID, _ bytes: ByteCount, at time: Duration) -> Bool {
    guard let last = told[id] else { return false }
    return bytes != last.bytes && time - last.at >= Self.interval
  }

  private mutating func progressed(_ id: ItemID, now: Timestamp, at time: Duration) -> [UInt8] {
    let transfer = progress[id]
    told[id] = (time, transfer?.received ?? .zero)
    return line("item_progressed", now) { writer in
      writer.field("id", id.text)
      guard let transfer else { return }
      writer.field("bytes", transfer.received.bytes)
      writer.field("total", transfer.total?.bytes)
      writer.field("rate", transfer.estimator.rate(at: time, after: Self.warmUp)?.rounded())
      let left = transfer.total.flatMap { total in
        transfer.estimator.timeLeft(for: total - transfer.received, at: time, after: Self.warmUp)
      }
      writer.field("eta_seconds", left?.inSeconds.rounded(.up))
    }
  }

  /// The progress since the last progress line, before a line that ends the request.
  private mutating func lastProgress(before event: RunEvent, now: Timestamp, at time: Duration) -> [[UInt8]] {
    guard let id = event.endedRequest, let last = told[id] else { return [] }
    let lines = progress[id]?.received == last.bytes ? [] : [progressed(id, now: now, at: time)]
    told[id] = nil
    return lines
  }

  // MARK: Everything else

  private mutating func consequences(of event: RunEvent, now: Timestamp) -> [[UInt8]] {
    switch event {
    case .started(let id, _, let offset): told[id] = (.zero - Self.interval, offset)
    case .planned(let plan):
      finishedFiles = plan.steps.count { step in
        switch step {
        case .keep, .move, .protect, .remove, .evict, .upgrade: true
        // A deferred item with a finished file waits for another quality.
        case .defer(let deferral): deferral.item.queued.state.finishedSize != nil
        case .download, .adopt, .push, .skip, .ignore: false
        }
      }
      let deferred = plan.steps.compactMap { step -> [UInt8]? in
        guard case .defer(let deferral) = step else { return nil }
        return line("item_deferred", now) { RunEvent.deferred(step.id, deferral.item.reason).writeFields(&$0) }
      }
      return plan.warnings.map { warning($0, now: now) } + deferred
    case .completed(_, let completion) where completion.replaced != nil: break
    case .adopted(let id, _, let state):
      finishedFiles? += 1
      return [offlineState(of: id, state, now: now)]
    case .completed(let id, _):
      finishedFiles? += 1
      return [offlineState(of: id, .offlinedAndValid, now: now)]
    case .removed(let id, _, _):
      finishedFiles? -= 1
      let state = offlineState(of: id, .notOfflined, now: now)
      return finishedFiles == 0 ? [state, line("all_removed", now) { _ in }] : [state]
    default: break
    }
    return []
  }

  /// The change of the offline state that comes with a file or its removal.
  private func offlineState(of id: ItemID, _ state: OfflineState, now: Timestamp) -> [UInt8] {
    line("item_offline_state_changed", now) {
      RunEvent.offlineStateChanged(id, state, expiresAt: nil).writeFields(&$0)
    }
  }

  private func warning(_ warning: Warning, now: Timestamp) -> [UInt8] {
    line("warning", now) { writer in
      writer.field("kind", warning.kind)
      writer.field("message", warning.words)
    }
  }

  private func line(_ event: RunEvent, now: Timestamp) -> [UInt8]? {
    switch event {
    case .warned(let warned): warning(warned, now: now)
    default: event.name.map { name in line(name, now) { event.writeFields(&$0) } }
    }
  }

  private func line(_ name: String, _ now: Timestamp, _ fields: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter(capacity: 256)
    writer.object { writer in
      writer.field("event", name)
      writer.field("at", now.rfc3339)
      fields(&writer)
    }
    writer.endLine()
    return writer.bytes
  }
}

extension RunEvent {
  /// The item whose request ends with this event.
  fileprivate var endedRequest: ItemID? {
    switch self {
    case .retrying(let id, _, _, _), .switched(let id, _, _), .completed(let id, _), .failed(let id, _, _, _, _, _),
      .deferred(let id, _), .paused(let id, _):
      id
    // The request started again without a failure, because the server did not continue at the requested offset.
    case .started(let id, _, _): id
    default: nil
    }
  }
}

extension JSONWriter {
  /// The members of the line about the end of a run.
  mutating func writeEnd(of report: RunReport, withID: Bool = true) {
    if withID { field("run_id", report.runID) }
    field("outcome", RunOutcome(report.status).rawValue)
    field("exit_status", Int(report.status.rawValue))
    field("seconds", (report.seconds * 1000).rounded() / 1000)
    key("totals")
    write(report.totals)
  }
}
