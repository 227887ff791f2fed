// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("hosts that are in trouble")
struct HostFaultTests {
  private let audio = GeneratedAudio(title: "A", seconds: 1, seed: 1).bytes

  @Test("one host of five that has no address costs its own item alone")
  func oneOfFive() throws {
    let home = try LibraryFixture()
    let servers = try (2...5).map { try FaultServer(address: "127.0.0.\($0)") }
    for server in servers { server.serve("/a.mp3", Resource(bytes: audio)) }
    let urls = ["http://nowhere.invalid/a.mp3"] + servers.map { $0.url("/a.mp3") }
    try home.declare("downloads: { retries: 1, backoff: { initial: 1ms } }\n\(items(urls))")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(5), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(4))
    #expect(report[path: "items[id=i0].error.kind"] == .string("dns"))
    #expect(report[path: "items[id=i0].error.temporary"] == .bool(true))
    #expect(report[path: "items[id=i0].attempts"] == .number(2))
    #expect(try home.ownedPaths().count == 4)
    #expect(try home.strays() == [])
    for server in servers { #expect(server.requests.map(\.line) == ["GET /a.mp3 200"]) }
  }

  @Test("a Retry-After that is no sane wait ends the run, and the next attempt lies within a year")
  func absurdRetryAfter() throws {
    let home = try LibraryFixture()
    let values = [
      "99999999999999999999", "31536000000", "Fri, 31 Dec 9999 23:59:59 GMT", "-5", "Sun, 06 Nov 1994 08:49:37 GMT",
      "soon", "1e9", "",
    ]
    // A server that asks for a pause gets no more requests, so each value has a server of its own.
    let servers = try values.map { _ in try FaultServer() }
    for (server, value) in zip(servers, values) { server.script("/a.mp3", [.status(503, ["Retry-After": value])]) }
    try home.declare("downloads: { retries: 0 }\n\(items(servers.map { $0.url("/a.mp3") }))")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(5), "\(result.standardError)")
    #expect(report[path: "outcome"] == .string("temporary"))
    #expect(result.seconds < 10)
    for server in servers { #expect(server.requests.map(\.line) == ["GET /a.mp3 503"]) }
    let year = try #require(report[path: "started_at"]?.description.prefix(4).description)
    let next = try #require(Int(year)) + 1
    let states = try home.list()
    let status = try JSONValue(home.command("status", "--json").run().stdout)
    for (index, value) in values.enumerated() {
      let at = status[path: "next_attempts[id=i\(index)].at"]
      if index < 3 {
        let moment = try #require(at).description
        #expect(moment.hasPrefix("\(next)-") || moment.hasPrefix("\(year)-12-31"), "\(value): \(moment)")
      } else if let at {
        #expect(at.description.hasPrefix(year) || at.description.hasPrefix("\(next)-01-01"), "\(value): \(at)")
      } else {
        #expect(states["i\(index)"]?[path: "state"] == .string("failed"), "\(value)")
      }
    }
    // The queue file can be continued.
    for server in servers {
      server.script("/a.mp3", [])
      server.serve("/a.mp3", Resource(bytes: audio))
    }
    let later = try home.command("run", "--quiet", "--now", "2090-01-01T00:00:00Z").run()
    #expect(later.ending == .exited(0), "\(later.standardError)")
    #expect(try home.ownedPaths().count == values.count)
  }

  @Test("the waits between retries grow, differ from each other, and are kept")
  func waits() throws {
    let home = try LibraryFixture()
    // Each has a server of its own, because a fourth error in a row would hold up the other requests of a server.
    let servers = try (0..<12).map { _ in try FaultServer() }
    for server in servers {
      server.serve("/a.mp3", Resource(bytes: audio))
      server.script("/a.mp3", [.status(500), .status(500), .status(500), .honest])
    }
    let backoff = "{ concurrency: 12, per_host: 12, retries: 3, backoff: { initial: 100ms, factor: 2, max: 10s } }"
    try home.declare("downloads: \(backoff)\n\(items(servers.map { $0.url("/a.mp3") }))")
    let log = home.folder.file("events.jsonl")
    #expect(try home.command("run", "--quiet", "--events", log).run().ending == .exited(0))
    var waits: [Int: [Double]] = [:]
    for line in try FileBytes.text(log).split(separator: "\n") {
      let event = try JSONValue(Array(line.utf8))
      guard event[path: "event"] == .string("item_retrying"), case .number(let wait)? = event[path: "wait_seconds"],
        case .number(let attempt)? = event[path: "attempts"], let id = event[path: "id"]?.description.dropFirst(),
        let index = Int(id)
      else { continue }
      waits[Int(attempt), default: []].append(wait)
      let requests = servers[index].requests
      let gap = requests[Int(attempt)].startedAt - requests[Int(attempt) - 1].startedAt
      #expect(gap >= wait - 0.001, "attempt \(attempt) of \(index)")
    }
    for attempt in 1...3 {
      let drawn = try #require(waits[attempt])
      let longest = 0.1 * Double(1 << (attempt - 1))
      #expect(drawn.count == servers.count && drawn.allSatisfy { (0...longest + 0.001).contains($0) }, "\(drawn)")
      #expect(Set(drawn).count > servers.count / 2, "\(drawn)")
    }
    // Twelve draws from 0 up to four times as much: the probability that none is longer is 10^-7.
    #expect((waits[3]?.max() ?? 0) > (waits[1]?.max() ?? 1))
  }

  private func items(_ urls: [String]) -> String {
    let items = urls.enumerated().map { "{ id: i\($0), title: I\($0), url: \"\($1)\" }" }
    return "playlists: { all: { items: [\(items.joined(separator: ", "))] } }"
  }
}
