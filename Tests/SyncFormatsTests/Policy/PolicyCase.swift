// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import SyncTestSupport
import Testing

/// One file of `Cases`: a manifest, the recorded state, the files present, and the expected plan. `README.md` beside
/// them describes the format.
struct PolicyCase: CustomTestStringConvertible {
  static let now = Timestamp(secondsSince1970: 1_795_500_000)

  let name: String
  private(set) var rule = ""
  private var sections: [(heading: [String], lines: [String])] = []

  var testDescription: String { name }

  init(name: String, text: String) {
    self.name = name
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("  ") {
        sections[sections.count - 1].lines.append(String(line.dropFirst(2)))
      } else if line.hasSuffix(":"), !sections.isEmpty || rule.isEmpty == false {
        sections.append((line.dropLast().split(separator: " ").map(String.init), []))
      } else if !line.isEmpty {
        rule += (rule.isEmpty ? "" : " ") + line
      }
    }
  }

  private func lines(_ heading: String) -> [String] { sections.first { $0.heading[0] == heading }?.lines ?? [] }

  /// The plan that the file expects.
  var expected: String { lines("plan").joined(separator: "\n") }

  /// The text of the file with another plan.
  func text(expecting plan: String) -> String {
    var parts = [rule]
    for section in sections {
      let lines = section.heading == ["plan"] ? plan.split(separator: "\n").map(String.init) : section.lines
      parts.append("\n" + section.heading.joined(separator: " ") + ":")
      parts += lines.map { "  " + $0 }
    }
    return parts.joined(separator: "\n") + "\n"
  }

  // MARK: The library

  func library() throws -> SimulatedLibrary {
    let manifest = try manifest()
    var queue = Queue(libraryID: "1", savedAt: Self.now)
    var seen = LibraryObservation(freeSpace: ByteCount(1 << 40))
    for words in lines("queue").map(PolicyWords.init) { try words.remember(in: &queue, &seen) }
    var library = SimulatedLibrary(manifest, queue: queue, seen: seen, now: Self.now)
    for words in lines("disk").map(PolicyWords.init) { try words.arrange(&library) }
    for section in sections where section.heading[0] == "feed" { library.readings.append(try reading(section, queue)) }
    return library
  }

  private func manifest() throws -> Manifest {
    let text =
      (["version: 1", "library: { path: /library, layout: \"{playlist}/{title}.{ext}\" }"] + lines("manifest")).joined(
        separator: "\n")
    let reading = ManifestReader.read(
      Array(text.utf8), directory: "/", fileStem: name, environment: ManifestEnvironment())
    return try #require(reading.manifest, "\(reading.findings)")
  }

  private func reading(_ section: (heading: [String], lines: [String]), _ queue: Queue) throws -> SourceReading {
    let playlist = try #require(PlaylistName(section.heading[1]))
    let isCut = section.heading.contains("cut")
    let feed = Listing(
      entries: ListingEntries(try section.lines.map { try PolicyWords($0).episode() }),
      completeness: isCut ? .partial(.malformed(line: 9, detail: "cut")) : .whole)
    return SourceReading(playlist: playlist, listing: feed, isUnchanged: false)
  }
}

/// One line of a case: words, and words with values.
struct PolicyWords {
  let first: String
  private let flags: Set<String>
  private let values: [String: String]

