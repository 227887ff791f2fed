// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the quality of a finished file")
struct QualityVerdictTests {
  private func url(_ quality: String) throws -> RemoteURL {
    try RemoteURL("https://media.example.net/\(quality)/a.mp3")
  }

  private func declared(_ qualities: [String], wanted: Quality) throws -> Item {
    var urls = QualityURLs()
    if qualities.contains("low") { urls.low = try url("low") }
    if qualities.contains("normal") { urls.normal = try url("normal") }
    if qualities.contains("high") { urls.high = try url("high") }
    urls.wanted = wanted
    var item = try item("a", url: try #require(urls.offer(for: wanted)).url.text)
    item.urls = urls
    return item
  }

  /// An item that is present in one quality, from the URL of another if necessary.
  private func world(
    _ qualities: [String], wanted: Quality, here: Quality?, from: String = "normal", upgrade: Upgrade? = nil
  ) throws -> World {
    var world = World()
    try world.name(try declared(qualities, wanted: wanted))
    var file = try stored("a")
    file.quality = here
    try world.remember(try item("a", url: url(from).text), .completed(file))
    world.queue[try id("a")]?.upgrade = upgrade
    return world
  }

  private struct Row {
    var qualities = ["low", "normal", "high"]
    var wanted: Quality
    var here: Quality?
    var from = "normal"
    var verdict: QualityVerdict
  }

  private static let rows: [Row] = [
    Row(wanted: .normal, here: .normal, verdict: .asWanted),
    Row(wanted: .high, here: .normal, verdict: .upgrade(.quality(from: .normal, to: .high))),
    Row(wanted: .low, here: .high, verdict: .upgrade(.quality(from: .high, to: .low))),
    Row(wanted: .source, here: .low, verdict: .upgrade(.quality(from: .low, to: .high))),
    Row(qualities: ["low", "normal"], wanted: .source, here: .normal, verdict: .asWanted),
    Row(
      qualities: ["low", "normal"], wanted: .high, here: .normal, verdict: .unavailable(here: .normal, wanted: .high)),
    // A lower one that is declared is not the wanted one either.
    Row(qualities: ["low", "normal"], wanted: .high, here: .low, verdict: .unavailable(here: .low, wanted: .high)),
    // Another URL of the same quality is not a reason for an upgrade.
    Row(wanted: .high, here: .high, from: "elsewhere", verdict: .asWanted),
    // No quality is recorded, so the URL decides. If it is not declared any more, nothing is fetched.
    Row(wanted: .high, here: nil, from: "normal", verdict: .upgrade(.quality(from: .normal, to: .high))),
    Row(wanted: .high, here: nil, from: "elsewhere", verdict: .asWanted),
  ]

  @Test("is compared with the wanted one", arguments: rows.indices)
  func verdict(row: Int) throws {
    let row = Self.rows[row]
    let world = try world(row.qualities, wanted: row.wanted, here: row.here, from: row.from)
    #expect(world.reconciliation().entries.map(\.quality) == [row.verdict])
  }

  @Test("once known, it is remembered")
  func remembered() throws {
    var world = try world(["normal", "high"], wanted: .high, here: nil, from: "elsewhere")
    world.carryOut(world.plan())
    #expect(world.queue[try id("a")]?.state.storedFile?.quality == .high)
    #expect(world.plan().bookkeeping.isEmpty)
  }

  @Test("a file with the declared hash stays: no other would pass")
  func declaredHash() throws {
    var world = World()
    var item = try declared(["normal", "high"], wanted: .high)
    var file = try stored("a", seed: 7)
    item.checksum = Checksum(.sha256, hex: file.sha256.hex)
    file.quality = .normal
    try world.name(item)
    try world.remember(try SyncCoreTests.item("a", url: url("normal").text), .completed(file))
    #expect(world.plan().words == ["keep a"])
  }

  @Test("so does one with the declared size, or that passed the declared checksum of another kind")
  func declaredOtherwise() throws {
    let checksum = try #require(Checksum(.md5, hex: String(repeating: "ab", count: 16)))
    let other = try #require(Checksum(.md5, hex: String(repeating: "cd", count: 16)))
    let rows: [(DeclaredSize?, Checksum?, Checksum?, String)] = [
      (.exact(ByteCount(1000)), nil, nil, "keep a"), (.exact(ByteCount(2000)), nil, nil, "upgrade a"),
      (.about(ByteCount(1000)), nil, nil, "upgrade a"), (nil, checksum, checksum, "keep a"),
      (nil, checksum, other, "upgrade a"), (nil, checksum, nil, "upgrade a"), (nil, nil, checksum, "upgrade a"),
    ]
    for (size, declared, passed, words) in rows {
      var world = World()
      var item = try self.declared(["normal", "high"], wanted: .high)
      (item.size, item.checksum) = (size, declared)
      var file = try stored("a", size: 1000)
      (file.quality, file.verifiedBy) = (.normal, passed)
      try world.name(item)
      try world.remember(try SyncCoreTests.item("a", url: url("normal").text), .completed(file))
      #expect(world.plan().words == [words], "\(size.debugDescription) \(declared?.text ?? "-") \(passed?.text ?? "-")")
    }
  }

  @Test("what an earlier try came to decides about the next one")
  func earlierTries() throws {
    let later = World.start + .hours(1)
    let partial = try partialDownload("a", 500, url: url("high").text)
    let (failed, failedForGood) = (failure(isTemporary: true, partial: partial), failure(isTemporary: false))
    let rows: [(TransferState, String)] = [
      (try #require(failed.transfer), "upgrade a"), (try #require(failedForGood.transfer), "keep a"),
      (.queued(Pending(nextAttemptAt: later)), "defer a"), (.queued(Pending(partial: partial)), "upgrade a"),
      (.downloading(Attempt(candidate: 0, attempts: 1, partial: partial)), "upgrade a"),
    ]
    for (state, words) in rows {
      var world = try world(
        ["normal", "high"], wanted: .high, here: .normal, upgrade: Upgrade(.quality(.high), state: state))
      if let partial = state.partial {
        world.seen.partials[partial.name] = .init(size: partial.received, modifiedAt: world.now)
      }
      let plan = world.plan()
      #expect(plan.words == [words])
      #expect(plan.strayPartials.isEmpty)
      #expect(plan.downloads.first?.task.partial?.received == state.partial?.received)
    }
  }

  @Test(
    "a quality that was turned back leaves nothing of the upgrade, and a third one begins anew",
    arguments: [
      (Quality.normal, "keep a"), (.low, "upgrade a"),
    ])
  func turnedBack(wanted: Quality, words: String) throws {
    let partial = try partialDownload("a", 500, url: url("high").text)
    var world = try world(
      ["low", "normal", "high"], wanted: wanted, here: .normal,
      upgrade: Upgrade(.quality(.high), state: .queued(Pending(partial: partial))))
    world.seen.partials[partial.name] = .init(size: partial.received, modifiedAt: world.now)
    let plan = world.plan()
    #expect(plan.words == [words])
    #expect(plan.strayPartials == [partial.name])
    #expect(plan.downloads.first?.task.partial == nil)
    world.carryOut(plan)
    #expect(world.queue[try id("a")]?.upgrade == nil)
  }

  @Test("an upgrade replaces the file on paper, and the next plan rests")
  func converges() throws {
    var world = try world(["normal", "high"], wanted: .high, here: .normal)
    let plan = world.plan()
    #expect(plan.reason("a") == .otherQuality(from: .normal, to: .high))
    // The bit rates decide: 320 to 160.
    #expect(plan.storage.after == ByteCount(2000) && plan.storage.replaced == ByteCount(1000))
    world.carryOut(plan)
    #expect(world.plan().words == ["keep a"])
  }

  @Test("what has to move is moved and replaced by one plan")
  func misplaced() throws {
    var world = World()
    try world.name(try declared(["normal", "high"], wanted: .high))
    var file = try stored("old name")
    file.quality = .normal
    try world.remember(try item("a", url: url("normal").text), .completed(file))
    let plan = world.plan()
    #expect(plan.words == ["upgrade a"])
    #expect(plan.moves.map(\.id) == plan.downloads.map(\.id) && plan.moves.count == 1)
  }

  @Test("nothing is replaced by a doubtful clock, or in a run that may not download")
  func forbidden() throws {
    var world = try world(["normal", "high"], wanted: .high, here: .normal)
    world.options.isClockPlausible = false
    #expect(world.plan().words == ["keep a"])
    (world.options.isClockPlausible, world.options.mayDownload) = (true, false)
    #expect(world.plan().words == ["keep a"])
  }
}
