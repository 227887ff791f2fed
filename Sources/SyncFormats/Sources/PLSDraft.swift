// SPDX-License-Identifier: Apache-2.0
internal import SyncCore

/// Reads the lines of PLS after `[playlist]`: `File1=…`, `Title1=…`, `Length1=…` in any order. The entries are in the
/// order of their numbers.
struct PLSDraft {
  private let place: ListPlace
  private var tracks: [Int: ListTrack] = [:]

  init(_ place: ListPlace) { self.place = place }

  var isFull: Bool { tracks.count > place.maximumEntries }

  var listing: Listing {
    var draft = ListDraft(place)
    for (_, track) in tracks.sorted(by: { $0.key < $1.key }) { draft.append(track) }
    return draft.listing(.whole)
  }

  /// The first of several values of a key counts. Lines of another form are comments.
  mutating func take(_ text: String, line: Int) {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return }
    let key = text[..<equals].lowercased()
    let value = String(text[equals...].dropFirst())
    guard let field = Key.allCases.first(where: { key.hasPrefix($0.rawValue) }),
      let number = Int(key.dropFirst(field.rawValue.count).filter { $0 != " " }), number >= 0
    else { return }
    var track = tracks[number] ?? ListTrack(line: line)
    switch field {
    case .file:
      guard track.locations.isEmpty, let text = value.collapsed else { return }
      track.add(.init(reference: ListReference(text: text, syntax: .path), base: place.base, line: line))
    case .title: if track.title == nil { track.takeName(value.plain) }
    case .length: track.duration = track.duration ?? Duration(feedText: value)
    }
    tracks[number] = track
  }

  private enum Key: String, CaseIterable { case file, title, length }
}
