// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a query for yt-dlp")
struct YtDlpQueryTests {
  @Test(
    "is the address of a page or a search",
    arguments: ["https://m.example/x", "ytsearch10:night drive", "ytsearchdateall:news", "scsearch:x"])
  func legal(_ text: String) { #expect(YtDlpQuery(text)?.text == text) }

  @Test(
    "is nothing else",
    arguments: [
      "", "songs", "-x", "--exec:search", "ytsearch10:", "ytsearch: ", "file:///etc/passwd", "https://a:b@m.example/",
      "ytsearch:a\nb", ":search",
    ])
  func illegal(_ text: String) { #expect(YtDlpQuery(text) == nil) }

  @Test("asks for the format of the quality unless another is declared")
  func formats() throws {
    var query = try #require(YtDlpQuery("ytsearch:x"))
    #expect(query.format(for: .source) == "ba/b")
    #expect(query.format(for: .high) == "ba[abr<=?320]/wa/b")
    #expect(query.format(for: .low) == "ba[abr<=?96]/wa/w")
    query.format = "worst"
    #expect(query.format(for: .low) == "worst")
  }

  @Test("knows a channel by its address")
  func channel() throws {
    #expect(try #require(YtDlpQuery("https://m.example/@anna/videos")).isChannel)
    #expect(try !#require(YtDlpQuery("https://m.example/playlist?list=x")).isChannel)
    #expect(try !#require(YtDlpQuery("ytsearch:/@x")).isChannel)
  }
}
