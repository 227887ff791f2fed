// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The run of which a hook is told.
package struct HookContext: Sendable {
  package var runID: String
  /// The name of the manifest.
  package var name: String
  /// Absolute.
  package var library: String
  /// The absolute path of the manifest. Nil if it is not a file.
  package var manifest: String?

  package init(runID: String, name: String, library: String, manifest: String?) {
    self.runID = runID
    self.name = name
    self.library = library
    self.manifest = manifest
  }
}

/// The input of a hook: the facts as JSON on its standard input, and the most used of them as variables
/// (docs/manual/hooks.md).
package struct HookInput: Equatable, Sendable {
  /// One JSON object, with a newline at its end.
  package let bytes: [UInt8]
  /// Every hook of the kind gets all of these variables. Those without a value are empty.
  package let variables: [String: String]
  /// The title of the item. Nil for the hook of the run.
  package let title: String?

  /// The input of the hook for an item.
  /// - Parameters:
  ///   - line: The item after the event.
  /// - Returns: Nil for an event that changes no file.
  package init?(_ event: RunEvent, _ line: RunReport.Line, of run: HookContext, at now: Timestamp) {
    guard let name = event.name, let change = FileChange(event, line) else { return nil }
    let file = "\(run.library)/\(change.path)"
    var writer = JSONWriter(capacity: 512)
    writer.object { writer in
      writer.field("event", name)
      writer.field("at", now.rfc3339)
      writer.field("run_id", run.runID)
      writer.field("name", run.name)
      writer.field("library", run.library)
      event.writeFields(&writer)
      if case .removed = event {
        writer.field("action", change.action)
        writer.field("path", change.path.text)
      }
      if case .completed = event { writer.field("from", change.from?.text) }
      writer.field("file", file)
      writer.field("title", line.title)
      writer.field("playlist", line.playlist?.text)
    }
    writer.endLine()
    bytes = writer.bytes
    title = line.title
    variables = run.variables(
      .item,
      [
        "ACTION": change.action, "ID": line.id.text, "TITLE": line.title, "PLAYLIST": line.playlist?.text,
        "PATH": change.path.text, "FILE": file, "FROM": change.from.map { "\(run.library)/\($0)" },
      ])
  }

  /// The input of the hook for the run: the report.
  /// - Parameter path: The absolute path of the kept report. Nil if it could not be written.
  package init(_ report: RunReport, keptAt path: String?, of run: HookContext) {
    bytes = report.json()
    title = nil
    variables = run.variables(
      .run,
      [
        "OUTCOME": RunOutcome(report.status).rawValue, "EXIT_STATUS": "\(report.status.rawValue)", "REPORT": path,
      ])
  }
}

/// A change of a file in the library.
private struct FileChange {
  let action: String
  /// The file. After a removal, where it was.
  let path: LibraryPath
  /// The path of the file that is gone, if it had another one.
  var from: LibraryPath?

  init?(_ event: RunEvent, _ line: RunReport.Line) {
    switch event {
    case .completed(_, let completion):
      action = completion.action
      path = completion.file.path
      from = completion.replaced.map(\.path).flatMap { $0 == completion.file.path ? nil : $0 }
    case .moved(_, let old, let file): (action, path, from) = ("move", file.path, old)
    case .removed:
      guard let old = line.path else { return nil }
      (action, path) = (line.action.rawValue, old)
    default: return nil
    }
  }
}

extension HookContext {
  private static let names = [
    "ACTION", "ID", "TITLE", "PLAYLIST", "PATH", "FILE", "FROM", "OUTCOME", "EXIT_STATUS", "REPORT",
  ]

  /// A variable with more characters would be of little use, and the system refuses one of 128 KiB (execve(2)).
  private static let longest = 1000

  fileprivate func variables(_ kind: HookKind, _ facts: [String: String?]) -> [String: String] {
    var named = facts
    named["TYPE"] = kind.rawValue
    named["RUN_ID"] = runID
    named["NAME"] = name
    named["LIBRARY"] = library
    named["MANIFEST"] = manifest
    // Those of a hook that started this run are not its own.
    for name in Self.names where named[name] == nil { named[name] = "" }
    // A variable ends at its first NUL.
    return Dictionary(
      uniqueKeysWithValues: named.map { name, value in
        let scalars = (value ?? "").unicodeScalars.filter { $0 != "\0" }
        return (
          "SYNCJOB_HOOK_\(name)", String(String.UnicodeScalarView(scalars.prefix(name.isPath ? .max : Self.longest)))
        )
      })
  }
}

extension String {
  fileprivate var isPath: Bool { ["PATH", "FILE", "FROM", "LIBRARY", "MANIFEST", "REPORT"].contains(self) }
}
