// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The state of a synced playlist after a local edit, for people and programs.
package struct ListEditReport: Sendable {
  private let playlist: PlaylistName
  private let state: SyncedList
  private let isDryRun: Bool

  package init(_ playlist: PlaylistName, _ state: SyncedList, isDryRun: Bool) {
    (self.playlist, self.state, self.isDryRun) = (playlist, state, isDryRun)
  }

  /// Ends with a newline.
  package var text: String { ListEditWords.done(state.waiting.count, playlist, isDryRun: isDryRun) + "\n" }

  /// One JSON object on one line.
  package func json() -> [UInt8] {
    var result = ListSyncResult(playlist: playlist, title: state.title)
    result.pushed = state.waiting
    result.status = .planned
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-playlist-edit")
      writer.field("version", 1)
      writer.field("dry_run", isDryRun)
      writer.field("entries", state.local.count)
      writer.key("waiting")
      result.write(&writer)
    }
    writer.endLine()
    return writer.bytes
  }
}
