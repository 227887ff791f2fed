// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Queues of every shape, the same for the same seed.
struct QueueGenerator {
  private var state: UInt64
  /// Two items with one file are no queue.
  private var files = 0

  init(seed: UInt64) { state = seed &+ 0x9E37_79B9_7F4A_7C15 }

  /// Below `limit`. SplitMix64 (Steele, Lea, Flood 2014).
  mutating func number(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ (z >> 31)) % UInt64(limit))
  }

  mutating func chance() -> Bool { number(2) == 0 }

  mutating func maybe<Value>(_ make: (inout QueueGenerator) -> Value?) -> Value? { chance() ? make(&self) : nil }

  mutating func queue() -> Queue {
    var items: [QueueItem] = []
    for index in 0..<number(6) {
      if let id = ItemID("item-\(index)-\(text())"), let item = queueItem(id) { items.append(item) }
    }
    var queue = Queue(
      libraryID: "0123456789abcdef0123456789abcdef", generation: number(1000), savedAt: time(), items: items,
      unknownFields: unknownFields())
    for index in 0..<number(3) {
      if let name = PlaylistName("list-\(index)") { queue.sources[name] = sourceState() }
    }
    return queue
  }

  mutating func queueItem(_ id: ItemID) -> QueueItem? {
    guard let item = item(id), let state = itemState() else { return nil }
    var upgrade: Upgrade?
    if state.name == .completed { upgrade = maybe { $0.upgrade() } }
    let mayHaveLost = state.name != .completed && state.name != .removed
    var queued = QueueItem(
      item: item,
      memberships: (0..<number(3)).compactMap { PlaylistName("p\($0)") }.map {
        .init(playlist: $0, position: 1 + number(99))
      },
      state: state, matchedBy: IdentityRule.allCases[number(IdentityRule.allCases.count)],
      plays: PlayHistory(
        count: number(50), lastPlayedAt: maybe { $0.time() },
        position: maybe { PlaybackPosition(offset: .milliseconds($0.number(10_000_000)), at: $0.time()) }),
      queuedAt: time())
    queued.pinned = chance()
    if chance() {
      queued.choose {
        $0 = ItemChoice(priority: maybe { _ in .high }, candidate: maybe { $0.chosen() })
      }
    }
    queued.upgrade = upgrade
    queued.lostFile = mayHaveLost ? maybe { $0.file() } : nil
    queued.license = maybe { $0.license() }
    if let known = maybe({ $0.time() }) { queued.knownSince = known }
    queued.updatedAt = time()
    queued.unknownFields = unknownFields()
    return queued
  }

  private mutating func license() -> LicenseRecord {
    var record = LicenseRecord(
      maybe { generator in
        var license = License(issuedAt: generator.time(), expiresAt: generator.time())
        license.restrictions.maxOfflineDevices = generator.maybe { 1 + $0.number(9) }
        license.restrictions.allowsExport = generator.chance()
        license.restrictions.qualityLimit = generator.maybe { Quality.allCases[$0.number(4)] }
        license.hasContentKey = generator.chance()
        return license
      })
    record.refusal = maybe { LicenseRefusal.allCases[$0.number(4)] }
    record.lockedFrom = maybe { LibraryPath("a/\($0.number(9)).mp3") }
    record.told = OfflineState.allCases[number(3)]
    return record
  }

  mutating func sourceState() -> SourceState {
    SourceState(
      etag: maybe { "\"\($0.text())\"" }, lastModified: maybe { $0.text() }, changedAt: time(), checkedAt: time(),
      itemCount: number(400), initialBefore: maybe { $0.time() },
      initialSkipped: (0..<number(3)).compactMap { ItemID("skipped \($0)") }, unknownFields: unknownFields())
  }

  private mutating func item(_ id: ItemID) -> Item? {
    guard let main = candidate() else { return nil }
    var item = Item(id: id, title: text(), main: chance() ? main : Candidate(url: main.url))
    item.artist = maybe { $0.text() }
    item.album = maybe { $0.text() }
    item.duration = maybe { .milliseconds($0.number(10_000_000)) }
    item.published = maybe { $0.time() }
    item.recordings = (0..<number(3)).compactMap { RecordingCode(isrc: "USRC1760783\($0)") }
    item.priority = maybe { Priority.allCases[$0.number(3)] }
    item.pin = maybe { $0.chance() }
    item.size = maybe { $0.chance() ? .exact(ByteCount(7)) : .about(ByteCount(8)) }
    item.checksum = maybe { _ in Checksum(.md5, hex: String(repeating: "a", count: 32)) }
    item.alternatives = (0..<number(3)).compactMap { _ in candidate() }
    return item
  }

  private mutating func candidate() -> Candidate? {
    guard let url = url() else { return nil }
    return Candidate(url: url, title: maybe { $0.text() }, duration: maybe { .seconds($0.number(5000)) })
  }

  private mutating func upgrade() -> Upgrade? {
    var transfer = itemState()?.transfer
    while transfer == nil { transfer = itemState()?.transfer }
    return transfer.map {
      Upgrade(
        chance() ? .quality(Quality.allCases[number(3)]) : .candidate(chosen()), state: $0,
        size: maybe { ByteCount(Int64($0.number(1 << 30))) })
    }
  }

  private mutating func chosen() -> ChosenCandidate {
    chance() ? .main : url().map(ChosenCandidate.alternative) ?? .main
  }

  private mutating func itemState() -> ItemState? {
    let attempt = Attempt(
      candidate: number(3), attempts: number(4), partial: maybe { $0.partial() }, publishing: maybe { $0.file() })
    let pending = Pending(
      partial: maybe { $0.partial() }, nextAttemptAt: maybe { $0.time() }, lastError: maybe { $0.error() },
      isRequested: chance(), isDeferred: chance())
    switch number(8) {
    case 0: return .queued(pending)
    case 1: return .downloading(attempt)
    case 2: return .retrying(attempt, nextAttemptAt: time())
    case 3: return .paused(pending)
    case 4:
      return file().map { .completed($0.at($0.path, movingTo: chance() ? LibraryPath("to/\(number(99)).mp3") : nil)) }
    case 5:
      return .failed(
        FailureRecord(
          error: error(), isTemporary: chance(), candidate: number(3), attempts: number(4),
          partial: maybe { $0.partial() },
          nextAttemptAt: maybe { $0.time() }, inputs: maybe { $0.inputMark() }))
    case 6: return .cancelled(at: time())
    default:
      return .removed(
        Removal(
          cause: Removal.Cause.allCases[number(6)], at: time(), turn: 1 + number(3), file: maybe { $0.file() }))
    }
  }

  private mutating func inputMark() -> InputMark {
    InputMark(settings: UInt64(number(1 << 40)) << 20 | UInt64(number(99)), secrets: maybe { UInt16($0.number(5000)) })
  }

  private mutating func partial() -> PartialDownload? {
    guard let url = url() else { return nil }
    let validator: HTTPValidator? = chance() ? HTTPValidator(etag: "\"\(number(99))\"") : .lastModified(text())
    return PartialDownload(
      name: "p\(number(99)).part", received: ByteCount(Int64(number(1 << 40))),
      total: maybe { ByteCount(Int64($0.number(1 << 40))) }, validator: maybe { _ in validator }, url: url,
      extents: maybe { $0.extents() })
  }

  private mutating func extents() -> [Extent] {
    var extents: [Extent?] = []
    for _ in 0..<number(3) {
      let from = number(1 << 30)
      extents.append(Extent(from: ByteCount(Int64(from)), to: ByteCount(Int64(from + number(1 << 20)))))
    }
    return extents.compactMap(\.self).merged
  }

  private mutating func file() -> StoredFile? {
    files += 1
    guard let path = LibraryPath("a/\(number(99)) \u{1F600} \(files).mp3"),
      let digest = SHA256Digest(hex: String(repeating: "0f", count: 32))
    else { return nil }
    var file = StoredFile(
      path: path, size: ByteCount(Int64(number(1 << 30))), sha256: digest, completedAt: time(), candidate: number(3),
      confidence: chance() ? .normal : .low, quality: maybe { Quality.allCases[$0.number(3)] },
      verifiedBy: maybe { _ in Checksum(.md5, hex: String(repeating: "b", count: 32)) })
    file.origin = maybe { try? RemoteURL("https://pages.example/watch?v=\($0.number(99))") }
    file.sealed = maybe { generator in
      SealedContent(
        sha256: digest, size: ByteCount(Int64(generator.number(1 << 30))), key: KeyID(UInt32(generator.number(1 << 32)))
      )
    }
    file.tagged = maybe { generator in
      TaggedContent(
        sourceSHA256: digest,
        sourceSize: generator.chance() ? file.plainSize : ByteCount(Int64(generator.number(1 << 30))),
        mediaSHA256: generator.maybe { _ in digest })
    }
    return file
  }

  private mutating func error() -> ErrorRecord {
    ErrorRecord(
      kind: FailureKind.allCases[number(FailureKind.allCases.count)], status: maybe { 400 + $0.number(200) },
      message: text(), at: time())
  }

  private mutating func unknownFields() -> [UnknownField] {
    let values = ["1e3", "null", "[1, 2,{\"a\" : \"\\u00e9\"}]", "\"x\"", "-0.0"]
    return (0..<number(3)).map { UnknownField(name: "x_new_\($0)", json: Array(values[number(5)].utf8)) }
  }

  private mutating func time() -> Timestamp { Timestamp(secondsSince1970: Int64(number(4_000_000_000))) }

  private mutating func url() -> RemoteURL? {
    do throws(RemoteURL.Problem) {
      return try RemoteURL("https://h\(number(9)).example/\(number(99)).mp3?t=\(number(9))")
    } catch {
      return nil
    }
  }

  private mutating func text() -> String {
    let parts = ["night", " ", "\u{E9}", "\u{1F680}", "\"", "\\", "drive", "/", "<", "\u{2028}"]
    return (0..<1 + number(5)).map { _ in parts[number(parts.count)] }.joined()
  }
}
