// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The reason why a synced playlist is not edited.
package enum ListEditProblem: Error, Equatable, Sendable {
  case unknown(String, synced: [PlaylistName])
  /// The manifest does not say that its changes go both ways.
  case notSynced(PlaylistName)
  /// It stands for several playlists of the server.
  case ofMany(PlaylistName)
  /// Its list is not known before the first sync.
  case notSyncedYet(PlaylistName)
  case deleted(PlaylistName)
  case notOfServer(ItemID, PlaylistName)
  case refused(ListEdit.Refusal, titles: [String: String])
  case exists(PlaylistName, title: String)
  /// The manifest gives the playlist another name on the server.
  case otherTitle(PlaylistName, declared: String)
  case needsTitle(PlaylistName)
  case notAdmitted(PlaylistName, String, patterns: [String])
  case job(JobError)
}
