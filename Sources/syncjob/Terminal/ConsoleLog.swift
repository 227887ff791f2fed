// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Synchronization

/// Prints a line for each event that a person may care about.
struct ConsoleLog: Sendable {
  let isQuiet: Bool
  let verbosity: Int
  /// True if active transfers are shown anyway.
  let isLive: Bool
  let style: TextStyle
  let say: @Sendable (LogLine) -> Void
  private let isJSON = Log.format == .json
  /// True if somebody looks on who sees no bars.
  private let isWatched = Terminal.standardError.isInteractive && Log.format == .text
  private let names = RunNames()

  init(
    isQuiet: Bool, verbosity: Int, isLive: Bool, style: TextStyle, say: @escaping @Sendable (LogLine) -> Void
  ) {
    self.isQuiet = isQuiet
    self.verbosity = verbosity
    self.isLive = isLive
    self.style = style
    self.say = say
  }

  func emit(_ event: RunEvent) {
    // Beside bars with titles, an id means nothing. A log, however, is searched for ids.
    if isLive || isJSON { names.note(event) }
    let isTold = !isQuiet && isWanted(event)
    guard isTold || isJSON else { return }
    // Events arrive on other threads, which do not inherit task-local values.
    SizeUnits.$shown.withValue(style.units) {
      var lines = isJSON ? event.problems(style, names) : []
      if isTold, let line = event.line(style, isJSON ? nil : names) {
        lines.append(LogLine(event.level, line, event, title: names.title(of: event)))
      }
      for var line in lines {
        line.run = names.run
        say(line)
      }
    }
  }

  /// Without a terminal only errors are printed, because cron mails every line. On a terminal the report lists the
  /// changes, so only facts that it omits are printed.
  private func isWanted(_ event: RunEvent) -> Bool {
    switch event {
    case .asked: verbosity > 1
    case .started: verbosity > 0 || isWatched && !isLive
    // The problem of a source has a line of its own there.
    case .sourceRead(let source) where isJSON && source.problem != nil: false
    case .completed, .adopted, .moved, .removed, .cleaned, .trashEmptied, .sourceRead: verbosity > 0
    case .awaitingNetwork, .retrying, .switched: verbosity > 0 || isWatched
    default: false
    }
  }
}

/// The names of a run and of the items that it touches.
private final class RunNames: Sendable {
  private struct Names {
    var run: (id: String, name: String)?
    var titles: [ItemID: String] = [:]
  }

  private let known = Mutex(Names())

  var run: (id: String, name: String)? { known.withLock { $0.run } }

  func note(_ event: RunEvent) {
    switch event {
    case .began(let id, let name): known.withLock { $0.run = (id, name) }
    case .planned(let plan):
      let touched = plan.steps.lazy.filter { !$0.isKept }.map { ($0.id, $0.title) }
      let titles = Dictionary(touched, uniquingKeysWith: { first, _ in first })
      known.withLock { $0.titles = titles }
    default: break
    }
  }

  func title(of id: ItemID) -> String? { known.withLock { $0.titles[id] } }
  func title(of event: RunEvent) -> String? { event.item.flatMap { title(of: $0) } }
}

extension RunEvent {
  fileprivate var item: ItemID? {
    switch self {
    case .started(let id, _, _), .retrying(let id, _, _, _), .switched(let id, _, _), .completed(let id, _),
      .adopted(let id, _, _), .moved(let id, _, _), .failed(let id, _, _, _, _, _), .removed(let id, _, _):
      id
    default: nil
    }
  }

  fileprivate var level: LogLevel { if case .asked = self { .debug } else { .info } }

  /// The lines for what went wrong, which a log for people leaves to the report.
  fileprivate func problems(_ style: TextStyle, _ names: RunNames) -> [LogLine] {
    switch self {
    case .planned(let plan):
      // The usage is told at the end, when it is known.
      plan.warnings.filter { if case .usageAboveWarning = $0 { false } else { true } }.map { LogLine($0) }
        + (plan.safetyStop.map { [LogLine(.error, $0.words(style.invocation))] } ?? [])
    case .warned(let warning): [LogLine(warning)]
    case .failed(let id, let error, _, let isTemporary, _, _):
      [
        LogLine(
          isTemporary ? .warning : .error, "\(id.text.printable): \(error.message)", self, title: names.title(of: self)
        )
      ]
    case .storageFailed(let failure): [LogLine(.error, failure.words, self)]
    default: []
    }
  }

  /// The line for an event. Nil for events that a report describes better.
  /// - Parameter names: Nil to call items by their ids.
  fileprivate func line(_ style: TextStyle, _ names: RunNames?) -> String? {
    func called(_ id: ItemID) -> String { id.called(names?.title(of: id) ?? "") }
    switch self {
    case .awaitingNetwork(let wait): return "no network; waiting up to \(wait.spanWords) for one"
    case .asked(let step): return style.tinted(step.words, .faint)
    case .sourceRead(let source):
      return "\(source.playlist): \(source.items.counted("item")) from \(source.location.printable)"
    // There is a warning for a history that could not be read.
    case .historyRead(let history) where history.problem != nil: return nil
    case .historyRead(let history): return "\(history.path.printable): \(history.words)"
    case .historyPushed(_, let server, let push): return push.words.map { "\(server.printable): \($0)" }
    case .started(let id, let candidate, let offset):
      let alternative = candidate > 0 ? ", alternative \(candidate)" : ""
      let resumed = offset > .zero ? ", resuming at \(offset.words)" : ""
      return style.tinted("fetching \(called(id))\(alternative)\(resumed)", .faint)
    case .retrying(let id, let failure, let attempt, let wait):
      return "\(called(id)): \(failure.words); attempt \(attempt + 1) in \(wait.spanWords)"
    case .switched(let id, let failure, let candidate):
      return "\(called(id)): \(failure.words); trying alternative \(candidate)"
    case .completed(_, let completion):
      return style.tinted(completion.replaced == nil ? "done " : "replaced ", .good)
        + "\(completion.file.path.text.printable) (\(completion.file.size.words))"
    case .adopted(_, let file, _): return style.tinted("adopted ", .good) + file.path.text.printable
    case .moved(_, let from, let file) where from.unsealed == file.path.unsealed:
      return style.tinted(file.sealed == nil ? "in clear again " : "sealed ", .good) + file.path.text.printable
    case .moved(_, let from, let file):
      return style.tinted("moved ", .good) + "\(from.text.printable) to \(file.path.text.printable)"
    case .removed(let id, let cause, let freed):
      return style.tinted("removed ", .bad) + "\(called(id)) (\(cause.rawValue), \(freed.words))"
    case .cleaned(let files, let freed): return "cleaned \(files.counted("file")), \(freed.words)"
    case .trashEmptied(let files, let freed):
      return "emptied the trash for room, \(files.counted("file")), \(freed.words)"
    default: return nil
    }
  }
}
