// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport
import Testing

@Suite("init --from-url")
struct InitFromURLTests {
  private func initialise(_ home: LibraryFixture, _ url: String, _ options: String...) throws -> CommandResult {
    try home.command("init", options: ["--from-url", url] + options).run()
  }

  private func serve(_ server: FaultServer, _ path: String, _ text: String) {
    server.serve(path, Resource(bytes: Array(text.utf8)))
  }

  private func rss(_ server: FaultServer, title: String = "World: Brief") -> String {
    """
    <rss version="2.0"><channel><title>\(title)</title>
    <item><title>One</title><guid>1</guid><enclosure url="\(server.url("/one.mp3"))" type="audio/mpeg"/></item>
    </channel></rss>
    """
  }

  @Test("writes a manifest with the feed, which is valid and runs")
  func runs() throws {
    let home = try LibraryFixture()
    let server = try FaultServer()
    server.serveAudio("one")
    serve(server, "/feed.xml", rss(server))
    let result = try initialise(home, server.url("/feed.xml"))
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(result.standardOutput.contains("next: look with `syncjob plan"))
    let text = try FileBytes.text(home.manifest)
    #expect(text.hasPrefix("# yaml-language-server: $schema="))
    #expect(
      text.contains("\n  # A podcast: the three newest")
        && text.contains("\n  world-brief:\n    title: \"World: Brief\"\n")
        && text.contains("\n  # Single files:\n"), "\(text)")
    let valid = try home.command("validate").run()
    #expect(valid.standardOutput.hasSuffix(" is valid: 1 playlist, 1 feed\n"), "\(valid.standardError)")
    // The feed names files on this machine.
    try FileBytes.write("\(text)\ndownloads: { network: { allow_private: true } }\n", to: home.manifest)
    let (run, report) = try home.run()
    #expect(run.ending == .exited(0) && report[path: "totals.downloaded"] == .number(1), "\(run.standardError)")
  }

  @Test("an address that is no feed is an error, and nothing is written")
  func refusals() throws {
    let server = try FaultServer()
    serve(server, "/page", "<!DOCTYPE html><html><head><title>x</title></head><body>hi</body></html>")
    serve(server, "/cut", String(rss(server).dropLast(30)))
    serve(server, "/list", "#EXTM3U\na.mp3\n")
    for (url, status, words) in [
      (server.url("/page"), Int32(1), "web page"), (server.url("/cut"), 1, "breaks off"),
      (server.url("/list"), 1, "no manifest was written"),
      (server.url("/missing"), 1, "404"), ("http://127.0.0.1:1/feed", 1, "refused"),
      ("feeds.example.org/world.rss", 64, "is not a URL"), ("ftp://a.example/f", 64, "is not supported"),
    ] {
      let home = try LibraryFixture()
      let result = try initialise(home, url)
      #expect(result.ending == .exited(status), "\(url): \(result.standardError)")
      #expect(result.standardError.contains(words) && result.standardOutput == "", "\(url): \(result.standardError)")
      #expect(try FileTree.files(home.folder.path, hidden: true).isEmpty)
    }
  }

  @Test("a rehearsal reads the feed and writes nothing, and a manifest that exists stays")
  func rehearsal() throws {
    let home = try LibraryFixture()
    let server = try FaultServer()
    serve(server, "/feed.xml", rss(server))
    let result = try initialise(home, server.url("/feed.xml"), "-n")
    #expect(result.ending == .exited(0) && result.standardOutput.hasPrefix("would write "), "\(result.standardError)")
    #expect(try FileTree.files(home.folder.path, hidden: true).isEmpty)
    try home.declare("playlists: {}")
    let before = try FileBytes.text(home.manifest)
    let again = try initialise(home, server.url("/feed.xml"))
    #expect(again.ending == .exited(64) && again.standardError.contains("exists already"))
    let both = try initialise(home, server.url("/feed.xml"), "--from-opml", "a.opml")
    #expect(both.ending == .exited(64) && both.standardError.contains("use one of them"))
    #expect(try FileBytes.text(home.manifest) == before)
  }

  @Test("an address with a token is not written into the manifest")
  func token() throws {
    let home = try LibraryFixture()
    let server = try FaultServer()
    serve(server, "/feed.xml", rss(server))
    let result = try initialise(home, "\(server.url("/feed.xml"))?token=geheim")
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(result.standardError.contains("contains a credential, which is not written"), "\(result.standardError)")
    let text = try FileBytes.text(home.manifest)
    #expect(!text.contains("geheim") && text.contains("\n  # world-brief:\n"), "\(text)")
  }
}
