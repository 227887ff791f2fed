// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// Tells what is going on, a line for each event that a person may care about.
struct Narrator: Sendable {
  let isQuiet: Bool
  let verbosity: Int
  /// Transfers under way are shown anyhow.
  let isLive: Bool
  let style: TextStyle
  let say: @Sendable (String) -> Void

  func tell(_ event: RunEvent) {
    guard !isQuiet, isWanted(event), let line = event.line(style) else { return }
    say(line)
  }

  /// Without a terminal there is only what went wrong: cron mails every line.
  private func isWanted(_ event: RunEvent) -> Bool {
    switch event {
    case .asked: verbosity > 1
    case .started: verbosity > 0 || Terminal.standardError.isInteractive && !isLive
    case .awaitingNetwork, .retrying, .switched, .completed, .adopted, .moved, .removed, .cleaned, .sourceRead:
      verbosity > 0 || Terminal.standardError.isInteractive
    default: false
    }
  }
}

extension RunEvent {
  /// One line; nil for what a report says better.
  fileprivate func line(_ style: TextStyle) -> String? {
    switch self {
    case .awaitingNetwork(let wait): return "no network; waiting up to \(wait.spanWords) for one"
    case .asked(let step): return style.tinted(step.words, .faint)
    case .sourceRead(let source):
      return "\(source.playlist): \(source.items.counted("item")) from \(source.location.printable)"
    case .started(let id, let candidate, let offset):
      let alternative = candidate > 0 ? ", alternative \(candidate)" : ""
      let resumed = offset > .zero ? ", resuming at \(offset.words)" : ""
      return style.tinted("fetching \(id.text.printable)\(alternative)\(resumed)", .faint)
    case .retrying(let id, let failure, let attempt, let wait):
      return "\(id.text.printable): \(failure.words); attempt \(attempt + 1) in \(wait.spanWords)"
    case .switched(let id, let failure, let candidate):
      return "\(id.text.printable): \(failure.words); trying alternative \(candidate)"
    case .completed(_, let completion):
      return style.tinted("done ", .good) + "\(completion.file.path.text.printable) (\(completion.file.size.words))"
    case .adopted(_, let file): return style.tinted("adopted ", .good) + file.path.text.printable
    case .moved(_, let from, let file):
      return style.tinted("moved ", .good) + "\(from.text.printable) to \(file.path.text.printable)"
    case .removed(let id, let cause, let freed):
      return style.tinted("removed ", .bad) + "\(id.text.printable) (\(cause.rawValue), \(freed.words))"
    case .cleaned(let files, let freed): return "cleaned \(files.counted("file")), \(freed.words)"
    default: return nil
    }
  }
}