  init(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    first = words.first ?? ""
    let rest = words.dropFirst(0)
    flags = Set(rest.filter { !$0.contains("=") })
    values = Dictionary(
      rest.filter { $0.contains("=") }.map { word in
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1].replacing("_", with: " ") : "")
      }, uniquingKeysWith: { _, last in last })
  }

  private func bytes(_ key: String) -> ByteCount? { values[key].flatMap { Int64($0) }.map { ByteCount($0) } }
  private func number(_ key: String) -> Int? { values[key].flatMap { Int($0) } }
  private func span(_ key: String) -> Duration? {
    values[key].flatMap { text in
      do throws(ArgumentProblem) { return try ArgumentSpelling.duration.read(text, of: key) } catch { return nil }
    }
  }
  private func ago(_ key: String) -> Timestamp? { span(key).map { PolicyCase.now - $0 } }

  func remember(in queue: inout Queue, _ seen: inout LibraryObservation) throws {
    let id = try #require(ItemID(first))
    let stem = id.text.split(separator: ":").last.map(String.init) ?? first
    var item = Item(
      id: id, title: values["title"] ?? stem, main: Candidate(url: try RemoteURL("https://h/\(stem).mp3")))
    item.published = ago("published")
    let size = bytes("size") ?? ByteCount(100)
    let playlists = (values["in"] ?? "mix").split(separator: ",").map(String.init)
    let file = StoredFile(
      path: try #require(LibraryPath("\(values["folder"] ?? playlists[0])/\(values["name"] ?? item.title).mp3")),
      size: size,
      sha256: try #require(SHA256Digest(hex: String(repeating: "0", count: 64))),
      completedAt: ago("done") ?? PolicyCase.now)
    var partial: PartialDownload?
    if let received = bytes("partial") {
      partial = PartialDownload(
        name: "p-\(stem)", received: received, total: size, validator: .strongETag("\"x\""), url: item.main.url)
      seen.partials["p-\(stem)"] = .init(
        size: bytes("lying") ?? received, modifiedAt: ago("idle") ?? PolicyCase.now - .hours(1))
    }
    var plays = PlayHistory(count: number("plays") ?? 0, lastPlayedAt: ago("played"))
    if let offset = span("at") { plays.position = PlaybackPosition(offset: offset, at: ago("left") ?? PolicyCase.now) }
    queue[id] = QueueItem(
      item: item,
      memberships: try playlists.map {
        Membership(playlist: try #require(PlaylistName($0)), position: number("n") ?? 1)
      },
      state: try state(file, partial),
      matchedBy: id.text.contains(":") ? .guid : nil, plays: plays,
      queuedAt: flags.contains("queued_now") ? PolicyCase.now : PolicyCase.now - .days(200))
    queue[id]?.pinned = flags.contains("pinned")
    if flags.contains("completed"), !flags.contains("missing") {
      seen.finished[id] = .file(size: flags.contains("changed") ? size + ByteCount(1) : size)
    }
  }

  private func state(_ file: StoredFile, _ partial: PartialDownload?) throws -> ItemState {
    if flags.contains("completed") { return .completed(file) }
    if flags.contains("queued") { return .queued(Pending(partial: partial)) }
    if flags.contains("cancelled") { return .cancelled(at: PolicyCase.now - .days(1)) }
    if flags.contains("failed") {
      let error = ErrorRecord(kind: .http, status: 404, message: "not found", at: PolicyCase.now - .days(1))
      return .failed(
        FailureRecord(
          error: error, isTemporary: flags.contains("temporary"), candidate: 0, attempts: 1, partial: partial))
    }
    let cause = try #require(Removal.Cause.allCases.first { flags.contains($0.rawValue) }, "no state in \(first)")
    return .removed(Removal(cause: cause, at: ago("gone") ?? PolicyCase.now, file: file))
  }

  func arrange(_ library: inout SimulatedLibrary) throws {
    if let free = bytes("free") { library.seen.freeSpace = free }
    if let trash = bytes("trash") { library.seen.trashBytes = trash }
    if let expired = bytes("expired") { library.seen.expiredTrashBytes = expired }
    if let limit = number("max_delete") { library.options.maxDelete = .count(limit) }
    if flags.contains("no_evict") { library.options.mayEvict = false }
    if flags.contains("no_download") { library.options.mayDownload = false }
    if flags.contains("implausible_clock") { library.options.isClockPlausible = false }
    if let scope = values["only"] { library.scope = [try #require(PlaylistName(scope))] }
  }

  func episode() throws -> ListingEntry {
    var episode = ListingEntry(url: try RemoteURL("https://h/\(values["url"] ?? first).mp3"))
    (episode.guid, episode.title) = (first, values["title"] ?? first)
    episode.published = ago("published")
    episode.duration = span("duration")
    episode.length = bytes("size")
    episode.traits.kind = values["type"].flatMap { EpisodeKind(rawValue: $0) } ?? .full
    episode.traits.season = number("season")
    episode.traits.isExplicit = flags.contains("explicit") ? true : nil
    episode.traits.mediaType = values["media"]
    return episode
  }
}

extension Plan {
  /// One line for every statement of the plan.
  var picture: String {
    var lines = steps.compactMap { step -> String? in
      guard let action = step.action, let reason = step.reason else { return nil }
      let bytes = step.bytes.map { " \($0.bytes)" } ?? ""
      return "\(action) \(step.id)\(bytes): \(reason.words)"
    }
    lines += unselected.map { "pass over \($0.id): \($0.reason.words)" }
    lines += skipped.map { "leave \($0.id): \($0.reason.words(id: $0.id))" }
    if heldBack > 0 { lines.append("held back: \(heldBack)") }
    if emptiesTrash { lines.append("empty the trash") }
    if expiresTrash { lines.append("expire trash") }
    lines += strayPartials.map { "drop \($0)" }
    lines += warnings.map { "warning: \($0.words)" }
    if let safetyStop { lines.append("refused: \(safetyStop.words(Invocation()))") }
    lines.append("used: \(storage.before.bytes) → \(storage.after.bytes)")
    return lines.joined(separator: "\n")
  }
}
