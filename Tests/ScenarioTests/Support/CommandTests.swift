// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

@Suite("commands, files and nginx")
struct CommandTests {
  private func sh(_ script: String) -> Command { Command("/bin/sh", ["-c", script]) }

  @Test("both outputs are read to their end, whatever their size")
  func largeOutput() throws {
    let result = try sh("head -c 300000 /dev/zero; head -c 200000 /dev/zero >&2; exit 7").run()
    #expect(result.ending == .exited(7))
    #expect(result.stdout.count == 300_000)
    #expect(result.stderr.count == 200_000)
  }

  @Test("a signal is told apart from a status")
  func signals() throws {
    #expect(try sh("kill -TERM $$").run().ending == .killed(signal: 15))
  }

  @Test("a program whose time is over is killed with its children")
  func timeout() throws {
    let result = try sh("sleep 60 & sleep 60").run(timeout: 0.2)
    #expect(result.ending == .timedOut)
    #expect(result.seconds < 20)
  }

  @Test("environment, directory and input are those of the command alone")
  func surroundings() throws {
    let folder = try TemporaryDirectory()
    var command = sh("pwd; echo $X; cat; env | wc -l")
    command.environment = ["X": "y"]
    command.directory = folder.path
    command.input = .bytes(Array("in\n".utf8))
    // The shell adds PWD (and some shells `_` and SHLVL).
    let lines = try command.run().standardOutput.split(separator: "\n").map(String.init)
    #expect(lines.prefix(3) == [folder.path, "y", "in"])
    #expect(lines.last.flatMap { Int($0.filter(\.isNumber)) } ?? 99 <= 5)
  }

  @Test("a program that is not there is an error with its errno")
  func missingProgram() {
    #expect(throws: SystemCallError("posix_spawn /nowhere", code: 2)) { try Command("/nowhere").run() }
  }

  @Test("held input ends when it is closed")
  func heldInput() throws {
    var command = sh("echo ready; cat; echo end")
    command.input = .held
    let running = try command.start()
    #expect(running.firstLine() == "ready")
    running.closeInput()
    #expect(running.wait().standardOutput == "ready\nend\n")
  }

  @Test("a temporary directory goes with everything in it")
  func temporaryDirectory() throws {
    var folder: TemporaryDirectory? = try TemporaryDirectory()
    let path = try #require(folder?.path)
    try FileBytes.write("x", to: "\(path)/b/c/d.txt")
    try FileBytes.write("xy", to: "\(path)/.hidden/e")
    #expect(try FileTree.files(path) == ["b/c/d.txt"])
    #expect(try FileTree.files(path, hidden: true) == [".hidden/e", "b/c/d.txt"])
    #expect(try FileTree.list(path).map(\.size) == [0, 2, 0, 0, 1])
    folder = nil
    #expect(throws: SystemCallError.self) { try FileTree.list(path) }
  }

  @Test("nginx starts at a free port, serves ranges, logs and stops", .requires(.nginx))
  func nginx() throws {
    let nginx = try Nginx(locations: "location /gone/ { return 410; }")
    try FileBytes.write("0123456789", to: nginx.root + "/a.mp3")
    let part = PlainRequest.get(port: nginx.port, path: "/a.mp3", headers: ["Range: bytes=3-4"])
    #expect(part?.hasSuffix("\r\n\r\n34") == true)
    #expect(PlainRequest.get(port: nginx.port, path: "/gone/x")?.hasPrefix("HTTP/1.1 410 ") == true)
    nginx.stop()
    let log = try nginx.accessLog().suffix(2)
    #expect(log.first?.hasPrefix("GET /a.mp3 206 2 bytes=3-4 - - HTTP/1.") == true)
    #expect(log.last?.hasPrefix("GET /gone/x 410 ") == true)
    #expect(PlainRequest.get(port: nginx.port, path: "/a.mp3") == nil)
  }
}
