// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncFormats
import Testing

@Suite("words for files and the state")
struct StateWordsTests {
  @Test(
    "a file error names the attempt, the path, what happened and what to do",
    arguments: [
      (
        FileError(.write, "/l/.syncjob/lock", code: ErrnoCode(ENOSPC)),
        "cannot write \"/l/.syncjob/lock\": no space left on the device; free some space and run again"
      ),
      (
        FileError(.move, "/a", to: "/b", code: ErrnoCode(EEXIST)), "cannot move \"/a\" to \"/b\": it exists already"
      ),
      (
        FileError(.open, "/a\u{1B}", .notAFile),
        "cannot open \"/a\\u{1B}\": it is not a plain file; move it out of the way"
      ),
      (
        FileError(.lock, "/l/.syncjob/lock", .lockReplaced),
        "the run lost its lock \"/l/.syncjob/lock\": the file was removed or replaced, so another run may be at work;"
          + " this run changes nothing more: run again"
      ),
      (
        FileError(.sync, "/a", code: ErrnoCode(EIO)),
        "cannot flush \"/a\" to the disk: input/output error; check the disk"
      ),
      (
        FileError(.list, "/a", code: ErrnoCode(ELOOP)),
        "cannot list the folder \"/a\": a symbolic link is in the way;"
          + " symbolic links below the library are not followed: put the real folder or file there"
      ),
    ])
  func fileErrors(_ error: FileError, _ words: String) { #expect(error.words == words) }

  @Test("every error number of the system has words, and a symbol at worst")
  func everyErrorNumber() throws {
    for code in Int32(1)..<134 {
      guard let name = strerror(code).map({ String(cString: $0) }), !name.hasPrefix("Unknown error") else { continue }
      let words = ErrnoCode(code).words
      #expect(!words.hasSuffix("\(code)"), "\(name): \(words)")
      #expect(words.first?.isLowercase == true, "\(name): \(words)")
      if words.hasPrefix("the system reports") { #expect(words.hasPrefix("the system reports E")) }
    }
    #expect(ErrnoCode(4000).words == "the system reports error 4000")
  }

  @Test(
    "a mount that died, a file system without locks and a damaged one come with the way out",
    arguments: [
      (
        FileError(.open, "/l", code: ErrnoCode(ENOTCONN)),
        "cannot open \"/l\": the program that serves this file system has ended; mount it again"
      ),
      (
        FileError(.lock, "/l", code: ErrnoCode(ENOLCK)),
        "cannot lock \"/l\": no file locks are to be had there; put library.state on a file system that has file locks"
      ),
      (
        FileError(.lock, "/l", code: ErrnoCode(EOPNOTSUPP)),
        "cannot lock \"/l\": the file system does not support this;"
          + " put library.state on a file system that has file locks"
      ),
      (
        FileError(.read, "/l", code: ErrnoCode(EUCLEAN)),
        "cannot read \"/l\": the file system is damaged; check the disk"
      ),
    ])
  func mounts(_ error: FileError, _ words: String) { #expect(error.words == words) }

  @Test("every operation has words of its own")
  func operations() {
    let words = FileError.Operation.allCases.map { FileError($0, "/a", .notAFile).words }
    #expect(Set(words).count == words.count)
  }

  @Test(
    "a state error says what was left as it is and what to do",
    arguments: [
      (
        StateError.newerVersion(path: "/q", found: 3, known: 1),
        "\"/q\" has version 3, and this syncjob knows version 1; it is left as it is: use a newer syncjob"
      ),
      (
        .nothingToRebuildFrom(path: "/q", .blank),
        "cannot read \"/q\": it is empty, or holds only zeros, and there is no earlier copy to rebuild it from;"
          + " restore it from a backup, or move it away to begin anew (a run takes over media that is in the library)"
      ),
      (
        .anotherLibrary(path: "/q", found: "a", expected: "b"),
        "\"/q\" belongs to the library \"a\", and this is the library \"b\"; check library.path and library.state."
          + " Only if it is this library's state all the same: remove .syncjob/library.json from the library, then"
          + " syncjob init"
      ),
    ])
  func stateErrors(_ error: StateError, _ words: String) { #expect(error.words == words) }

  @Test(
    "a problem of the queue file names its place",
    arguments: [
      (
        QueueFileProblem.notJSON(JSONError(.unexpected(UInt8(ascii: ",")), at: 5), line: 2, column: 4),
        "line 2, column 4: unexpected ','"
      ),
      (
        .misplacedField(.item(id: "a", position: 1), field: "path", state: .queued),
        "the item \"a\" is queued and has the field \"path\", which has no meaning then"
      ),
      (
        .missingField(.item(id: nil, position: 7), field: "id"), "item 7 has no field \"id\""
      ),
      (
        .badField(.source("brief"), field: "etag"),
        "the field \"etag\" of the source \"brief\" has an impossible value"
      ),
    ])
  func problems(_ problem: QueueFileProblem, _ words: String) { #expect(problem.words == words) }

  @Test("an edited export is told with the items that were edited")
  func editedExport() throws {
    let ids = try (1...12).map { try #require(ItemID("i\($0)")) }
    #expect(
      StateWords.edited(ids, "a.json") == "12 items of \"a.json\" were edited after the export: taken as they are ("
        + ids.prefix(10).map { "\"\($0.text)\"" }.joined(separator: ", ") + " and 2 more)")
    #expect(
      StateWords.editedOutside("a.json")
        == "\"a.json\" was edited after the export: items were added, removed or moved, or something outside of them"
        + " was changed; it is taken as it is")
  }
}
