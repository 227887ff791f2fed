// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension ListSyncResult {
  /// Writes it as an element of `playlists` in the report.
  func write(_ writer: inout JSONWriter) { writer.object { writer in writeMembers(&writer) } }

  func writeMembers(_ writer: inout JSONWriter) {
    writer.field("playlist", playlist.text)
    writer.field("title", title)
    writer.field("status", status.code)
    if case .waiting(let problem) = status {
      writer.field("message", problem.words)
      writer.field("temporary", problem.isTransient)
    }
    write(pulled, .there, as: "pulled", &writer)
    write(pushed, .here, as: "pushed", &writer)
    write(merged, .both, as: "merged", &writer)
    writer.array("conflicts") { writer in
      for conflict in conflicts {
        writer.object { writer in
          writeSong(conflict.element, &writer)
          writer.field("taken", conflict.taken.rawValue)
          writer.field("reason", conflict.kind.rawValue)
          writer.field("reason_text", conflict.words)
        }
      }
    }
  }

  private func write(_ changes: [ListChange], _ origin: ListOrigin, as name: String, _ writer: inout JSONWriter) {
    writer.array(name) { writer in
      for change in changes {
        writer.object { writer in
          writer.field("change", change.kind.rawValue)
          writeSong(change.element, &writer)
          writer.field("position", change.position)
          writer.field("reason", origin.code(change.kind))
          writer.field("reason_text", origin.words(change.kind))
        }
      }
    }
  }

  private func writeSong(_ element: ListElement?, _ writer: inout JSONWriter) {
    guard let element else { return }
    switch element {
    case .song(let id): writer.field("song", id)
    case .foreign(let line): writer.field("line", line)
    }
    writer.field("song_title", title(of: element))
  }
}

extension ListSyncResult.Status {
  var code: String {
    switch self {
    case .done: "done"
    case .planned: "planned"
    case .waiting: "waiting"
    }
  }
}
