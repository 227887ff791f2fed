// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncFormats
import Testing

@Suite("words about the manifest's file")
struct ManifestFileWordsTests {
  @Test(
    "say what to do about it",
    arguments: [
      ("open", ENOENT, "no such file or directory; name another file, or write a starter with: syncjob init a.yaml"),
      ("open", EACCES, "permission denied; check who owns it and who may read it"),
      ("read", EISDIR, "it is a directory; name a file in it"),
      ("create", ENOENT, "no such file or directory; make the folder first, or name a file in another one"),
      ("create", EACCES, "permission denied; check who owns it and who may write it"),
      ("read", EIO, "input/output error"),
    ])
  func words(operation: String, code: Int32, rest: String) {
    let words = ManifestFileWords.words(path: "a.yaml", operation: operation, code: ErrnoCode(code))
    #expect(words == "cannot \(operation) the manifest \"a.yaml\": \(rest)")
  }

  @Test("name the bound of a manifest that is larger")
  func tooLarge() {
    let words = ManifestFileWords.words(
      path: "a.yaml", operation: "read", FileError.Cause.tooLarge(limit: ByteCount(256 << 20)))
    #expect(
      words
        == "cannot read the manifest \"a.yaml\": it is larger than 256 MiB; split it, or see whether it is a manifest")
  }
}
