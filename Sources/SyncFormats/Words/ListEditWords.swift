// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension ListEditProblem {
  package func words(_ invocation: Invocation) -> String {
    switch self {
    case .unknown(let name, []):
      "there is no playlist \(name.quoted) to edit: no playlist of the manifest has sync: both"
    case .unknown(let name, let synced):
      "there is no playlist \(name.quoted) to edit; those with sync: both are \(synced.map(\.text.quoted).joined(separator: ", "))"
    case .notSynced(let name):
      "the playlist \(name.text.quoted) is not kept in step with a server: write sync: both in the manifest, where its source"
        + " is a playlist of a server"
    case .ofMany(let name):
      "\(name.text.quoted) stands for several playlists: name one of them, as `syncjob status` does"
    case .notSyncedYet(let name):
      "the playlist \(name.text.quoted) was never synced, so its list is not known here: run `syncjob sync` first"
    case .deleted(let name):
      "the playlist \(name.text.quoted) is deleted here; `syncjob playlist create` makes it again"
    case .notOfServer(let item, let server):
      "\(item.text.quoted) is not a song of the server \(server.text.quoted), which cannot have it in a playlist"
    case .refused(let refusal, let titles): refusal.words(titles)
    case .exists(let name, let title): "the playlist \(name.text.quoted) (\(title.quoted)) is there already"
    case .otherTitle(let name, let declared):
      "the manifest calls the playlist \(name.text.quoted) \(declared.quoted) on its server; leave out --title"
    case .needsTitle(let name):
      "\(name.text.quoted) stands for several playlists: name the new one with --title"
    case .notAdmitted(let name, let title, let patterns):
      "\(title.quoted) would not be one of the playlists of \(name.text.quoted), which are \(patterns.map(\.quoted).joined(separator: ", "))"
    case .job(let error): error.words(invocation)
    }
  }

  package var status: ExitStatus { if case .job(let error) = self { error.status } else { .usage } }
}

extension ListEdit.Refusal {
  fileprivate func words(_ titles: [String: String]) -> String {
    switch self {
    case .absent(let song): "the playlist does not have \((titles[song] ?? song).quoted)"
    case .ambiguous(let song, let places):
      "the playlist has \((titles[song] ?? song).quoted) at places \(places.map(String.init).joined(separator: ", ")): say which one"
        + " with --from"
    case .notThere(let song, let place): "\((titles[song] ?? song).quoted) is not at place \(place) of the playlist"
    case .beyondEnd(let place, let count):
      "there is no place \(place): the playlist has \(count == 1 ? "1 entry" : "\(count) entries")"
    case .tooLong(let limit): "the playlist would have more than \(limit) entries"
    }
  }
}

package enum ListEditWords {
  package static let deleteNeedsYes =
    "this deletes the playlist on the server at the next sync, for everybody who uses it there; say --yes"
  package static let nothingSynced =
    "no playlist has sync: both, so there is nothing to sync; add that to a playlist whose source is one of a server"

  /// The line after an edit.
  package static func done(_ waiting: Int, _ name: PlaylistName, isDryRun: Bool) -> String {
    let changes = waiting.counted("change")
    if waiting == 0 { return "\(name.text): nothing waits for the server" }
    let verb = isDryRun ? "would wait" : waiting == 1 ? "waits" : "wait"
    return "\(name.text): \(changes) \(verb) for the next sync"
  }
}
