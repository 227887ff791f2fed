// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("the result of an import of files")
struct CollectionReportTests {
  private func result() throws -> CollectionImport {
    var result = CollectionImport(folder: "/m", isDryRun: false)
    result.unread.refused = [FileError(.list, "/m/closed", code: ErrnoCode(13))]
    result.unread.links = 1
    result.unread.unnamed = 2
    result.tagProblem = .programMissing
    result.doubts = [
      CollectionImport.Doubt(
        items: [try #require(ItemID("a")), try #require(ItemID("b"))], titles: ["Night Drive", ""],
        files: [try #require(LibraryPath("x.mp3"))],
        rule: .tags)
    ]
    result.unmatched = [try #require(LibraryPath("y.mp3")), try #require(LibraryPath("z.mp3"))]
    result.lacking = 2
    result.stopped = .lockReplaced(path: "/l/lock")
    return result
  }

  @Test("names what could not be looked at")
  func warnings() throws {
    let warnings = try result().warnings
    #expect(warnings.count == 4)
    #expect(warnings[0].hasPrefix("cannot list the folder \"/m/closed\": permission denied"))
    #expect(
      Array(warnings[1...2]) == [
        "1 symbolic link was not followed", "2 names in the collection are not UTF-8 and were passed over",
      ])
    #expect(warnings[3].hasPrefix("no file was matched by its tags, because the program syncjob-tags is missing: "))
  }

  @Test("names what is in doubt, what belongs to nothing, and what ended it")
  func text() throws {
    let text = try result().text(style: TextStyle(hasColor: false))
    for words in [
      "\"x.mp3\" may be \"Night Drive\" or \"b\"",
      "imported 0 files, 0 B; 1 ambiguous", "nothing ambiguous was taken: ",
      "2 other media files in \"/m\" match no item that lacks its file", "2 items still lack their files",
      "the import stopped: ", "nothing was taken from the collection that is not in the library",
    ] {
      #expect(text.contains(words), "\(text)")
    }
    #expect(text.hasSuffix("\n"))
  }

  @Test("tells items of one title apart by their ids")
  func oneTitle() throws {
    var result = CollectionImport(folder: "/m", isDryRun: false)
    let items = try ["a", "b"].map { try #require(ItemID($0)) }
    let files = try ["x.mp3", "y.mp3"].map { try #require(LibraryPath($0)) }
    for titles in [["Episode", "Episode"], ["Episode", "Other"]] {
      result.doubts.append(CollectionImport.Doubt(items: items, titles: titles, files: files, rule: .name))
    }
    result.doubts.append(
      CollectionImport.Doubt(items: [items[0]], titles: ["Episode"], files: files, rule: .name))
    let text = result.text(style: TextStyle(hasColor: false))
    for words in ["\"a\" or \"b\" may be", "\"Episode\" or \"Other\" may be", "? \"Episode\" may be"] {
      #expect(text.contains(words), "\(text)")
    }
  }

  @Test("names the first of thousands that could not be read or are in doubt; JSON names each")
  func thousands() throws {
    var result = CollectionImport(folder: "/m", isDryRun: false)
    #expect(result.status == ExitStatus.ok)
    result.unread.refused = (0..<1000).map { FileError(.open, "/m/\($0).mp3", code: ErrnoCode(13)) }
    result.unread.files = [try #require(LibraryPath("x.mp3")): .http(status: 404)]
    result.doubts = [
      CollectionImport.Doubt(
        items: try (0..<1000).map { try #require(ItemID("i\($0)")) }, titles: (0..<1000).map { "Title \($0)" },
        files: [try #require(LibraryPath("y.mp3"))], rule: .name)
    ]
    #expect(result.status == .partial)
    let warnings = result.warnings
    #expect(warnings.count == 10 && warnings[8].contains("/m/8.mp3"))
    #expect(warnings[9] == "992 other files and folders could not be read; --json names them")
    let text = result.text(style: TextStyle(hasColor: false))
    #expect(text.contains("\"Title 3\" or 996 others") && !text.contains("Title 4"), "\(text)")
    let json = String(decoding: result.json(), as: UTF8.self)
    #expect(json.contains("/m/999.mp3") && json.contains("\"i999\"") && !json.contains("others"))
    // So many are named.
    result.unread.refused.removeLast(991)
    #expect(result.warnings.count == 10 && !result.warnings[9].contains("other"))
  }

  @Test("says why a file that was copied is still there")
  func copiedOnly() {
    let error = FileError(.remove, "/m/x.mp3", .replaced)
    #expect(error.words.contains("it has changed since it was read"))
  }
}
