// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

/// A manifest, a queue and a disk that plans can be made for and carried out on, without any of them being real.
struct World {
  static let start = Timestamp(secondsSince1970: 1_800_000_000)
  static let mix = "mix"

  var manifest = Manifest(name: "car", library: LibrarySettings(path: "/library"))
  var queue = Queue(libraryID: "1", savedAt: World.start)
  var seen = LibraryObservation(freeSpace: ByteCount(1 << 40))
  var readings: [SourceReading] = []
  var options = PlanOptions(maxDelete: .count(1000))
  var scope: Set<PlaylistName>?
  var now = World.start

  init() { manifest.storage.minFree = .zero }

  // MARK: Building

  /// Names items in an inline playlist, which is made when it is not there.
  mutating func name(_ items: Item..., in playlist: String = World.mix) throws {
    let name = try playlistName(playlist)
    if let index = manifest.playlists.firstIndex(where: { $0.name == name }),
      case .inline(let known) = manifest.playlists[index].source
    {
      manifest.playlists[index].source = .items(BoxedArray(Array(known.all) + items))
    } else {
      manifest.playlists.append(Playlist(name: name, source: .items(BoxedArray(items))))
    }
  }

  mutating func addFeed(_ playlist: String, mirror: Bool = false) throws {
    var feed = Playlist(
      name: try playlistName(playlist),
      source: .listing(.feed, at: .remote(try RemoteURL("https://feeds.example/rss"))))
    feed.mirror = mirror
    manifest.playlists.append(feed)
  }

  mutating func read(_ playlist: String, _ guids: [String], completeness: Completeness = .whole) throws {
    let episodes = try guids.map { guid in
      var episode = ListingEntry(url: try RemoteURL("https://media.example.net/\(guid).mp3"))
      (episode.guid, episode.title) = (guid, guid)
      return episode
    }
    let name = try playlistName(playlist)
    readings.removeAll { $0.playlist == name }
    readings.append(
      SourceReading(
        playlist: name, listing: Listing(entries: ListingEntries(episodes), completeness: completeness),
        isUnchanged: false))
  }

  /// Remembers an item in a state, and shows its file and partial on the disk as the state says.
  mutating func remember(
    _ item: Item, _ state: ItemState, in playlist: String = World.mix, position: Int = 1, pinned: Bool = false,
    plays: PlayHistory = .init()
  ) throws {
    var item = item
    // As the queue file keeps it.
    (item.size, item.checksum, item.pin) = (nil, nil, nil)
    queue[item.id] = QueueItem(
      item: item, memberships: [Membership(playlist: try playlistName(playlist), position: position)], state: state,
      plays: plays, queuedAt: World.start - .days(100))
    queue[item.id]?.pinned = pinned
    if let file = state.storedFile { seen.finished[item.id] = .file(size: file.size) }
    if let partial = state.partial {
      seen.partials[partial.name] = .init(size: partial.received, modifiedAt: now - .hours(1))
    }
  }

  // MARK: Running

  private var paper: SimulatedLibrary {
    var paper = SimulatedLibrary(manifest, queue: queue, seen: seen, now: now)
    (paper.readings, paper.options, paper.scope) = (readings, options, scope)
    return paper
  }

  func reconciliation() -> Reconciliation { paper.reconciliation() }

  func plan() -> Plan { paper.plan() }

  /// Does exactly what the plan says, and lets a minute pass.
  mutating func carryOut(_ plan: Plan) {
    guard plan.safetyStop == nil else { return }
    var paper = paper
    paper.carryOut(plan)
    (queue, seen, readings) = (paper.queue, paper.seen, paper.readings)
    now = now + .seconds(60)
  }
}

extension Plan {
  /// The steps with an action.
  var changes: [Step] { steps.filter { $0.action != nil } }

  /// `action id` of every change, e.g. `evict x`.
  var words: [String] { steps.compactMap { step in step.action.map { "\($0) \(step.id)" } } }

  func reason(_ name: String) -> Reason? { steps.first { $0.id.text == name }?.reason }

  func skipReason(_ name: String) -> SkipReason? { skipped.first { $0.id.text == name }?.reason }

  /// The states that the bookkeeping leads to.
  func state(_ name: String) -> ItemState? {
    for case .item(let entry) in bookkeeping where entry.id.text == name { return entry.state }
    return nil
  }
}

/// A completed file of an age in days.
func stored(
  _ name: String, in folder: String = World.mix, size: Int64 = 1000, age: Int = 10, seed: Int = 0
) throws -> StoredFile {
  try storedFile("\(folder)/\(name).mp3", size: size, completedAt: World.start - .days(age) - .minutes(30), seed: seed)
}

func partialDownload(
  _ name: String, _ received: Int64, of total: Int64? = nil, url: String? = nil
) throws -> PartialDownload {
  PartialDownload(
    name: "p-" + name, received: ByteCount(received), total: total.map(ByteCount.init), validator: .strongETag("\"x\""),
    url: try RemoteURL(url ?? "https://media.example.net/\(name).mp3"))
}

func failure(
  isTemporary: Bool, partial: PartialDownload? = nil, nextAttemptAt: Timestamp? = nil
) -> ItemState {
  .failed(
    FailureRecord(
      error: ErrorRecord(
        kind: isTemporary ? .timeout : .http, status: isTemporary ? nil : 404, message: "m", at: World.start - .days(1)),
      isTemporary: isTemporary, candidate: 0, attempts: 4, partial: partial, nextAttemptAt: nextAttemptAt))
}
