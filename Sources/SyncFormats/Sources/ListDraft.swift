// SPDX-License-Identifier: Apache-2.0
internal import SyncCore

/// The place of a list.
struct ListPlace {
  /// Its address, to which its references are relative. Nil if it has none.
  var base: RemoteURL?
  /// The folders from which it may name files.
  var roots = LocalRoots()
  var maximumEntries = Listing.maximumEntries
}

/// A list while it is read.
struct ListDraft {
  var title: String?
  var flaws = ListingFlaws()
  /// The folders from which the list may name files.
  let roots: LocalRoots
  private var entries = ListingEntries()
  private var unusable: [UnusableEntry] = []
  private var count = 0
  private let maximumEntries: Int
  /// True if the list has more entries than are read.
  var isFull: Bool { count > maximumEntries }

  init(_ place: ListPlace) { (roots, maximumEntries) = (place.roots, place.maximumEntries) }

  mutating func append(_ track: ListTrack) {
    count += 1
    guard !isFull else { return }
    if let entry = track.entry(number: count, roots, &flaws) {
      entries.append(entry)
    } else {
      unusable.append(track.unusable)
    }
  }

  func listing(_ completeness: Completeness) -> Listing {
    let completeness = isFull ? .partial(.tooManyEntries(maximumEntries)) : completeness
    return Listing(title: title, entries: entries, unusable: unusable, completeness: completeness, flaws: flaws)
  }
}

/// One entry of a list while it is read.
struct ListTrack {
  /// A place to fetch it from, as written.
  struct Location {
    let reference: ListReference
    let base: RemoteURL?
    let line: Int
  }

  /// The line where the entry begins, from 1.
  let line: Int
  var guid: String?
  var recordings: [RecordingCode] = []
  var title: String?
  var artist: String?
  var album: String?
  var duration: Duration?
  var size: ByteCount?
  private(set) var locations: [Location] = []
  private static let maximumLocations = 100

  init(line: Int) { self.line = line }

  /// Ignores all but the first hundred. Each of them would be compared with all others, and kept as an alternative.
  mutating func add(_ location: Location) {
    if locations.count < Self.maximumLocations { locations.append(location) }
  }

  /// The first location that can be fetched is the entry's own, and the others are its alternatives.
  func entry(number: Int, _ roots: LocalRoots, _ flaws: inout ListingFlaws) -> ListingEntry? {
    if locations.isEmpty { flaws.append(.withoutEnclosure(title: title ?? guid ?? ""), line: line, entry: number) }
    var urls: [RemoteURL] = []
    for location in locations {
      switch location.reference.target(from: location.base, roots) {
      case .url(let url):
        if !urls.contains(url) { urls.append(url) }
        if let decoded = location.reference.decodedFile(from: location.base, roots), !urls.contains(decoded) {
          urls.append(decoded)
        }
      case .localFile: flaws.append(.localFile(location.reference.text), line: location.line, entry: number)
      case .outsideRoots: flaws.append(.outsideRoots(location.reference.text), line: location.line, entry: number)
      case .invalid: flaws.append(.badURL(location.reference.text), line: location.line, entry: number)
      }
    }
    guard let url = urls.first else { return nil }
    var entry = ListingEntry(url: url)
    (entry.guid, entry.title, entry.author, entry.album) = (guid, title, artist, album)
    (entry.duration, entry.length) = (duration, size)
    entry.recordings = recordings
    entry.alternatives = Array(urls.dropFirst())
    return entry
  }

  var unusable: UnusableEntry {
    var entry = UnusableEntry()
    (entry.guid, entry.title, entry.duration) = (guid, title, duration)
    return entry
  }

  /// The first identifier is the guid, and each may be the code of a recording.
  mutating func takeIdentifier(_ text: String?) {
    guid = guid ?? text
    recordings.add(text.flatMap { RecordingCode(identifier: $0) })
  }

  /// Takes the texts of a format that writes the artist before the title: `Artist - Title`.
  mutating func takeName(_ name: String?) {
    guard let name, let dash = name.firstRange(of: " - ") else {
      title = name
      return
    }
    (artist, title) = (String(name[..<dash.lowerBound]).collapsed, String(name[dash.upperBound...]).collapsed)
    if title == nil { (artist, title) = (nil, name) }
  }
}
