// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

@Suite("streams in fragments that yt-dlp puts together", .timeLimit(.minutes(5)))
struct YtDlpStreamTests {
  private let home: LibraryFixture
  private let fake: FakeYtDlp
  private let bytes = GeneratedAudio(title: "a", seconds: 20, seed: 7).bytes
  private let scratch: TemporaryDirectory

  init() throws {
    (home, fake, scratch) = (try LibraryFixture(), try FakeYtDlp(), try TemporaryDirectory())
    try declare()
    try fake.answer(
      "list", #"{"entries": [{"_type": "url", "id": "a", "title": "A", "url": "https://media.example.net/watch/a"}]}"#)
    try fake.answer("a", #"{"url": "https://media.example.net/a.m3u8", "protocol": "m3u8_native"}"#)
    try FileBytes.write(bytes, to: fake.folder.file("whole"))
    try stream("cat \"$here/whole\"")
  }

  private func declare(_ keys: String = "retries: 0") throws {
    try home.declare(
      """
      downloads: { \(keys), backoff: { initial: 10ms, max: 10ms } }
      playlists: { mix: { title: Mix, ytdlp: "ytsearch1:x" } }
      """)
  }

  /// - Parameter script: Its folder is the one in which the program was started, and that of the fake is `$here`.
  private func stream(_ script: String) throws { try fake.script("a.stream", script) }

  private var isScratchEmpty: Bool { rmdir(scratch.path) == 0 && mkdir(scratch.path, 0o700) == 0 }

  private func command(_ words: String...) -> Command {
    var command = home.command("run", options: words)
    command.environment["PATH"] = fake.path
    command.environment["TMPDIR"] = scratch.path
    return command
  }

  private func run(_ words: String...) throws -> (result: CommandResult, report: JSONValue) {
    var command = command("--json")
    command.arguments += words
    let result = try command.run(timeout: 100)
    try #require(!result.stdout.isEmpty, "\(result.ending) \(result.standardError)")
    return (result, try JSONValue(result.stdout))
  }

  private var streams: [String] { get throws { try fake.calls.filter { $0.contains(" -o - ") } } }

  @Test("come into the library whole, and nothing is left of their pieces")
  func fetched() throws {
    try stream("echo piece > ./--Frag1; mkdir sub; echo x > sub/y; cat \"$here/whole\"; pwd > \"$here/folder\"")
    let (result, report) = try run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(report[path: "totals.downloaded"] == .number(1))
    #expect(try FileBytes.read("\(home.library)/Mix/A.mp3") == bytes)
    let call = try #require(streams.first)
    #expect(call.contains(" --abort-on-unavailable-fragments "))
    #expect(call.hasSuffix(" -- https://media.example.net/watch/a"))
    #expect(!call.contains("--limit-rate"))
    // Nothing has announced the length.
    #expect(String(decoding: try home.queueFile(), as: UTF8.self).contains(#""confidence":"low""#))
    let folder = try FileBytes.text(fake.folder.file("folder")).dropLast()
    #expect(folder.hasPrefix(scratch.path) && access(String(folder), F_OK) != 0, "\(folder)")
  }

  @Test("begin anew after a failure, and no file is made of two attempts")
  func failedOnce() throws {
    try declare("retries: 1")
    try stream(
      """
      if [ -e "$here/second" ]; then cat "$here/whole"
      else touch "$here/second"; head -c \(bytes.count / 2) "$here/whole"; echo 'ERROR: fragment 6 not found' >&2; exit 1
      fi
      """)
    let (result, _) = try run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(try streams.count == 2)
    #expect(try FileBytes.read("\(home.library)/Mix/A.mp3") == bytes)
  }

  private static let troubles: [(keys: String, script: String, status: Int32, words: String, name: String)] = [
    (
      "retries: 0", "head -c 9000 \"$here/whole\"; echo 'ERROR: fragment 6 not found' >&2; exit 1", 5, "fragment 6",
      "fails"
    ),
    ("retries: 0", "head -c 9000 \"$here/whole\"; kill -9 $$", 5, "without a message", "is killed"),
    ("retries: 0", "exit 0", 5, "no bytes", "brings nothing"),
    ("retries: 0", "echo '<!doctype html><html><body>no</body></html>'", 3, "web page", "brings a page"),
    ("retries: 0, max_item_size: 10KB", "cat \"$here/whole\"", 3, "max_item_size", "is too large"),
    (
      "retries: 0, max_item_size: 10KB",
      "head -c 20000 /dev/zero > piece || { echo 'ERROR: unable to write data: File too large' >&2; exit 1; }", 5,
      "File too large", "has a piece that is too large"
    ),
    (
      "retries: 0, timeouts: { stall: 1s }", "head -c 9000 \"$here/whole\"; sleep 300", 5,
      "sent nothing of the stream for 4.0 s", "falls silent"
    ),
  ]

  @Test("are told apart by what goes wrong", arguments: troubles.indices)
  func trouble(_ index: Int) throws {
    let trouble = Self.troubles[index]
    try declare(trouble.keys)
    try stream(trouble.script)
    let (result, report) = try run()
    #expect(result.ending == .exited(trouble.status), "\(trouble.name): \(result.standardError)")
    #expect("\(report)".contains(trouble.words), "\(trouble.name): \(report)")
    #expect(try home.ownedPaths().isEmpty, "\(trouble.name)")
    #expect(isScratchEmpty, "\(trouble.name)")
  }

  @Test("count for the limits of the run")
  func limits() throws {
    let (limited, report) = try run("--max-transfer", "20KB")
    #expect(limited.ending == .exited(8) && report[path: "totals.deferred"] == .number(1), "\(limited.standardError)")
    let (slow, _) = try run("--bwlimit", "10M")
    #expect(slow.ending == .exited(0), "\(slow.standardError)")
    #expect(try streams.last?.contains(" --limit-rate 10485760 ") == true)
  }

  @Test("end within two seconds of a signal, with everything that was started")
  func stopped() throws {
    let pids = fake.folder.file("pids")
    try stream("trap '' TERM INT; head -c 9000 \"$here/whole\"; echo $$ > '\(pids)'; while :; do sleep 1; done")
    let running = try command("--json").start()
    while (try? FileBytes.text(pids))?.isEmpty ?? true { usleep(10_000) }
    running.signal(SIGTERM)
    let result = running.wait(timeout: 20)
    #expect(result.ending == .exited(143), "\(result.ending) \(result.standardError)")
    let pid = try FileBytes.text(pids).dropLast()
    #expect(kill(pid_t(pid) ?? 0, 0) != 0 || (try? FileBytes.text("/proc/\(pid)/stat"))?.contains(") Z ") == true)
    #expect(isScratchEmpty)
    try stream("cat \"$here/whole\"")
    let (again, _) = try run()
    #expect(again.ending == .exited(0), "\(again.standardError)")
    #expect(try FileBytes.read("\(home.library)/Mix/A.mp3") == bytes)
  }

  @Test("are not asked for in a private network unless that is allowed")
  func privateStream() throws {
    try fake.answer("a", #"{"url": "http://127.0.0.1:9/a.m3u8", "protocol": "m3u8_native"}"#)
    let (result, report) = try run()
    #expect(result.ending == .exited(3) && "\(report)".contains("allow_private"), "\(report)")
    #expect(try streams.isEmpty)
  }

  @Test("need a folder for their pieces")
  func noFolder() throws {
    var command = command("--json")
    command.environment["TMPDIR"] = "/nonexistent"
    let result = try command.run()
    #expect(result.ending == .exited(5) && result.standardOutput.contains("TMPDIR"), "\(result.standardOutput)")
  }
}
