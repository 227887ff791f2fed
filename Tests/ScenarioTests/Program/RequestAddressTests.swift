// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("the address of a request")
struct RequestAddressTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
  }

  private var audio: Resource { Resource(bytes: GeneratedAudio(title: "A", seconds: 1, seed: 1).bytes) }

  private func declare(_ path: String) throws {
    try home.declare(
      """
      downloads: { retries: 0, network: { allow_private: true } }
      playlists: { mix: { items: [{ id: a, title: A, url: "\(server.url(path))" }] } }
      """)
  }

  /// A redirect whose `Location` is not UTF-8.
  private func redirect(to location: [UInt8]) -> Behaviour {
    let start = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nConnection: close\r\nLocation: "
    return Behaviour().with { $0.answer = .raw(Array(start.utf8) + location + Array("\r\n\r\n".utf8)) }
  }

  @Test("has the bytes outside ASCII of path and query percent-encoded as UTF-8")
  func encoded() throws {
    server.serve("/caf%C3%A9.mp3", audio)
    try declare("/café.mp3?q=é&r=%c3%a9")
    #expect(try home.run().result.ending == .exited(0))
    #expect(server.requests.map(\.target) == ["/caf%C3%A9.mp3?q=%C3%A9&r=%c3%a9"])
    #expect(try home.run().report[path: "totals.unchanged"] == .number(1))
  }

  @Test("keeps the bytes of a redirect that are not UTF-8")
  func redirected() throws {
    server.serve("/L%E9.mp3", audio)
    server.script("/a.mp3", [redirect(to: Array("/L".utf8) + [0xE9] + Array(".mp3?q=".utf8) + [0xE9])])
    try declare("/a.mp3")
    #expect(try home.run().result.ending == .exited(0))
    #expect(server.requests.map(\.target) == ["/a.mp3", "/L%E9.mp3?q=%E9"])
  }

  @Test("never comes from a redirect without a host", arguments: ["http:///", "http:/", "http:", "///", "////"])
  func withoutHost(start: String) throws {
    let host = server.url("").dropFirst("http://".count)
    server.serve("/b.mp3", audio)
    server.script("/a.mp3", [.redirect(to: "\(start)\(host)/b.mp3")])
    try declare("/a.mp3")
    let (result, report) = try home.run()
    #expect(result.ending == .exited(3))
    #expect(report[path: "items.0.error.kind"] == .string("invalid_url"))
    #expect(server.requests.map(\.path) == ["/a.mp3"])
  }
}
