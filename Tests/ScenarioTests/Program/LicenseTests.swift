// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport
import Testing

/// Licences, with the reference server on a clock of its own.
@Suite("licences")
struct LicenseTests {
  private let media: FaultServer
  private let licenses: LicenseServer
  private let home: LibraryFixture
  private let audio = GeneratedAudio(title: "Night Drive", seconds: 2, seed: 1)
  /// A day that no test comes near by its own clock.
  private let start = Timeline.start

  init() throws {
    media = try FaultServer()
    licenses = try LicenseServer()
    home = try LibraryFixture()
    media.serve("/a.mp3", Resource(bytes: audio.bytes, etag: "\"a\""))
    licenses.change { $0.setTime(Timeline.start) }
  }

  private var clear: String { "\(home.library)/all/a.mp3" }
  private var sealed: String { "\(clear).sealed" }
  private var locked: String { "\(home.state)/locked" }

  private func declare(
    _ policy: String = "", server: Bool = true, items: [String] = ["a"], more: String = "", item: String = ""
  ) throws {
    let place = server ? "server: { url: \"\(licenses.url)\" }" : ""
    let parts = [place, policy].filter { !$0.isEmpty }.joined(separator: ", ")
    try home.declare(
      """
      licenses: { \(parts) }
      storage: { min_free: 0 }
      downloads: { retries: 0 }
      \(more)
      playlists:
        all:
          items:
      \(items.map { "      - { id: \($0), title: \($0), url: \"\(media.url("/\($0).mp3"))\"\(item) }" }.joined(separator: "\n"))
      """)
  }

  /// Runs at a time after the start, by the clocks of this machine and of the server.
  @discardableResult
  private func run(
    day: Double = 0, _ status: Int32 = 0, command: String = "run", serverDay: Double? = nil
  ) throws -> JSONValue {
    licenses.change { $0.setTime(start + Int((serverDay ?? day) * 86_400)) }
    let result = try home.command(command, "--json", "--now", Timeline.text(day)).run()
    #expect(result.ending == .exited(status), "\(result.standardError) \(result.standardOutput)")
    return result.stdout.isEmpty ? .null : try JSONValue(result.stdout)
  }

  private func state(day: Double = 0) throws -> String? {
    let lines = try home.command("list", "--json", "--now", Timeline.text(day)).run().standardOutput
    return try JSONValue(Array(lines.utf8))[path: "offline_state"]?.description
  }

  private func cat(day: Double = 0) throws -> CommandResult {
    try home.command(["cat", "--manifest", home.manifest, "a", "--now", Timeline.text(day)]).run()
  }

  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
  private func warnings(_ report: JSONValue) -> String { "\(report[path: "warnings"] ?? .null)" }
  private var requested: Int { licenses.requests(to: licenses.licensesPath).count }

  // MARK: Both come

  @Test("media are finished with their licence, which the next run does not request again")
  func both() throws {
    try declare()
    let report = try run()
    #expect(try FileBytes.read(clear) == audio.bytes)
    #expect(report[path: "offline.offlined_and_valid"] == .number(1), "\(report)")
    #expect(try state() == "offlined_and_valid")
    #expect(licenses.devices.count == 1)
    try run(day: 1)
    #expect(requested == 1 && media.requests.count == 1)
    #expect(try home.strays() == [])
  }

  @Test("many items share a request")
  func batches() throws {
    let items = (1...150).map { "i\($0)" }
    for item in items { media.serve("/\(item).mp3", Resource(bytes: audio.bytes, etag: "\"\(item)\"")) }
    try declare(items: items)
    try run()
    #expect(licenses.requests(to: licenses.licensesPath).map(\.trackIDs.count).sorted() == [50, 100])
  }

