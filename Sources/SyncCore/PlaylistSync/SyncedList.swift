// SPDX-License-Identifier: Apache-2.0

/// The state of one playlist that is kept in step with a server.
package struct SyncedList: Equatable, Sendable {
  /// The name of the server in the manifest.
  package var server: PlaylistName
  /// The name of the playlist on the server.
  package var title: String
  /// The id of the playlist on the server. Nil before it is known.
  package var listID: String?
  /// The songs at the last agreement with the server. Nil before the first.
  package var base: [String]?
  /// The songs that were sent without an answer so far. The server may have them.
  package var sent: [String]?
  /// The list as it is here, with the local edits that wait.
  package var local: [ListElement]
  /// The time of the last local edit that waits.
  package var editedAt: Timestamp?
  /// What is to become of the playlist itself on the server.
  package var fate = Fate.kept
  /// The playlist file as it was last written here or read.
  package var file: ListFile?
  /// The playlist file that is being written.
  package var nextFile: ListFile?

  package enum Fate: String, CaseIterable, Sendable {
    case kept
    /// It is to be made on the server.
    case toCreate = "to_create"
    /// It is to be deleted on the server.
    case toDelete = "to_delete"
    /// It was deleted on the server, because somebody here asked for it.
    case deleted
  }

  /// The largest number of entries.
  package static let mostEntries = 100_000

  package init(server: PlaylistName, title: String, local: [ListElement] = []) {
    (self.server, self.title, self.local) = (server, title, local)
  }

  /// The names that the playlist file may have.
  package var fileNames: [String] { [file?.name, nextFile?.name].compactMap(\.self) }

  /// The local changes that the server does not have yet.
  package var waiting: [ListChange] {
    switch fate {
    case .toCreate: [ListChange(.created)] + ListChange.changes(from: [], to: local.filter { !$0.isForeign })
    case .toDelete: [ListChange(.deleted)]
    case .deleted: []
    case .kept: ListChange.changes(from: (base ?? []).map { .song($0) }, to: local.filter { !$0.isForeign })
    }
  }
}

/// A playlist file as the job knows it.
package struct ListFile: Equatable, Sendable {
  /// The name of the file, at the root of the library.
  package var name: String
  /// The SHA-256 of its bytes.
  package var digest: SHA256Digest
  /// The entries that it lists.
  package var entries: [ListElement]

  package init(name: String, digest: SHA256Digest, entries: [ListElement]) {
    (self.name, self.digest, self.entries) = (name, digest, entries)
  }
}

/// The playlist as its server told it.
package struct ServerList: Equatable, Sendable {
  package var id: String
  package var title: String
  package var songs: [String]
  /// The time of its last change. Nil if the server does not tell it.
  package var changedAt: Timestamp?
  /// True if the server says that this user may not change it.
  package var isReadOnly: Bool

  package init(id: String, title: String, songs: [String], changedAt: Timestamp? = nil, isReadOnly: Bool = false) {
    (self.id, self.title, self.songs) = (id, title, songs)
    (self.changedAt, self.isReadOnly) = (changedAt, isReadOnly)
  }
}
