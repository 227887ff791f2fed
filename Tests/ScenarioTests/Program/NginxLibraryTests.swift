// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a library of real audio from nginx")
struct NginxLibraryTests {
  @Test(
    "three hundred files from a list and a feed arrive whole and can be played; the next run changes nothing",
    .requires(.nginx), .requires(.ffmpeg), .requires(.ffprobe))
  func library() throws {
    let nginx = try Nginx()
    let corpus = try AudioCorpus(in: nginx.root)
    let (listed, fed) = corpus.halves
    try FileBytes.write(feed(fed, nginx), to: "\(nginx.root)/feed.xml")
    let home = try LibraryFixture()
    try home.declare(manifest(listed, nginx))

    let (first, report) = try home.run()
    #expect(first.ending == .exited(0), "\(first.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(300))
    #expect(try home.ownedPaths().count == 300)
    #expect(try home.strays() == [])
    #expect(try digests(home.library) == digests("\(nginx.root)/audio"))
    #expect(try played(home, "Listed.m3u8").count == 150)
    #expect(try played(home, "Fed.m3u8").count == 150)

    try checkSecondRun(home, nginx)
    nginx.stop()
  }

  private func checkSecondRun(_ home: LibraryFixture, _ nginx: Nginx) throws {
    let queue = try home.queueFile()
    let requests = try nginx.accessLog().count
    let (second, report) = try home.run()
    #expect(second.ending == .exited(0), "\(second.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(0))
    #expect(report[path: "totals.unchanged"] == .number(300))
    let isUnchanged = try home.queueFile() == queue
    #expect(isUnchanged, "the queue file was rewritten")
    let log = try nginx.accessLog().dropFirst(requests)
    #expect(log.map { $0.split(separator: " ").prefix(3).joined(separator: " ") } == ["GET /feed.xml 304"])
  }

  /// The SHA-256 of every visible file except playlists, in order.
  private func digests(_ folder: String) throws -> [Substring] {
    let files = try FileTree.files(folder).filter { !$0.hasSuffix(".m3u8") }
    let result = try Command("/usr/bin/sha256sum", ["--"] + files, directory: folder).run(timeout: 60)
    #expect(result.ending == .exited(0), "\(result.standardError)")
    return result.standardOutput.split(separator: "\n").map { $0.prefix(64) }.sorted()
  }

  /// The entries of a playlist file in which ffprobe finds an audio stream with a duration.
  private func played(_ home: LibraryFixture, _ name: String) throws -> [Substring] {
    let entries = try FileBytes.text("\(home.library)/\(name)").split(separator: "\n").filter { !$0.hasPrefix("#") }
    let list = entries.joined(separator: "\0")
    let program = try #require(Tool.ffprobe.path)
    let probe = [
      "-0", "-P", "2", "-n", "1", program, "-v", "error", "-select_streams", "a:0", "-show_entries",
      "format=filename,duration:stream=codec_name", "-of", "compact",
    ]
    let result = try Command(
      "/usr/bin/xargs", probe, directory: home.library, input: .bytes(Array(list.utf8))
    ).run(timeout: 120)
    #expect(result.ending == .exited(0))
    #expect(result.standardError.isEmpty)
    let seconds = result.standardOutput.matches(of: /duration=(\d+)\.\d+/).compactMap { Int($0.1) }
    #expect(seconds.count == entries.count)
    #expect(seconds.allSatisfy { (0...6).contains($0) })
    return entries
  }

  private func manifest(_ listed: [AudioCorpus.File], _ nginx: Nginx) -> String {
    let items = listed.map { file in
      "      - { id: \(file.name), title: \"\(file.title)\", url: \"\(nginx.url("/audio/\(file.name)"))\" }"
    }
    return """
      downloads: { concurrency: 8, per_host: 8, network: { allow_private: [127.0.0.1] } }
      playlists:
        listed:
          title: Listed
          items:
      \(items.joined(separator: "\n"))
        fed:
          title: Fed
          feed: \(nginx.url("/feed.xml"))
          select: { initial: all }
      """
  }

  private func feed(_ files: [AudioCorpus.File], _ nginx: Nginx) -> String {
    let items = files.enumerated().map { number, file in
      """
      <item><title>\(file.title)</title><guid isPermaLink="false">\(file.name)</guid>
      <pubDate>Mon, 05 Jan 2026 08:\(number / 60 < 10 ? "0" : "")\(number / 60):\(number % 60 < 10 ? "0" : "")\(number % 60) +0000</pubDate>
      <enclosure url="\(nginx.url("/audio/\(file.name)"))" length="\(file.size)" type="\(file.format.type)"/></item>
      """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0"><channel><title>Fed</title><link>\(nginx.url("/"))</link><description>Half of them</description>
      \(items.joined(separator: "\n"))
      </channel></rss>

      """
  }
}
