// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("a feed that the server sends compressed")
struct CompressedFeedTests {
  private let home: LibraryFixture
  private let server: FaultServer

  init() throws { (home, server) = try LibraryFixture.hearingTalk() }

  @Test("is read, and is asked for conditionally the next time", arguments: ["gzip", "deflate"])
  func codings(_ coding: String) throws { try read(coding) }

  @Test("is read in br", .enabled(if: Tool("brotli").isInstalled, "brotli is not installed"))
  func brotli() throws { try read("br") }

  @Test("is read in zstd", .enabled(if: Tool("zstd").isInstalled, "zstd is not installed"))
  func zstd() throws { try read("zstd") }

  private func read(_ coding: String) throws {
    server.serve("/talk.xml", try document(coding))
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(1))
    let (again, second) = try home.run()
    #expect(again.ending == .exited(0), "\(again.standardError)")
    #expect(second[path: "totals.unchanged"] == .number(1))
    #expect(server.requests(to: "/talk.xml").map(\.line) == ["GET /talk.xml 200", "GET /talk.xml 304"])
  }

  @Test("is asked for in these codings, and media are asked for as they are")
  func asked() throws {
    server.serve("/talk.xml", try document("gzip"))
    #expect(try home.run().result.ending == .exited(0))
    let asked = server.requests(to: "/talk.xml").first?.headers["Accept-Encoding"] ?? ""
    #expect(asked.contains("gzip") && asked.contains("deflate"), "\(asked)")
    #expect(server.requests(to: "/a.mp3").first?.headers["Accept-Encoding"] == "identity")
  }

  @Test("and that is larger than a feed may be when it is unpacked ends in a sentence, and is never held whole")
  func bomb() throws {
    let blanks = [UInt8](repeating: 0x20, count: 300 << 20)
    // The parser stops at once, so that the test does not take its time; the bytes go on coming.
    server.serve("/talk.xml", try packed(Array("<rss></channel>".utf8) + blanks))
    let (result, peak) = try watchedRun()
    #expect(result.ending == .exited(3), "\(result.standardError)")
    let report = try JSONValue(result.stdout)
    #expect(report[path: "warnings.0"]?.description.contains("256 MiB") == true, "\(report)")
    #expect(report[path: "totals.downloaded"] == .number(0))
    #expect(peak < 80 << 10, "\(peak) KiB")
    #expect(try FileTree.names("\(home.state)/cache") == ["sources"])
  }

  @Test("and that is nearly all one text is read, kept and read again, and is never held whole")
  func longText() throws {
    let words = Array(String(repeating: "a word and another ", count: 3 << 20).utf8)
    let start = """
      <rss version="2.0"><channel><title>Talk</title><item><title>A</title><guid>a</guid>
      <enclosure url="/a.mp3" type="audio/mpeg"/><description>
      """
    server.serve(
      "/talk.xml", try packed(Array(start.utf8) + words + Array("</description></item></channel></rss>".utf8)))
    for count in [1.0, 0] {
      let (result, peak) = try watchedRun()
      #expect(result.ending == .exited(0), "\(result.standardError)")
      #expect(try JSONValue(result.stdout)[path: "totals.downloaded"] == .number(count))
      #expect(peak < 80 << 10, "\(peak) KiB")
    }
    #expect(server.requests(to: "/talk.xml").map(\.line) == ["GET /talk.xml 200", "GET /talk.xml 304"])
  }

  @Test(
    "is read whole if its gzip stream has several members, and also if the server does not call it compressed",
    arguments: [true, false])
  func severalMembers(isLabelled: Bool) throws {
    var members = try document("gzip")
    let command =
      "cat >\"$0\"; head -c 500 \"$0\" | gzip -c; tail -c +501 \"$0\" | head -c 9000 | gzip -c;"
      + " tail -c +9501 \"$0\" | gzip -c; head -c 512 /dev/zero"
    members.body = .bytes(try pack(plain, "sh -c '\(command)' \(home.folder.file("all"))"))
    if !isLabelled { members.headers = [] }
    server.serve("/talk.xml", members)
    for downloaded in [1.0, 0] {
      let (result, report) = try home.run()
      #expect(result.ending == .exited(0), "\(result.standardError) \(report)")
      #expect(report[path: "totals.downloaded"] == .number(downloaded))
    }
    #expect(server.requests(to: "/talk.xml").map(\.line) == ["GET /talk.xml 200", "GET /talk.xml 304"])
  }

  @Test("is not believed without the whole end of its gzip stream", arguments: [1, 4, 7, 8, 9, 200])
  func cutEnd(_ missing: Int) throws {
    var cut = try document("gzip")
    let bytes = try pack(plain, "gzip -c")
    cut.body = .bytes(Array(bytes.dropLast(missing)))
    server.serve("/talk.xml", cut)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(5), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(0))
    #expect(report[path: "warnings.0"]?.description.contains("the compressed body is cut short") == true, "\(report)")
  }

  @Test("is not believed if its check is wrong")
  func wrongCheck() throws {
    var damaged = try document("gzip")
    var bytes = try pack(plain, "gzip -c")
    bytes[bytes.count - 6] ^= 1
    damaged.body = .bytes(bytes)
    server.serve("/talk.xml", damaged)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(5), "\(result.standardError)")
    #expect(report[path: "warnings.0"]?.description.contains("the compressed body is damaged") == true, "\(report)")
  }

  @Test("and that is not compressed, although it is labelled so, is read as it is")
  func mislabelled() throws {
    var mislabelled = try document("gzip")
    mislabelled.body = .bytes(plain)
    server.serve("/talk.xml", mislabelled)
    let (result, report) = try home.run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(1))
  }

  private var plain: [UInt8] {
    let items = (0..<400).map { "<item><title>Note \($0)</title><guid>n\($0)</guid></item>" }.joined()
    let text = """
      <rss version="2.0"><channel><title>Talk</title>
      <item><title>A</title><guid>a</guid><enclosure url="/a.mp3" type="audio/mpeg"/></item>\(items)</channel></rss>
      """
    return Array(text.utf8)
  }

  private func document(_ coding: String) throws -> Resource {
    let deflate = "python3 -c 'import sys,zlib;sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read()))'"
    let commands = ["gzip": "gzip -c", "deflate": deflate, "br": "brotli -c", "zstd": "zstd -q -c"]
    let packed = try pack(plain, commands[coding] ?? "false")
    return Resource(
      body: .bytes(packed), contentType: "application/rss+xml", etag: "\"1\"",
      headers: [HTTPHeader("Content-Encoding", coding)])
  }

  private func packed(_ bytes: [UInt8]) throws -> Resource {
    Resource(
      body: .bytes(try pack(bytes, "gzip -1 -c")), contentType: "application/rss+xml", etag: "\"1\"",
      headers: [HTTPHeader("Content-Encoding", "gzip")])
  }

  private func watchedRun() throws -> (result: CommandResult, peakKiB: Int) {
    let run = try home.command("run", "--json").start()
    let watch = try ProcessWatch(run.pid) { 0 }
    let result = run.wait(timeout: 300)
    return (result, watch.samples.map(\.peakKiB).max() ?? 0)
  }

  private func pack(_ bytes: [UInt8], _ command: String) throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    try FileBytes.write(bytes, to: "\(folder.path)/plain")
    let shell = Command("/bin/sh", ["-c", "\(command) <'\(folder.path)/plain' >'\(folder.path)/packed'"])
    #expect(try shell.run().ending == .exited(0))
    return try FileBytes.read("\(folder.path)/packed")
  }
}
