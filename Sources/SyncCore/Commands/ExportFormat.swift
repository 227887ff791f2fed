// SPDX-License-Identifier: Apache-2.0

/// The formats of `export`.
package enum ExportFormat: String, CaseIterable, Sendable {
  /// The feeds of the manifest.
  case opml
  /// One playlist.
  case m3u8, xspf, jspf
  /// All items.
  case csv

  package var isPlaylist: Bool {
    switch self {
    case .m3u8, .xspf, .jspf: true
    case .opml, .csv: false
    }
  }
}

/// An exported text, and what it does not contain.
package struct Exported: Equatable, Sendable {
  package var text: String
  /// The number of outlines, tracks or rows.
  package var entries: Int
  package var omissions: [ExportOmission] = []
  package init(text: String, entries: Int, omissions: [ExportOmission] = []) {
    (self.text, self.entries, self.omissions) = (text, entries, omissions)
  }
}

/// Something that an export does not contain.
package enum ExportOmission: Hashable, Sendable {
  /// An item whose URLs all contain credentials. Holds its id.
  case itemWithCredential(String)
  /// A playlist with a feed whose URL contains a credential.
  case feedWithCredential(PlaylistName)
  /// A playlist with a feed in a file.
  case feedInFile(PlaylistName)
  /// An item that is searched for and has no URL. Holds its id.
  case itemWithoutURL(String)
  /// An item whose path cannot be written in the format. Holds its id.
  case unwritablePath(String)
}

extension ExportOmission {
  /// The stable name of the reason.
  package var reason: String {
    switch self {
    case .itemWithCredential, .feedWithCredential: "credential"
    case .feedInFile: "feed_in_file"
    case .itemWithoutURL: "no_url"
    case .unwritablePath: "unwritable_path"
    }
  }

  /// The id of the item that is left out.
  package var item: String? {
    switch self {
    case .itemWithCredential(let id), .itemWithoutURL(let id), .unwritablePath(let id): id
    case .feedWithCredential, .feedInFile: nil
    }
  }

  /// The playlist whose feed is left out.
  package var playlist: PlaylistName? {
    switch self {
    case .feedWithCredential(let name), .feedInFile(let name): name
    case .itemWithCredential, .itemWithoutURL, .unwritablePath: nil
    }
  }
}
