// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("searching for another place of an item")
struct TransferSearchTests {
  private typealias Script = TransferScript
  private static let song = Duration.seconds(225)

  private func policy(_ text: String = "ytsearch5:{artist} {title}") throws -> AlternativePolicy {
    var policy = AlternativePolicy()
    policy.search = try SearchTemplate(text)
    return policy
  }

  /// - Parameter hasURL: False for an item that has to be searched for.
  private func song(hasURL: Bool = true, alternatives: [Candidate] = []) throws -> Item {
    var song = try item("night", url: Script.main, duration: Self.song, alternatives: alternatives)
    (song.title, song.artist) = ("Night Drive", "The Roads")
    if !hasURL { song.main = Candidate(url: try RemoteURL(search: "The Roads Night Drive")) }
    return song
  }

  private func machine(
    _ item: Item, _ policy: AlternativePolicy, _ features: Features = .init(), partial: PartialDownload? = nil
  ) -> TransferMachine {
    var task = TransferTask(
      id: item.id, candidates: policy.order(of: item), declaredSize: nil, checksum: nil, partial: partial)
    task.search = ItemSearch(item, policy)
    var downloads = DownloadPolicy()
    downloads.retries = 0
    return TransferMachine(task, rules: TransferRules(downloads, features)) { "of \($0.host)" }
  }

  private let context = TransferContext(now: TransferScript.now, chance: 0.5)
  private let gone = TransferScript.head(404)

  private func searched(_ actions: [TransferAction]) -> String? {
    for case .search(let url) in actions { return url.searched }
    return nil
  }

  private func resolved(_ actions: [TransferAction]) -> String? {
    for case .resolve(let url) in actions { return String(url.lastPathComponent) }
    return nil
  }

  @Test("an item whose candidates have failed is searched for once, and the results are tried by the rules")
  func afterFailure() throws {
    let song = try song(alternatives: [candidate(Script.second, duration: Self.song)])
    var machine = machine(song, try policy())
    #expect(machine.handle(.started, context).sent == Script.main)
    #expect(machine.handle(gone, context).sent == Script.second)
    #expect(searched(machine.handle(gone, context)) == "ytsearch5:The Roads Night Drive")
    let results = try [
      candidate(Script.main, title: "Night Drive", duration: Self.song),
      candidate("https://p.example/far", title: "Night Drive", duration: .seconds(300)),
      candidate("https://p.example/b", title: "Night Drive", duration: .seconds(235)),
      candidate("https://p.example/live", title: "Night Drive (Live)", duration: Self.song),
      candidate("https://p.example/a", title: "Night Drive", duration: .seconds(227)),
      candidate("https://p.example/a", title: "Night Drive", duration: .seconds(227)),
    ]
    #expect(resolved(machine.handle(.found(results, missing: nil), context)) == "a")
    #expect(machine.task.candidates.suffix(2).map(\.confidence) == [.normal, .low])
    let problem = Failure.extraction(.unavailable(message: "x"))
    #expect(resolved(machine.handle(.failed(problem, received: .zero), context)) == "b")
    #expect(machine.handle(.failed(problem, received: .zero), context).failure != nil)
  }

  @Test("an item without a URL is searched for at once, also where no alternatives are used")
  func withoutURL() throws {
    var features = Features()
    features.alternatives = false
    var machine = machine(try song(hasURL: false), try policy(), features)
    #expect(searched(machine.handle(.started, context)) == "ytsearch5:The Roads Night Drive")
    #expect(resolved(machine.handle(.found([try candidate("https://p.example/a")], missing: nil), context)) == "a")
  }

  @Test("an item with a URL is not searched for where no alternatives are used")
  func switchedOff() throws {
    var features = Features()
    features.alternatives = false
    var machine = machine(try song(), try policy(), features)
    _ = machine.handle(.started, context)
    #expect(machine.handle(gone, context).failure != nil)
  }

  @Test("a search without a fitting result ends the item, with the number of results")
  func noneFits() throws {
    var machine = machine(try song(hasURL: false), try policy())
    _ = machine.handle(.started, context)
    let far = try (0..<3).map { try candidate("https://p.example/\($0)", duration: .seconds(9)) }
    let failure = machine.handle(.found(far, missing: nil), context).failure
    #expect(failure?.failure == .extraction(.noneFits(of: 3)) && failure?.isTemporary == false)
  }

  @Test("a search without a fitting result, of which some could not be read, is made again by a later run")
  func missingResults() throws {
    for far in [[], [try candidate("https://p.example/a", duration: .seconds(9))]] {
      var machine = machine(try song(hasURL: false), try policy())
      _ = machine.handle(.started, context)
      let failure = machine.handle(.found(far, missing: "Video unavailable"), context).failure
      #expect(failure?.failure == .extraction(.resultsMissing(besides: far.count, message: "Video unavailable")))
      #expect(failure?.isTemporary == true)
    }
  }

  @Test("a partial from a page that was found is kept, and continued when it is found again")
  func continued() throws {
    let page = "https://p.example/a"
    var machine = machine(try song(hasURL: false), try policy(), partial: try Script.partial(400, url: page))
    let place = try RemoteURL(search: "ytsearch5:The Roads Night Drive")
    #expect(machine.handle(.started, context) == [.search(place)])
    _ = machine.handle(.found([try candidate(page)], missing: nil), context)
    let actions = machine.handle(.resolved(try RemoteURL("https://cdn.example/1")), context)
    #expect(actions.contains(.send(try RemoteURL("https://cdn.example/1"), range: Script.range(400))))
  }

  @Test("a declared checksum or exact size, or a maximum of 0, excludes a search")
  func excluded() throws {
    var song = try song()
    #expect(try policy().search(for: song) != nil)
    song.size = .exact(ByteCount(9))
    #expect(try policy().search(for: song) == nil)
    song.size = nil
    var none = try policy()
    none.max = 0
    #expect(none.search(for: song) == nil)
  }

  @Test("names that an item lacks are left out, and control characters become spaces")
  func words() throws {
    var song = try song()
    (song.artist, song.title) = (nil, "A\u{1B}[31m\n--exec \u{0}B")
    let place = try #require(try policy("ytsearch5:{artist} {title} {album}").search(for: song))
    #expect(place.searched == "ytsearch5: A [31m --exec B")
    #expect(try RemoteURL(stored: place.text) == place)
    #expect(throws: RemoteURL.Problem.self) { try RemoteURL(place.text) }
    song.title = String(repeating: "é", count: 10_000)
    #expect(try policy().search(for: song)?.searched?.unicodeScalars.count == 400)
  }

  @Test(
    "a URL of a search that was changed by hand is refused",
    arguments: ["search:///", "search:///a%0Ab", "search:///a b"])
  func stored(text: String) { #expect(throws: RemoteURL.Problem.self) { try RemoteURL(stored: text) } }
}
