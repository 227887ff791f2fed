// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("A document of chapters")
struct ChapterDocumentTests {
  @Test("has its chapters in order, without those that have no title or are not listed")
  func chapters() {
    let text = """
      {"version":"1.2.0","chapters":[{"startTime":168.5,"title":"News"},{"startTime":0,"title":"Intro","img":"x"},
      {"startTime":200,"title":"Picture","toc":false},{"startTime":300},{"startTime":-1,"title":"Before"}]}
      """
    #expect(
      ChapterDocument.chapters(Array(text.utf8)) == [
        ChapterMark(start: .zero, title: "Intro"), ChapterMark(start: .milliseconds(168_500), title: "News"),
      ])
  }

  @Test("has titles of one line and of a length that people read")
  func titles() throws {
    let long = String(repeating: "L", count: 100_000)
    let text =
      "{\"chapters\":[{\"startTime\":0,\"title\":\"rev\\u0000\\u001b[31m\\nred\"},{\"startTime\":1,\"title\":\"\(long)\"}]}"
    let titles = try #require(ChapterDocument.chapters(Array(text.utf8))).map(\.title)
    #expect(titles.count == 2)
    for title in titles {
      #expect(title.utf8.count <= 1024 && !title.unicodeScalars.contains { $0.value < 0x20 }, "\(title.prefix(80))")
    }
  }

  @Test("is nothing else", arguments: ["", "[]", "<psc:chapters/>", "{\"chapters\":1}"])
  func others(text: String) { #expect(ChapterDocument.chapters(Array(text.utf8)) == nil) }
}
