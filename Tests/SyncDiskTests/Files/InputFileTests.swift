// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncDisk
import SyncTestSupport
import Testing

@Suite("a file that a person names")
struct InputFileTests {
  private let folder: TemporaryDirectory
  private let pipe: String

  init() throws {
    folder = try TemporaryDirectory()
    pipe = folder.file("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
  }

  private func read(_ path: String, _ milliseconds: Int = 200) throws -> [UInt8] {
    try InputFile(path, limit: ByteCount(1 << 20), patience: .milliseconds(milliseconds)).read()
  }

  @Test("and that is a pipe is not waited for without end, whether nobody writes or somebody never ends")
  func silence() throws {
    let late = FileError(.read, pipe, .noWriter(after: .milliseconds(200)))
    #expect(throws: late) { try read(pipe) }
    let writer = open(pipe, O_RDWR)
    #expect(write(writer, "begun", 5) == 5)
    #expect(throws: late) { try read(pipe) }
    close(writer)
  }

  @Test("and that is a pipe is read to the end of its writer")
  func writer() throws {
    let shell = try Command("/bin/sh", ["-c", "for n in 1 2 3; do echo $n; sleep 0.05; done >'\(pipe)'"]).start()
    #expect(try read(pipe, 30_000) == Array("1\n2\n3\n".utf8))
    #expect(shell.wait(timeout: 30).ending == .exited(0))
  }

  @Test("and that has no end is read to the limit")
  func endless() {
    let tooLarge = FileError(.read, "/dev/zero", .tooLarge(limit: ByteCount(1 << 20)))
    #expect(throws: tooLarge) { try read("/dev/zero", 30_000) }
  }

  @Test("and that is a plain file has no time limit")
  func plain() throws {
    let path = folder.file("plain")
    try FileBytes.write("text", to: path)
    #expect(try read(path, 0) == Array("text".utf8))
  }
}
