// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension TextStyle {
  /// A line for each warning, at most as many of each kind as the style allows.
  func lines(_ warnings: [Warning]) -> [String] {
    let kinds = Dictionary(grouping: warnings, by: \.plural)
    var told: [String: Int] = [:]
    var lines: [String] = []
    for warning in warnings {
      told[warning.plural, default: 0] += 1
      guard warning.plural.isEmpty || told[warning.plural, default: 0] <= limit ?? .max else { continue }
      lines.append(tinted("warning: ", .notable) + warning.words.sentence)
    }
    let overflows = kinds.filter { !$0.key.isEmpty }.sorted { $0.key < $1.key }
      .compactMap { Overflow($0.value.count, $0.key, self).line }
    return lines + overflows
  }
}

extension Warning {
  /// The word for several warnings of this kind; empty where there are never many.
  fileprivate var plural: String {
    switch self {
    case .listingFlaw, .moreListingFlaws: "flaws of sources"
    case .sourceNotWhole, .serverNotRead: "sources with problems"
    case .sourceMoved: "feeds that have moved"
    case .sourceStale: "sources without news"
    case .notMoved: "files not moved"
    case .notRemoved: "files not removed"
    case .changedByOthers: "files changed by others"
    case .folderPassedOver, .folderObstructed, .folderClosed, .filesUnreachable: "folders in the way"
    case .playlistFileTaken: "names of playlist files taken"
    case .hostLeftAlone: "hosts left alone"
    case .durationDiffers: "files of another duration"
    case .hookFailed: "failures of hooks"
    case .notTagged: "files without new tags"
    case .notAttached: "items without pictures or chapters"
    case .playlistOverBudget, .pinsOverShare: "playlists over their share"
    default: ""
    }
  }
}

extension [Warning] {
  /// The number of finished files that are not those that were stored.
  var changedByOthers: Int { count { if case .changedByOthers = $0 { true } else { false } } }
}

extension JSONWriter {
  /// Writes the flaws of a source, each with its place, or nothing if there are none.
  mutating func flaws(_ flaws: ListingFlaws) {
    guard flaws.count > 0 else { return }
    key("flaws")
    array { writer in
      for flaw in flaws.listed {
        writer.object { writer in
          writer.field("line", flaw.line)
          writer.field("entry", flaw.entry)
          writer.field("kind", flaw.note.kind)
          writer.field("message", flaw.note.words)
        }
      }
    }
    let omitted = flaws.count - flaws.listed.count
    if omitted > 0 { field("flaws_omitted", omitted) }
  }
}

extension ListingNote {
  /// The name for programs.
  fileprivate var kind: String {
    switch self {
    case .withoutEnclosure: "no_enclosure"
    case .onlyImage: "only_image"
    case .live: "live"
    case .badURL: "bad_url"
    case .localFile: "local_file"
    case .outsideRoots: "outside_roots"
    case .withoutFeed: "no_feed"
    case .repeatedFeed: "repeated_feed"
    case .notFollowed: "not_followed"
    case .badDate: "bad_date"
    case .unknownReference: "unknown_reference"
    case .repairedEncoding: "repaired_encoding"
    case .contentAfterEnd: "content_after_end"
    case .repeatedPage: "repeated_page"
    case .morePages: "more_pages"
    case .badPage: "bad_page"
    case .unmatchedPattern: "unmatched_pattern"
    }
  }
}
