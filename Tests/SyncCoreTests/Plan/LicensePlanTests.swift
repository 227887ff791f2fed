// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a plan with licences")
struct LicensePlanTests {
  /// A library with a file whose licence ends a number of days after the present, or that has none.
  private struct Library {
    var world = World()
    var policy = LicensePolicy()
    var needsLicense = true

    init(
      ends days: Int?, refusal: LicenseRefusal? = nil, key: KeyID? = nil, locked: Bool = false, pinned: Bool = false
    ) throws {
      var file = try locked ? storedFile(".syncjob/locked/x.mp3", size: 1000, completedAt: World.start) : stored("a")
      file.sealed = key.map { SealedContent(sha256: file.sha256, size: file.size, key: $0) }
      try world.name(try item("a"))
      try world.remember(try item("a"), .completed(file), pinned: pinned)
      var record = LicenseRecord(
        days.map { License(issuedAt: World.start - .days(30), expiresAt: World.start + .days($0)) })
      record.refusal = refusal
      for id in world.queue.items.map(\.id) { world.queue[id]?.license = record }
    }

    func plan() throws -> Plan {
      var desired = DesiredState(Resolution(world.manifest.playlists, []), queue: world.queue, now: world.now)
      let source = LicenseSource.server(try RemoteURL("https://lic.example/v1"))
      for index in desired.items.indices { desired.items[index].license = needsLicense ? source : nil }
      var terms = Reconciliation.Terms(world.manifest.storage)
      terms.licenses = LicenseTerms(policy, at: world.now)
      let reconciliation = Reconciliation(
        desired: desired, queue: world.queue, seen: world.seen, terms: terms, now: world.now)
      return Plan(
        reconciliation, seen: world.seen, manifest: world.manifest, options: world.options, now: world.now)
    }
  }

  @Test("a file whose licence is over is locked, whatever holds it, and any other stays")
  func locks() throws {
    let rows: [(library: Library, words: [String])] = [
      (try Library(ends: 1), ["keep a"]), (try Library(ends: 0), ["move a"]), (try Library(ends: -1), ["move a"]),
      (try Library(ends: -1, pinned: true), ["move a"]),
      (try Library(ends: nil), ["keep a"]), (try Library(ends: nil, refusal: .expired), ["move a"]),
      // A refusal to renew ends nothing.
      (try Library(ends: 1, refusal: .expired), ["keep a"]),
      // Its key is destroyed instead.
      (try Library(ends: -1, key: .content), ["keep a"]), (try Library(ends: -1, key: KeyID(5)), ["move a"]),
      (try Library(ends: -1, locked: true), ["keep a"]),
    ]
    for (index, row) in rows.enumerated() { #expect(try row.library.plan().words == row.words, "\(index)") }
    let plan = try Library(ends: -1).plan()
    #expect(plan.steps.first?.path?.text == ".syncjob/locked/\(try #require(ItemID("a")).tag).mp3")
    #expect(plan.reason("a") == .licenseOver(from: try stored("a").path))
  }

  @Test("a locked file with a licence moves to the place that its playlist gives it")
  func unlocks() throws {
    let plan = try Library(ends: 1, locked: true).plan()
    #expect(plan.words == ["move a"])
    #expect(plan.steps.first?.path == (try stored("a").path))
    var library = try Library(ends: -1, locked: true)
    library.needsLicense = false
    #expect(try library.plan().words == ["move a"])
  }

  @Test("a locked file that no playlist names goes back to where it was")
  func unlocksOrphan() throws {
    var library = try Library(ends: 1, locked: true)
    library.world.manifest.playlists = []
    let id = try #require(ItemID("a"))
    library.world.queue[id]?.license?.lockedFrom = LibraryPath("old/place.mp3")
    library.world.manifest.storage.orphans = .keep
    #expect(try library.plan().steps.first?.path?.text == "old/place.mp3")
  }

  @Test("it is removed if the manifest says so, and stays away until there is a licence")
  func removes() throws {
    var library = try Library(ends: -1, pinned: true)
    library.policy.onExpiry = .remove
    let plan = try library.plan()
    #expect(plan.words == ["remove a"] && plan.reason("a") == .licenseExpired)
    let id = try #require(ItemID("a"))
    library.world.queue[id]?.remove(Removal(cause: .expired, at: World.start, file: try stored("a")))
    library.world.seen.finished = [:]
    #expect(try library.plan().skipReason("a") == .notLicensed)
    library.world.queue[id]?.license?.license?.expiresAt = World.start + .days(1)
    #expect(try library.plan().words == ["download a"])
    #expect(try library.plan().reason("a") == .licenseRenewed)
  }

  @Test("with a clock in doubt nothing is locked")
  func doubtfulClock() throws {
    var library = try Library(ends: -1)
    library.world.options.isClockPlausible = false
    #expect(try library.plan().words == ["keep a"])
  }

  @Test("a plan that knows nothing of licences forgets none")
  func untouched() throws {
    let library = try Library(ends: 5)
    #expect(library.world.plan().bookkeeping.isEmpty)
  }
}

@Suite("a licence")
struct LicenseTests {
  private let issued = Timestamp(secondsSince1970: 1_800_000_000)

  @Test("is renewed before its end, up to a quarter earlier, by item")
  func renewal() throws {
    let license = License(issuedAt: issued, expiresAt: issued + .days(100))
    let times = try (0..<200).map { number in
      license.renewal(.days(8), of: try #require(ItemID("item \(number)")))
    }
    #expect(times.allSatisfy { $0 <= issued + .days(92) && $0 >= issued + .days(90) })
    #expect(Set(times).count > 150)
  }

  @Test("for a short time is renewed at half time, and not in each run")
  func short() throws {
    let license = License(issuedAt: issued, expiresAt: issued + .days(1))
    #expect(license.renewal(.days(7), of: try #require(ItemID("a"))) == issued + .hours(12))
  }

  @Test("is over at its end, and not before")
  func end() {
    let record = LicenseRecord(License(issuedAt: issued, expiresAt: issued + .days(1)))
    #expect(record.isValid(at: issued + .days(1) - .seconds(1)) && !record.isValid(at: issued + .days(1)))
    #expect(!LicenseRecord().isOver(at: issued) && !LicenseRecord().isValid(at: issued))
  }

  @Test("limits the quality to one that is declared")
  func quality() throws {
    func item(_ low: Bool, _ high: Bool, wanted: Quality) throws -> Item {
      var urls = QualityURLs()
      if low { urls.low = try RemoteURL("https://a.example/low") }
      if high { urls.high = try RemoteURL("https://a.example/high") }
      urls.wanted = wanted
      let main = try #require(urls.offer(for: wanted)).url
      var item = Item(id: try #require(ItemID("a")), title: "a", main: Candidate(url: main))
      item.urls = urls
      return item
    }
    #expect(try item(true, true, wanted: .high).limited(to: .low)?.main.url.text == "https://a.example/low")
    #expect(try item(true, true, wanted: .low).limited(to: .high) == nil)
    #expect(try item(false, true, wanted: .high).limited(to: .normal) == nil)
    #expect(try item(true, true, wanted: .source).limited(to: .normal)?.urls?.offered == .low)
  }
}
