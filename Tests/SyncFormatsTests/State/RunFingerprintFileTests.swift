// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("the file of a fingerprint")
struct RunFingerprintFileTests {
  private let digests: [SHA256Digest]
  private let fingerprint: RunFingerprint

  init() throws {
    digests = try ["a", "b", "c", "d"].map { try #require(SHA256Digest(hex: String(repeating: $0, count: 64))) }
    fingerprint = RunFingerprint(
      inputs: digests[0], histories: digests[1], queue: digests[2], libraryID: "00ff",
      madeAt: Timestamp(secondsSince1970: 1_800_000_000), unchanged: 3, used: ByteCount(60),
      playlistFiles: ["Roads.m3u8": digests[3], "\"q\".m3u8": digests[0]])
  }

  private func path(_ text: String) throws -> LibraryPath { try #require(LibraryPath(text)) }

  private func encoded() throws -> [UInt8] {
    RunFingerprintFile.encode(
      fingerprint,
      files: [
        (try path("Roads/Paper Boats.mp3"), ByteCount(10)), (try path("Roads/Ü \"x\".mp3"), ByteCount(20)),
        (try path("top.mp3"), ByteCount(30)),
      ])
  }

  private func read(_ bytes: [UInt8]) throws(QueueFileProblem) -> (RunFingerprint, [RunFingerprintReader.Line]) {
    var reader = try RunFingerprintReader(bytes, in: bytes.indices)
    var lines: [RunFingerprintReader.Line] = []
    while let line = try reader.next() { lines.append(line) }
    return (reader.fingerprint, lines)
  }

  @Test("is read back as it was written, a line for each folder and file")
  func roundTrip() throws {
    let (read, lines) = try read(encoded())
    #expect(read == fingerprint)
    #expect(
      lines == [
        .folder(try path("Roads")), .file(try path("Paper Boats.mp3"), ByteCount(10)),
        .file(try path("Ü \"x\".mp3"), ByteCount(20)), .folder(nil), .file(try path("top.mp3"), ByteCount(30)),
      ])
  }

  @Test("is refused, or says less, wherever it is cut")
  func cuts() throws {
    let bytes = try encoded()
    let whole = try read(bytes).1
    for length in 0..<bytes.count - 1 {
      // Refusing is what a cut deserves; one between two lines can only be known by the seal.
      do throws(QueueFileProblem) {
        let (_, lines) = try read(Array(bytes[..<length]))
        #expect(lines.count < whole.count || length == bytes.count - 1, "\(length)")
      } catch { #expect(error != .blank) }
    }
  }

  @Test(
    "of another kind is refused",
    arguments: [
      "", "{}", "[]", #"{"format":"syncjob-queue","version":1}"#, #"{"format":"syncjob-fingerprint","version":2}"#,
      #"{"format":"syncjob-fingerprint","version":1,"inputs":"x"}"#,
    ])
  func refusals(_ text: String) {
    #expect(throws: QueueFileProblem.self) { _ = try RunFingerprintReader(Array(text.utf8), in: 0..<text.utf8.count) }
  }

  @Test(
    "a line that leads out of its folder is refused",
    arguments: [#"["../x",1]"#, #"["a",1,2]"#, #"["a",-1]"#, "[]", #"["/etc"]"#])
  func lines(_ line: String) throws {
    let bytes = RunFingerprintFile.encode(fingerprint, files: []) + Array(line.utf8) + [10]
    #expect(throws: QueueFileProblem.self) { _ = try read(bytes) }
  }

  @Test("holds for a day, on a clock that goes forward")
  func timely() {
    let made = fingerprint.madeAt
    #expect(fingerprint.isTimely(made) && fingerprint.isTimely(made + .seconds(86_399)))
    #expect(!fingerprint.isTimely(made + .days(1)) && !fingerprint.isTimely(made + .seconds(-1)))
  }
}