  @Test("media wait for a licence that comes later", arguments: [false, true])
  func mediaFirst(contentKey: Bool) throws {
    licenses.change { $0.contentKeys = contentKey }
    let gate = try Gate()
    licenses.script(licenses.licensesPath, [.holdBack(gate)])
    try declare()
    let run = try home.command("run", "--json", "--now", Timeline.text(0)).start()
    // The whole file is here, and not published.
    #expect(
      try eventually {
        guard media.requests.first?.bytesSent == audio.bytes.count,
          let partial = try FileTree.files("\(home.state)/partial").first
        else { return false }
        return try FileBytes.read("\(home.state)/partial/\(partial)") == audio.bytes
      })
    usleep(200_000)
    #expect(!exists(clear) && !exists(sealed))
    gate.open()
    #expect(try run.wait().ending == .exited(0))
    #expect(exists(contentKey ? sealed : clear))
    #expect(try home.strays() == [])
  }

  @Test("a licence that comes first is kept when the run is stopped, and not requested again")
  func licenseFirst() throws {
    let gate = try Gate()
    media.script("/a.mp3", [.holdBack(gate), .honest])
    try declare()
    let run = try home.command("run", "--json", "--now", Timeline.text(0)).start()
    #expect(eventually { licenses.requests(to: licenses.licensesPath).first?.status == 200 })
    usleep(300_000)
    run.signal(SIGTERM)
    #expect(run.wait().ending == .exited(143))
    gate.open()
    #expect(try state() == "not_offlined")
    try self.run()
    #expect(exists(clear) && requested == 1)
  }

  @Test("media are not published without a licence, and are not fetched again when it comes")
  func unanswered() throws {
    licenses.script(licenses.licensesPath, [.status(503)])
    try declare()
    let report = try run(5)
    #expect("\(report)".contains("no licence from"), "\(report)")
    #expect(!exists(clear) && exists("\(home.state)/partial"))
    licenses.script(licenses.licensesPath, [.honest])
    try run()
    #expect(try FileBytes.read(clear) == audio.bytes)
    #expect(media.requests.filter { $0.path == "/a.mp3" }.map(\.bytesSent).reduce(0, +) < audio.bytes.count + 20_000)
  }

  @Test("a refusal fails the item for good", arguments: LicenseServer.Refusal.allCases)
  func refused(refusal: LicenseServer.Refusal) throws {
    licenses.change { $0.tracks["a"] = .init(refusal: refusal) }
    try declare()
    let report = try run(3)
    #expect("\(report)".contains("refuses the licence"), "\(report)")
    #expect(!exists(clear))
    let list = try home.command("licenses").run().standardOutput
    #expect(list.contains("refused: \(refusal.rawValue)"), "\(list)")
    // No run asks again by itself.
    try run(3)
    #expect(requested == 1)
    licenses.change { $0.tracks = [:] }
    try home.edit("retry", "a")
    try run()
    #expect(exists(clear))
  }

  // MARK: Content keys

  @Test("a content key seals the file, and no byte of either is elsewhere", arguments: [false, true])
  func contentKey(encrypted: Bool) throws {
    licenses.change { $0.contentKeys = true }
    let keys = home.folder.file("keys")
    try declare(
      more: encrypted ? "protect: { mode: encrypt, keys_file: \"\(keys)\", partials: ./plain }" : "")
    if encrypted { #expect(try home.command(["key", "new", home.manifest]).run().ending == .exited(0)) }
    try run()
    #expect(try FileBytes.read(sealed).count == audio.bytes.count + 56)
    #expect(try cat().stdout == audio.bytes)
    #expect(try home.command("verify", "--deep").run().ending == .exited(0))
    guard encrypted else { return }
    let key = LicenseServer.contentKey(of: "a")
    let form = Array(try Command("/usr/bin/base64", input: .bytes(key)).run().standardOutput.utf8.prefix(40))
    for path in try FileTree.files(home.folder.path, hidden: true) {
      let bytes = try FileBytes.read(home.folder.file(path))
      for part in [key, form, Array(audio.bytes[1000..<1064])] { #expect(!bytes.holds(part), "\(path)") }
    }
  }

  @Test("when it is over, its key is destroyed, and renewal brings it back without fetching")
  func keyDestroyed() throws {
    licenses.change { $0.contentKeys = true }
    try declare()
    try run()
    let form = Array(
      try Command("/usr/bin/base64", input: .bytes(LicenseServer.contentKey(of: "a"))).run().stdout.prefix(40))
    #expect(try FileBytes.read("\(home.state)/licenses.json").holds(form))
    licenses.script(licenses.licensesPath, [.status(500)])
    let report = try run(day: 31, 5)
    #expect(warnings(report).contains("no licence from"), "\(report)")
    #expect(exists(sealed))
    #expect(try state(day: 31) == "offlined_but_not_valid")
    #expect(try cat(day: 31).ending == .exited(3))
    for path in try FileTree.files(home.state, hidden: true) {
      #expect(try !FileBytes.read("\(home.state)/\(path)").holds(form), "\(path)")
    }
    // Nothing is damaged, so that nothing is repaired.
    #expect(try home.command("verify", "--deep", "--now", Timeline.text(31)).run().ending == .exited(0))
    licenses.script(licenses.licensesPath, [.honest])
    try run(day: 31)
    #expect(try cat(day: 31).stdout == audio.bytes)
    #expect(media.requests.count == 1)
  }

  @Test("a renewal with another key is refused, and loses nothing")
  func otherKey() throws {
    licenses.change { $0.contentKeys = true }
    try declare()
    try run()
    licenses.change { $0.tracks["a"] = .init(contentKey: Array(repeating: 7, count: 32)) }
    let report = try run(day: 25)
    #expect(warnings(report).contains("another content key"), "\(report)")
    #expect(try cat(day: 25).stdout == audio.bytes)
    licenses.change { $0.tracks = [:] }
    try run(day: 26)
    #expect(try cat(day: 40).stdout == audio.bytes)
  }

  // MARK: The end

  @Test("a file whose licence is over leaves the visible library, and comes back without fetching")
  func locks() throws {
    try declare("on_expiry: lock")
    try run()
    licenses.change { $0.tracks["a"] = .init(refusal: .subscriptionRequired) }
    let plan = try home.command("plan", "--now", Timeline.text(31)).run().standardOutput
    #expect(plan.contains("from all/a.mp3; without a valid licence"), "\(plan)")
    let events = home.folder.file("events")
    licenses.change { $0.setTime(start + 31 * 86_400) }
    #expect(
      try home.command("run", "--now", Timeline.text(31), "--events", events).run().ending == .exited(3))
    #expect(!exists(clear))
    #expect(try FileTree.files(locked).count == 1)
    #expect(try FileTree.files(home.library).isEmpty)
    let lines = String(decoding: try FileBytes.read(events), as: UTF8.self)
    #expect(lines.contains("\"offline_state\":\"offlined_but_not_valid\""), "\(lines)")
    #expect(try cat(day: 31).ending == .exited(3))
    #expect(try home.strays() == [])
    // It stays there.
    try run(day: 32, 3)
    #expect(try FileTree.files(locked).count == 1)
    licenses.change { $0.tracks = [:] }
    try run(day: 33)
    #expect(try FileBytes.read(clear) == audio.bytes)
    #expect(media.requests.count == 1)
    #expect(try state(day: 33) == "offlined_and_valid")
  }

  @Test("every listing shows the offline states, and an event each change of one")
  func listings() throws {
    media.serve("/b.mp3", Resource(bytes: audio.bytes, etag: "\"b\""))
    licenses.change { $0.tracks["b"] = .init(refusal: .regionRestricted) }
    try declare(items: ["a", "b"], more: "report: { metrics: ./m.prom }")
    let expected: [(day: Double, status: Int32, states: [String: Int], item: String?, end: String)] = [
      (0, 3, ["not_offlined": 1, "offlined_and_valid": 1], nil, "\(start + 30 * 86_400)"),
      (31, 3, ["not_offlined": 1, "offlined_but_not_valid": 1], "offlined_but_not_valid", "0"),
      (32, 3, ["not_offlined": 1, "offlined_and_valid": 1], "offlined_and_valid", "\(start + 62 * 86_400)"),
    ]
    for row in expected {
      licenses.change { $0.tracks["a"] = row.day == 31 ? .init(refusal: .expired) : nil }
      licenses.change { $0.setTime(start + Int(row.day * 86_400)) }
      let events = home.folder.file("events-\(row.day)")
      let result = try home.command("run", "--json", "--now", Timeline.text(row.day), "--events", events).run()
      #expect(result.ending == .exited(row.status), "\(result.standardError)")
      let status = try home.command("status", "--json", "--now", Timeline.text(row.day)).run().stdout
      for document in [try JSONValue(result.stdout), try JSONValue(status)] {
        for state in ["not_offlined", "offlined_and_valid", "offlined_but_not_valid"] {
          #expect(
            document[path: "offline.\(state)"] == .number(Double(row.states[state] ?? 0)), "\(state): \(document)")
        }
      }
      let text = try home.command("status", "--now", Timeline.text(row.day)).run().standardOutput
      #expect(text.contains("Licences"), "\(text)")
      #expect(text.contains("without a valid one") == (row.day == 31), "\(text)")
      let metrics = String(decoding: try FileBytes.read(home.folder.file("m.prom")), as: UTF8.self)
        .split(separator: "\n")
      for (state, count) in row.states {
        let shown = metrics.contains { $0.contains("offline_state=\"\(state)\"") && $0.hasSuffix(" \(count)") }
        #expect(shown, "\(metrics)")
      }
      let end = "syncjob_license_next_expiry_timestamp_seconds{"
      #expect(metrics.contains { $0.hasPrefix(end) && $0.hasSuffix(" \(row.end)") }, "\(metrics)")
      let queue = String(decoding: try FileBytes.read("\(home.state)/download_queue.json"), as: UTF8.self)
      #expect(row.states.keys.allSatisfy { queue.contains("\"offline_state\":\"\($0)\"") }, "\(queue)")
      guard let item = row.item else { continue }
      let changes = String(decoding: try FileBytes.read(events), as: UTF8.self).split(separator: "\n")
        .filter { $0.contains("item_offline_state_changed") }
      #expect(changes.count == 1 && changes[0].contains("\"id\":\"a\"") && changes[0].contains(item), "\(changes)")
    }
  }

  @Test("or is removed, although it is pinned, and fetched again with a new licence")
  func removes() throws {
    try declare("on_expiry: remove", item: ", pin: true")
    try run()
    licenses.change { $0.tracks["a"] = .init(refusal: .expired) }
    let report = try run(day: 31, 3)
    #expect(report[path: "totals.removed"] == .number(1), "\(report)")
    #expect(!exists(clear))
    let again = try run(day: 32, 3)
    #expect(again[path: "totals.downloaded"] == .number(0), "\(again)")
    licenses.change { $0.tracks = [:] }
    #expect(try run(day: 33)[path: "totals.downloaded"] == .number(1))
    #expect(exists(clear))
  }

  @Test("without a network a licence stays valid up to its end")
  func offline() throws {
    try declare()
    try run()
    licenses.script(licenses.licensesPath, [.status(500)])
    let report = try run(day: 28)
    #expect(warnings(report).contains("its licence ends at"), "\(report)")
    #expect(exists(clear))
    #expect(try state(day: 29.9) == "offlined_and_valid")
    #expect(try state(day: 30.1) == "offlined_but_not_valid")
  }

  @Test("a licence is renewed before its end, and not much before that")
  func renewal() throws {
    try declare("valid_for: 30d, renew_before: 7d")
    try run()
    try run(day: 20)
    #expect(requested == 1)
    try run(day: 23.1)
    #expect(requested == 2)
    #expect(try state(day: 50) == "offlined_and_valid")
    #expect(media.requests.count == 1)
  }

  @Test("nobody prolongs a licence by setting the clock back")
  func clockBack() throws {
    try declare()
    try run()
    licenses.script(licenses.licensesPath, [.status(500)])
    try run(day: 30.2, 5)
    #expect(!exists(clear))
    // Less than a day is no reason to doubt the clock.
    try run(day: 29.9, 5)
    #expect(!exists(clear))
    #expect(try state(day: 29) == "offlined_but_not_valid")
    #expect(try cat(day: 5).ending == .exited(3))
    #expect(!exists(clear))
  }

  @Test("what is in the way of a locked file stays, and so does what took its place")
  func obstacles() throws {
    try declare()
    try run()
    let tag = "296230c0"
    try FileBytes.write("foreign", to: "\(locked)/\(tag).mp3")
    licenses.change { $0.tracks["a"] = .init(refusal: .expired) }
    try run(day: 31, 3)
    #expect(try FileTree.files(locked).sorted() == ["\(tag)-1.mp3", "\(tag).mp3"])
    #expect(try FileBytes.read("\(locked)/\(tag).mp3") == Array("foreign".utf8))
    try FileBytes.write("mine", to: clear)
    licenses.change { $0.tracks = [:] }
    try run(day: 32)
    #expect(try FileBytes.read(clear) == Array("mine".utf8))
    #expect(exists("\(home.library)/all/a [\(tag)].mp3"))
    #expect(try cat(day: 32).stdout == audio.bytes)
  }

  @Test("a run that is refused destroys no key")
  func refusedRun() throws {
    licenses.change { $0.contentKeys = true }
    try declare("on_expiry: remove")
    try run()
    licenses.script(licenses.licensesPath, [.status(500)])
    licenses.change { $0.setTime(start + 31 * 86_400) }
    let result = try home.command("run", "--max-delete", "0", "--now", Timeline.text(31)).run()
    #expect(result.ending == .exited(12), "\(result.standardOutput)")
    licenses.script(licenses.licensesPath, [.honest])
    #expect(try FileBytes.read("\(home.state)/licenses.json").holds(Array("content_keys\":[{".utf8)))
  }

  @Test("a saved plan locks what it says, and no list names it")
  func applied() throws {
    try declare()
    try run()
    licenses.script(licenses.licensesPath, [.status(500)])
    let plan = home.folder.file("saved.plan")
    #expect(try home.command("plan", "-o", plan, "--now", Timeline.text(31)).run().ending == .exited(0))
    let apply = home.command(["apply", plan, "--manifest", home.manifest, "--now", Timeline.text(31)])
    #expect(try apply.run().ending == .exited(0))
    #expect(!exists(clear))
    #expect(try state(day: 31) == "offlined_but_not_valid")
    // A list of nothing is not written.
    #expect(!exists("\(home.library)/all.m3u8"))
    let paths = try home.command(["export", "m3u8", "--paths", "--playlist", "all", home.manifest]).run()
    #expect(paths.ending == .exited(0) && !paths.standardOutput.contains("locked"), "\(paths)")
  }

  @Test("a licence that ends while the media arrive is none")
  func endsMeanwhile() throws {
    let gate = try Gate()
    media.script("/a.mp3", [.holdBack(gate), .honest])
    licenses.change { $0.tracks["a"] = .init(validity: 2) }
    try declare()
    let run = try home.command("run", "--now", Timeline.text(0)).start()
    #expect(eventually { licenses.requests(to: licenses.licensesPath).first?.status == 200 })
    sleep(3)
    gate.open()
    #expect(run.wait().ending == .exited(5))
    #expect(!exists(clear))
    licenses.change { $0.tracks = [:] }
    try self.run(day: 1)
    #expect(exists(clear))
  }

  // MARK: Restrictions

  @Test("the quality that the licence allows is fetched, even if another is wanted")
  func quality() throws {
    licenses.change { $0.restrictions.qualityLimit = "low" }
    let low = GeneratedAudio(title: "Low", seconds: 2, seed: 2).bytes
    media.serve("/low.mp3", Resource(bytes: low, etag: "\"low\""))
    try home.declare(
      """
      licenses: { server: { url: "\(licenses.url)" } }
      storage: { min_free: 0 }
      playlists:
        all:
          quality: high
          items:
            - { id: a, title: a, urls: { low: "\(media.url("/low.mp3"))", high: "\(media.url("/a.mp3"))" } }
      """)
    try run()
    #expect(try FileBytes.read(clear) == low)
    #expect(media.requests.map(\.path) == ["/low.mp3"])
    #expect(try run(day: 1)[path: "totals.unchanged"] == .number(1))
    // A better licence brings the wanted quality.
    licenses.change { $0.restrictions.qualityLimit = "high" }
    #expect(try run(day: 25)[path: "totals.upgraded"] == .number(1))
    #expect(try FileBytes.read(clear) == audio.bytes)
  }

  @Test("media may not leave the library if the licence forbids it")
  func noExport() throws {
    licenses.change {
      $0.contentKeys = true
      $0.restrictions.allowsExport = false
    }
    try declare()
    try run()
    let cat = try cat()
    #expect(cat.ending == .exited(3) && cat.stdout.isEmpty && cat.standardError.contains("allows_export"))
    let copy = home.folder.file("copy.mp3")
    let decrypt = home.command(["decrypt", "--manifest", home.manifest, "a", "-o", copy, "--now", Timeline.text(0)])
    #expect(try decrypt.run().ending == .exited(3) && !exists(copy))
  }

  @Test("devices are registered once, listed and released")
  func devices() throws {
    licenses.change { $0.maxDevices = 1 }
    try declare()
    try run()
    let own = try #require(licenses.devices.first?.id)
    let list = try home.command(["licenses", "devices", home.manifest]).run()
    #expect(list.standardOutput.contains("\(own)") && list.standardOutput.contains("this device"), "\(list)")
    #expect(list.standardOutput.contains("1 of 1 device"))
    #expect(try home.command(["licenses", "release", home.manifest]).run().ending == .exited(0))
    #expect(licenses.devices.isEmpty)
    let unknown = try home.command(["licenses", "release", "--device", "zz", home.manifest]).run()
    #expect(unknown.ending == .exited(64) && unknown.standardError.contains("no single device"), "\(unknown)")
    // A run does not take the place again.
    let report = try run(day: 25)
    #expect(warnings(report).contains("licenses register"), "\(report)")
    #expect(licenses.devices.isEmpty && exists(clear))
    #expect(try home.command(["licenses", "register", home.manifest]).run().ending == .exited(0))
    #expect(licenses.devices.map(\.id) == [own])
    let short = String(own.prefix(8))
    #expect(try home.command(["licenses", "release", "--device", short, home.manifest]).run().ending == .exited(0))
    #expect(licenses.devices.isEmpty)
    #expect(try home.command(["licenses", "register", home.manifest]).run().ending == .exited(0))
    // Another library is another device, for which there is no room.
    let other = try LibraryFixture()
    try FileBytes.write(try FileBytes.read(home.manifest), to: other.manifest)
    let refused = try other.command("run", "--now", Timeline.text(25)).run()
    #expect(
      refused.ending == .exited(3) && (refused.standardError + refused.standardOutput).contains("not registered"),
      "\(refused)")
  }

  // MARK: Places and login

  @Test("an item may have a place of its own, or need no licence")
  func places() throws {
    licenses.serveSingle("/l/a", track: "a")
    media.serve("/b.mp3", Resource(bytes: audio.bytes, etag: "\"b\""))
    try declare(server: false, item: ", license: { url: \"\(licenses.url(of: "/l/a"))\" }")
    try run()
    #expect(exists(clear) && licenses.requests(to: "/l/a").count == 1 && licenses.devices.isEmpty)
    // The next run has the manifest from its cache.
    try run(day: 25)
    #expect(exists(clear) && licenses.requests(to: "/l/a").count == 2)
    try declare(items: ["b"], item: ", license: none")
    try run()
    #expect(exists("\(home.library)/all/b.mp3") && requested == 0)
  }

  @Test("the login goes to the licence server alone, and is shown nowhere")
  func login() throws {
    licenses.change { $0.token = "geheimnis-1234" }
    try home.declare(
      """
      licenses: { server: { url: "\(licenses.url)", auth: { bearer: geheimnis-1234 } } }
      storage: { min_free: 0 }
      playlists: { all: { items: [ { id: a, title: a, url: "\(media.url("/a.mp3"))" } ] } }
      """)
    let result = try home.command("run", "--now", Timeline.text(0)).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(media.requests.allSatisfy { !$0.headers.contains { $0.name.lowercased() == "authorization" } })
    #expect(try !home.traces(result).contains("geheimnis-1234"))
  }

  // MARK: Bad answers

  @Test("nonsense is no licence, and is asked for again", arguments: Nonsense.allCases)
  func nonsense(kind: Nonsense) throws {
    licenses.change { policy in policy.answer = { path, _ in path.hasSuffix("/licenses") ? kind.answer : nil } }
    try declare()
    let report = try run(kind.isRefusal ? 3 : 5)
    #expect("\(report)".contains(kind.words), "\(kind): \(report)")
    #expect(!exists(clear))
    licenses.change { $0.answer = nil }
    if kind.isRefusal { try home.edit("retry", "a") }
    try run()
    #expect(exists(clear))
  }

  enum Nonsense: CaseIterable {
    case text, otherTrack, future, over, unknownRestriction, huge, refusedWithSuccess, badKey, noTimes, none, webPage

    var isRefusal: Bool { self == .refusedWithSuccess }

    var words: String {
      switch self {
      case .text: "its answer cannot be understood"
      case .otherTrack, .none: "leaves this item out"
      case .future: "issued in the future"
      case .over: "was over already"
      case .unknownRestriction: "the restriction \"no_sundays\""
      case .huge: "more than 1048576 bytes"
      case .refusedWithSuccess: "the right to this item has expired"
      case .badKey: "no usable \"content_key\""
      case .noTimes: "no usable \"issued_at\""
      case .webPage: "the server answered 403"
      }
    }

    fileprivate var answer: LicenseServer.Answer {
      func document(_ change: (inout LicenseServer.Document) -> Void = { _ in }) -> LicenseServer.Answer {
        var document = LicenseServer.Document(
          trackID: "a", issuedAt: Timeline.start, expiresAt: Timeline.start + 86_400)
        change(&document)
        return .init(200, "{\"licenses\":[\(document.text)]}")
      }
      return switch self {
      case .text: .init(200, "hello")
      case .otherTrack: document { $0.trackID = "b" }
      case .future: document { $0.issuedAt += 3600 }
      case .over: document { ($0.issuedAt, $0.expiresAt) = (Timeline.start - 7200, Timeline.start - 3600) }
      case .unknownRestriction: document { $0.restrictions.others = ["no_sundays": 1] }
      case .huge: .init(200, String(repeating: " ", count: 10_000_000))
      case .refusedWithSuccess: .init(200, "{\"error\":\"expired\"}")
      case .badKey: document { $0.contentKey = [1, 2, 3] }
      case .noTimes: .init(200, "{\"licenses\":[{\"track_id\":\"a\"}]}")
      case .none: .init(200, "{\"licenses\":[]}")
      case .webPage: .init(403, "<html>")
      }
    }
  }

  @Test("a damaged licenses.json is put aside, and the keys come back")
  func damagedKeys() throws {
    licenses.change { $0.contentKeys = true }
    try declare()
    try run()
    try FileBytes.write("{}", to: "\(home.state)/licenses.json")
    let report = try run(day: 1)
    #expect(warnings(report).contains("licenses.json was damaged"), "\(report)")
    #expect(try cat(day: 1).stdout == audio.bytes)
  }

  @Test("a licence whose key is lost is none")
  func lostKeys() throws {
    licenses.change { $0.contentKeys = true }
    try declare()
    try run()
    #expect(unlink("\(home.state)/licenses.json") == 0)
    licenses.script(licenses.licensesPath, [.status(500)])
    try run(day: 1, 5)
    #expect(try state(day: 1) == "offlined_but_not_valid")
    let cat = try cat(day: 1)
    #expect(cat.ending == .exited(3) && cat.standardError.contains("a run asks for one"), "\(cat)")
    licenses.script(licenses.licensesPath, [.honest])
    try run(day: 1)
    #expect(try self.cat(day: 1).stdout == audio.bytes)
  }

  @Test("a plan requests nothing")
  func plan() throws {
    try declare()
    try run()
    let text = try home.command("plan", "--now", Timeline.text(29)).run()
    #expect((text.standardError + text.standardOutput).contains("1 licence is due"), "\(text)")
    #expect(requested == 1)
  }
}

/// Times of these tests. They are in the future, so that the clock of the machine is behind.
enum Timeline {
  /// 1 January 2027.
  static let start = 1_798_761_600

  static func text(_ day: Double) -> String {
    let seconds = Int((day * 86_400).rounded())
    let (days, rest) = (seconds / 86_400, seconds % 86_400)
    let (month, date) = days < 31 ? ("01", days + 1) : days < 59 ? ("02", days - 30) : ("03", days - 58)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "2027-\(month)-\(two(date))T\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))Z"
  }
}

extension [UInt8] {
  fileprivate func holds(_ part: [UInt8]) -> Bool {
    guard let first = part.first, count >= part.count else { return false }
    return (0...count - part.count).contains { self[$0] == first && self[$0..<$0 + part.count].elementsEqual(part) }
  }
}
