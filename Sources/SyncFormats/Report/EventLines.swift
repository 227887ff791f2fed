// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A run's events as JSON, one object a line (SPEC §8).
///
/// Progress of one item is told at most four times a second, and exactly once more before the line that ends it.
package struct EventLines: Sendable {
  private static let interval = Duration.milliseconds(250)

  /// Programs are told of a rate as soon as there is one: they can smooth it themselves.
  private static let warmUp = Duration.milliseconds(100)

  private var progress = RunProgress()
  /// Of items on their way: when progress was told last, and how much of it.
  private var told: [ItemID: (at: Duration, bytes: ByteCount)] = [:]
  /// Finished files in the library; nil before there is a plan.
  private var finishedFiles: Int?

  /// - Parameter finishedFiles: how many there are, for removals without a plan.
  package init(finishedFiles: Int? = nil) { self.finishedFiles = finishedFiles }

  /// The lines that `event` is worth, in order; each ends with a newline.
  /// - Parameters:
  ///   - now: what the lines say.
  ///   - time: on a clock that does not go back.
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

  /// The last line of a run that came to its end.
  package func finished(_ report: RunReport, now: Timestamp) -> [UInt8] {
    line("run_finished", now) { writer in
      writer.field("run_id", report.runID)
      writer.field("outcome", RunOutcome(report.status).rawValue)
      writer.field("exit_status", Int(report.status.rawValue))
      writer.field("seconds", (report.seconds * 1000).rounded() / 1000)
      writer.key("totals")
      writer.write(report.totals)
    }
  }

  /// The last line of a run that could not go on.
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

  /// What came since progress was told last, before a line that makes it the past.
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
      finishedFiles = plan.changes.count { change in
        switch change.action {
        case .keep, .move, .remove, .evict, .upgrade: true
        // Of another quality that has to wait.
        case .defer: change.queued.state.finishedSize != nil
        case .download, .resume, .adopt: false
        }
      }
      let deferred = plan.changes.filter { $0.action == .defer }.map { change in
        line("item_deferred", now) { RunEvent.deferred(change.id, change.reason).writeFields(&$0) }
      }
      return plan.warnings.map { warning($0, now: now) } + deferred
    case .completed(_, let completion) where completion.replaced != nil: break
    case .completed, .adopted: finishedFiles? += 1
    case .removed:
      finishedFiles? -= 1
      if finishedFiles == 0 { return [line("all_removed", now) { _ in }] }
    default: break
    }
    return []
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
  /// The item whose request is over with this event.
  fileprivate var endedRequest: ItemID? {
    switch self {
    case .retrying(let id, _, _, _), .switched(let id, _, _), .completed(let id, _), .failed(let id, _, _, _, _),
      .deferred(let id, _), .paused(let id, _):
      id
    // Begun again without a failure: the server did not go on where it was asked to.
    case .started(let id, _, _): id
    default: nil
    }
  }
}
