// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore

@Suite("OutlineNames: names of playlists from titles and addresses")
struct OutlineNamesTests {
  @Test(
    "a name is made from the title, or from the address if the title is not Latin",
    arguments: [
      ("World Brief", "world-brief"), ("  Café: Zürich #1 ", "cafe-zurich-1"), ("Łódź & Straße", "lodz-strasse"),
      ("Don't panic", "dont-panic"), ("X-Files", "xfiles"), ("Новости 24", "example-org-news-feed"),
      ("日本", "example-org-news-feed"),
      ("…", "example-org-news-feed"), (nil, "example-org-news-feed"),
    ])
  func slug(title: String?, slug: String) throws {
    #expect(OutlineNames.slug(title: title, url: try RemoteURL("https://www.example.org/news/feed?x=1")) == slug)
  }

  @Test("every name is one that a playlist may have, and is used once")
  func unique() throws {
    var names = OutlineNames()
    let (first, second) = (try RemoteURL("https://a.example/1"), try RemoteURL("http://b.example/2"))
    #expect(names.name(title: "News", url: first) == "news")
    let name = names.name(title: "NEWS!", url: second)
    #expect(name.hasPrefix("news-") && name.utf8.count == 13 && PlaylistName(name) != nil)
    var others = OutlineNames(taken: ["news"])
    #expect(others.name(title: "news", url: try RemoteURL("https://b.example/2")) == name)
    #expect(names.name(title: "news", url: second) != name)
    let long = names.name(title: String(repeating: "ab ", count: 200), url: first)
    #expect(long.utf8.count <= 64 && PlaylistName(long) != nil)
    #expect(names.name(title: nil, url: try RemoteURL("http://[::1]/")) == "1")
  }
}
