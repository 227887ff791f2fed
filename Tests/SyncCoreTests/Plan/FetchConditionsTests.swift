// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("the battery and the network")
struct FetchConditionsTests {
  private static func power(_ low: Int?, _ normal: Int?, _ prefetch: Int?) -> PowerPolicy {
    var policy = PowerPolicy()
    (policy.lowBelow, policy.normalBelow, policy.prefetchAbove) = (
      low.map { .percent($0) }, normal.map { .percent($0) }, prefetch.map { .percent($0) }
    )
    return policy
  }

  private static let all = power(20, 50, 30)

  typealias Case = (policy: PowerPolicy, charge: Int?, isCharging: Bool, quality: Quality?, isHeld: Bool)

  static let cases: [Case] = [
    (all, 19, false, .low, true), (all, 20, false, .normal, true), (all, 49, true, .normal, false),
    (all, 50, true, nil, false), (all, 90, false, nil, true), (all, 30, true, .normal, true),
    (all, 31, true, .normal, false), (all, nil, false, nil, false), (PowerPolicy(), 1, false, nil, false),
    (power(20, nil, nil), 30, false, nil, false), (power(nil, 50, nil), 5, false, .normal, false),
    (power(nil, nil, 0), 0, true, nil, true), (power(100, nil, nil), 100, true, nil, false),
  ]

  @Test(
    "a charge below a limit asks for a lower quality; only a charging battery above its limit prefetches",
    arguments: cases)
  func battery(_ example: Case) {
    let battery = example.charge.map { Battery(charge: .percent($0), isCharging: example.isCharging) }
    let conditions = FetchConditions(example.policy, battery: battery)
    #expect(conditions.cap?.quality == example.quality)
    #expect(conditions.restraint == (example.isHeld ? battery.map { .battery($0) } : nil))
  }

  @Test("a metered network comes before the battery, and the machine without either limits nothing")
  func metered() {
    let battery = Battery(charge: .percent(10), isCharging: false)
    var conditions = FetchConditions(Self.all, battery: battery)
    conditions.isMetered = true
    #expect(conditions.restraint == .metered && conditions.cap?.quality == .low)
    #expect(FetchConditions(Self.all, battery: nil) == FetchConditions())
  }

  @Test("a lower quality is for items of which nothing is here, and whose bytes are not declared")
  func cap() throws {
    let cap = try #require(
      FetchConditions(Self.all, battery: Battery(charge: .percent(5), isCharging: false)).cap)
    func entry(_ name: String, _ change: (inout Item) -> Void = { _ in }) throws -> DesiredItem {
      var item = try item(name, url: "https://h.example/\(name)/high.mp3")
      var urls = QualityURLs()
      urls.high = item.main.url
      urls.low = try RemoteURL("https://h.example/\(name)/low.mp3")
      urls.wanted = .high
      item.urls = urls
      change(&item)
      return DesiredItem(
        Boxed(item), memberships: [], priority: .normal, isPinned: false, layout: .item, playlistTitle: "P",
        unselected: nil, isFromSource: false)
    }
    var state = DesiredState()
    state.items = BoxedArray([
      try entry("a"), try entry("here"), try entry("exact") { $0.size = .exact(ByteCount(9)) },
      try entry("lowest") { $0.urls?.wanted = .low }, try entry("single") { $0.urls = nil },
      try entry("about") { $0.size = .about(ByteCount(9)) },
    ])
    var here = QueueItem(item: try item("here"), memberships: [], queuedAt: Timestamp(secondsSince1970: 1))
    here.complete(try storedFile("here.mp3", completedAt: Timestamp(secondsSince1970: 1)))
    let queue = Queue(libraryID: "1", savedAt: Timestamp(secondsSince1970: 1), items: [here])
    var seen = LibraryObservation(freeSpace: ByteCount(1_000_000))
    seen.finished[here.id] = .file(size: ByteCount(1000))
    #expect(state.limitQuality(to: cap, queue, seen) == [try id("a"), try id("about")])
    let urls = state.items.map(\.item.main.url.text)
    #expect(
      urls
        == ["a/low", "here/high", "exact/high", "lowest/high", "single/high", "about/low"].map {
          "https://h.example/\($0).mp3"
        })
    #expect(state.items[5].item.size == nil && state.items[0].item.urls?.wanted == .low)
  }
}
