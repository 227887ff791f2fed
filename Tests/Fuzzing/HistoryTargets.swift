// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

private let now = Timestamp(secondsSince1970: 1_800_000_000)
private let names = ["a", "b"]

private let queue: Queue = {
  let items = names.compactMap { name -> QueueItem? in
    guard let id = ItemID(name), let url = url("https://media.example/\(name)") else { return nil }
    var item = Item(id: id, title: "Title \(name)", main: Candidate(url: url))
    (item.artist, item.duration) = ("X", .seconds(200))
    return QueueItem(item: item, memberships: [], queuedAt: now)
  }
  return Queue(libraryID: "1", savedAt: now, items: items)
}()

/// Whatever a history says, twice is as much as once.
private func checkMerge(_ records: [HeardRecord]) {
  var merge = HistoryMerge(queue, log: PlayLog(), isLogWhole: true, roots: ["/l"], now: now)
  merge.begin(.listens, place: "/p")
  for record in records { merge.take(record) }
  let counts = merge.counts
  must(
    counts.matched + counts.unmatched + counts.ambiguous + counts.refused == counts.read, "each record is counted once")
  must(counts.counted + counts.known <= counts.matched, "a play is of an item")
  let changes = merge.changes
  for plays in changes.values {
    must(plays.count >= 0 && plays.lastPlayedAt.map { $0 <= now + .days(1) } ?? true, "plays that can be: \(plays)")
    must(plays.position.map { $0.offset >= .zero } ?? true, "a place that can be")
  }
  merge.begin(.listens, place: "/p")
  for record in records.reversed() { merge.take(record) }
  must(merge.counts.counted == 0 && merge.changes == changes, "twice is as much as once, in any order")
}

private func pieces(_ bytes: [UInt8]) -> TextPieces {
  var rest = bytes[...]
  return TextPieces {
    defer { rest = rest.dropFirst(100) }
    return rest.isEmpty ? nil : Array(rest.prefix(100))
  }
}

@Sendable func fuzzScrobbles(_ bytes: [UInt8]) {
  var records: [HeardRecord] = []
  do throws(HistoryProblem) {
    let passedOver = try ScrobblerLog.read(pieces(bytes), zone: ZoneRules(offset: 3600)) {
      records.append(.listening($0))
    }
    .passedOver
    must(passedOver + records.count <= bytes.count { $0 == 0x0A } + 1, "a line is one record at most")
  } catch { must(records.isEmpty, "of another kind nothing is taken") }
  checkMerge(records)
}

@Sendable func fuzzListens(_ bytes: [UInt8]) {
  var records: [HeardRecord] = []
  do throws(HistoryProblem) {
    let passedOver = try ListenLines.read(pieces(bytes)) { records.append(.listening($0)) }
    must(passedOver + records.count <= bytes.count { $0 == 0x0A } + 1, "a line is one record at most")
  } catch { must(records.isEmpty, "of another kind nothing is taken") }
  checkMerge(records)
}

/// The log of plays: what is read of it, written again, is the same log.
@Sendable func fuzzPlays(_ bytes: [UInt8]) {
  let lines = PlayLogLines.read(bytes).log.folded(at: now)
  let again = PlayLogLines.read(PlayLogLines.encode(lines))
  must(again.damagedLines == 0 && !again.isTorn, "what was written is whole")
  must(again.log.folded(at: now) == lines, "what was written is read as the same log")
}

/// A zone maps any time, and a time that its clocks show once comes back.
@Sendable func fuzzZone(_ bytes: [UInt8]) {
  guard let zone = ZoneFile.read(bytes) else { return }
  for moment in stride(from: Int64(-4_000_000_000), through: 8_000_000_000, by: 777_777_777) {
    let offset = zone.offset(at: moment)
    must(abs(offset) < 800_000, "an offset of \(offset)")
    let again = zone.utc(ofLocal: moment + offset)
    must(abs(again - moment) < 1_600_000, "\(moment) became \(again)")
  }
}

@Sendable func fuzzEpisodes(_ bytes: [UInt8]) {
  guard let answer = EpisodeActions.read(bytes) else { return }
  for action in answer.actions {
    must(!action.episode.isEmpty && !action.podcast.isEmpty, "an action is about an episode")
    must(
      [action.started, action.position, action.total].allSatisfy { $0.map { $0 >= .zero } ?? true },
      "places that can be")
  }
  let plays = answer.actions.filter { $0.kind == .play }
  let again = EpisodeActions.read(Array("{\"actions\":".utf8) + EpisodeActions.encode(plays) + Array("}".utf8))
  must(again != nil, "what is written can be read")
}

/// The outbox: what is read of it, written again, is the same outbox.
@Sendable func fuzzOutbox(_ bytes: [UInt8]) {
  let lines = OutboxLines.read(bytes).outbox.folded(at: now)
  let again = OutboxLines.read(OutboxLines.encode(lines))
  must(!again.isDamaged && again.outbox.folded(at: now) == lines, "what was written is read as the same outbox")
}
