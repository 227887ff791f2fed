// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The weight of a log line. The raw value is the priority that journald knows (syslog(3)).
package enum LogLevel: Int, Sendable {
  case error = 3
  case warning = 4
  case info = 6
  case debug = 7

  /// The level of the end of a run or command.
  package init(_ status: ExitStatus) { self = status == .ok ? .info : status.isSuccess ? .warning : .error }

  /// The name in a log of JSON lines.
  package var name: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .info: "info"
    case .debug: "debug"
    }
  }

  /// The beginning of a line by which journald knows its priority (sd-daemon(3)).
  package var journalPrefix: String { "<\(rawValue)>" }
}

/// One line of the log (docs/manual/machine-output.md).
package struct LogLine: Sendable {
  package var level: LogLevel
  /// Without a word for the level.
  package var message: String
  /// The run that it is about. Nil before the run has begun.
  package var run: (id: String, name: String)?
  private var facts: @Sendable (inout JSONWriter) -> Void = { _ in }

  package init(_ level: LogLevel, _ message: String) { (self.level, self.message) = (level, message) }

  /// - Parameters:
  ///   - event: Gives the facts.
  ///   - title: That of the item.
  package init(_ level: LogLevel, _ message: String, _ event: RunEvent, title: String? = nil) {
    self.init(level, message)
    facts = { writer in
      if let name = event.name { writer.field("event", name) }
      event.writeFields(&writer, ownMessage: false)
      writer.field("title", title)
    }
  }

  package init(_ warning: Warning) {
    guard case .sourceNotWhole(let playlist, let problem, _) = warning else {
      self.init(.warning, warning.words)
      facts = { writer in
        writer.field("event", "warning")
        writer.field("kind", warning.kind)
      }
      return
    }
    self.init(problem.severity == .lasting ? .error : .warning, warning.words)
    facts = { writer in
      writer.field("event", "source_failed")
      writer.field("kind", warning.kind)
      writer.field("playlist", playlist.text)
      writer.field("temporary", problem.severity != .lasting)
    }
  }

  /// An item that failed in an earlier run, which makes this one fail as well.
  package init(_ item: SkippedItem, _ style: TextStyle) {
    self.init(.error, "\(item.id.called(item.title)): \(item.reason.words(id: item.id, style.invocation))")
    facts = { writer in
      writer.field("event", "item_failed")
      writer.field("id", item.id.text)
      writer.field("title", item.title)
      writer.field("earlier", true)
    }
  }

  /// The end of a command that failed.
  package init(_ message: String, _ status: ExitStatus) {
    self.init(.error, message)
    facts = { $0.field("exit_status", Int(status.rawValue)) }
  }

  /// The end of a run.
  package init(_ report: RunReport, _ style: TextStyle) {
    self.init(LogLevel(report.status), ReportText(report, style: style).summary)
    run = (report.runID, report.name)
    facts = { writer in
      writer.field("event", "run_finished")
      writer.writeEnd(of: report, withID: false)
    }
  }

  init(_ level: LogLevel, _ message: String, file: String, line: Int, column: Int) {
    self.init(level, message)
    facts = { writer in
      writer.field("file", file)
      writer.field("line", line)
      writer.field("column", column)
    }
  }

  /// One JSON object with a newline at its end.
  package func json(at time: Timestamp) -> [UInt8] {
    var writer = JSONWriter(capacity: 256)
    writer.object { writer in
      writer.field("at", time.rfc3339)
      writer.field("level", level.name)
      writer.field("message", message)
      writer.field("run_id", run?.id)
      writer.field("name", run?.name)
      facts(&writer)
    }
    writer.endLine()
    return writer.bytes
  }
}
