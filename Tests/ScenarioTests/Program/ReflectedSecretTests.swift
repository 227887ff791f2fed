// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// A hostile server sends back a secret that it received, whole or in part, in each place that a run reports or stores.
@Suite("a secret that a server sends back is shown nowhere")
struct ReflectedSecretTests {
  private static let token = "T0ken-4711-of-Anna-0815"
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws {
    home = try LibraryFixture()
    server = try FaultServer()
  }

  private static let hex = "%54%30%6B%65%6E%2D%34%37%31%31%2D%6F%66%2D%41%6E%6E%61%2D%30%38%31%35"
  /// The token in Base64.
  private static let base64 = "VDBrZW4tNDcxMS1vZi1Bbm5hLTA4MTU="

  @Test(
    "in a header, a redirect, a validator or a feed's words",
    arguments: [token, "x-\(token.dropFirst(4).dropLast(3))", hex, base64])
  func reflected(form: String) throws {
    let audio = GeneratedAudio(title: "A", seconds: 1, seed: 1).bytes
    let paths = ["/coding.mp3", "/scheme.mp3", "/away.mp3", "/tag.mp3", "/length.mp3", "/range.mp3"]
    for path in paths { server.serve(path, Resource(bytes: audio, etag: path == "/tag.mp3" ? "\"\(form)\"" : nil)) }
    server.script("/coding.mp3", [.contentEncoding(form)])
    server.script("/scheme.mp3", [.redirect(to: "ftp://a.example/\(form)/x")])
    server.script("/away.mp3", [.redirect(to: "/\(form)/gone.mp3")])
    server.script("/tag.mp3", [.breakOff(after: 4000), .status(404)])
    server.script("/length.mp3", [.contentLength("12\(form)")])
    server.serve("/feed.xml", Resource(text: feed(form), etag: "\"\(form)\""))
    let items = paths.map { "{ id: \($0.dropFirst().prefix { $0 != "." }), url: \"\(server.url($0))\" }" }
    try home.declare(
      """
      downloads: { retries: 1, backoff: { initial: 1ms } }
      playlists:
        one: { auth: { bearer: \(Self.token) }, items: [\(items.joined(separator: ", "))] }
        two: { auth: { bearer: \(Self.token) }, feed: "\(server.url("/feed.xml"))" }
      """)
    let events = home.folder.file("events")
    let results = [
      try home.command("run", "-vv", "--events", events).run(), try home.command("run", "--json").run(),
      try home.command("status").run(), try home.command("list", "--json").run(),
    ]
    #expect(server.requests.contains { $0.authorization == "Bearer \(Self.token)" })
    var text = try FileBytes.text(events)
    for result in results { text += result.standardOutput + result.standardError }
    for path in try FileTree.files(home.library, hidden: true)
    where !path.hasSuffix(".mp3") && !path.hasSuffix("/cache/two.xml") {
      text += path + String(decoding: try FileBytes.read("\(home.library)/\(path)"), as: UTF8.self)
    }
    // The feed is kept as it came, readable for its owner only, to be compared with its next version.
    for piece in [form, String(form.dropFirst(6).prefix(12)), Self.token] {
      let place = text.firstRange(of: piece).map { text[$0.lowerBound...].prefix(60) }
      #expect(place == nil, "\(piece): \(place ?? "")")
    }
    #expect(text.contains("***"))
  }

  private func feed(_ form: String) -> String {
    """
    <rss version="2.0"><channel><title>\(form)</title>
    <item><guid>g-\(form)</guid><title>Hello \(form)</title><enclosure url="\(server.url("/tag.mp3?2"))" type="audio/mpeg"/></item>
    <item><guid>h</guid><title>No \(form)</title></item>
    <item><guid>i</guid><title>Bad</title><enclosure url="ftp://\(form)/" type="audio/mpeg"/></item>
    </channel></rss>
    """
  }
}
