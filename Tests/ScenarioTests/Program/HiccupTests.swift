// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// Honest servers in trouble, with the defaults of retries and backoff. The time limits are generous: they distinguish
/// a run that continues when the server does from one that waits for each item separately.
@Suite("a server's hiccup does not end the run")
struct HiccupTests {
  private let home: LibraryFixture

  init() throws { home = try LibraryFixture() }

  private func serve(_ count: Int, in root: String) throws {
    for number in 0..<count {
      let audio = GeneratedAudio(title: "\(number)", seconds: 0.25, seed: UInt64(number)).bytes
      try FileBytes.write(audio, to: "\(root)/\(number).mp3")
    }
  }

  private func manifest(_ count: Int, _ nginx: Nginx, downloads: String = "{}") -> String {
    let items = (0..<count).map { "      - { id: i\($0), title: I\($0), url: \"\(nginx.url("/\($0).mp3"))\" }" }
    return "downloads: \(downloads)\nplaylists:\n  all:\n    items:\n\(items.joined(separator: "\n"))"
  }

  @Test("a server that restarts in two seconds costs three hundred items nothing but the time", .requires(.nginx))
  func restart() throws {
    let nginx = try Nginx()
    try serve(300, in: nginx.root)
    try home.declare(manifest(300, nginx, downloads: "{ bandwidth: 500K }"))
    let run = try home.command("run", "--json").start()
    #expect(try eventually { try nginx.accessLog().count > 50 })
    nginx.stop()
    // The time for which the server is away is the subject of this test.
    sleep(2)
    try nginx.startAgain()
    let result = run.wait(timeout: 120)
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(try JSONValue(result.stdout)[path: "totals.downloaded"] == .number(300))
    #expect(result.seconds < 40)
    #expect(try home.strays() == [])
  }

  @Test("a rate limit without Retry-After ends with every file", .requires(.nginx), arguments: [429, 503])
  func rateLimit(status: Int) throws {
    let nginx = try Nginx(
      shared: "limit_req_zone $server_port zone=z:1m rate=4r/s; limit_req_status \(status);",
      locations: "location ~ mp3$ { limit_req zone=z; }")
    try serve(20, in: nginx.root)
    try home.declare(manifest(20, nginx))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(20))
    // The limit alone takes five seconds.
    #expect(result.seconds < 30)
    #expect(try nginx.accessLog().count < 50)
  }

  @Test("a server that takes one connection at a time is asked for one file at a time", .requires(.nginx))
  func oneConnection() throws {
    let nginx = try Nginx(
      shared: "limit_conn_zone $server_port zone=c:1m;", locations: "location ~ mp3$ { limit_conn c 1; limit_rate 8k; }"
    )
    try serve(6, in: nginx.root)
    try home.declare(manifest(6, nginx))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(6))
  }
}
