// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("a search that finds nothing in particular is refused")
struct SearchPictures {
  @Test("the whole picture", arguments: pictures)
  func picture(_ picture: Picture) { #expect(picture.rendered == picture.expected) }

  private static let templates: [(search: String, words: String)] = [
    (
      "{artist} {title}",
      #"is not a search: begin with its name, a number and a colon, as in "ytsearch5:{artist} {title}""#
    ),
    ("ytsearch5:{artist}", "finds the same for every item: add {title}"),
    (
      "ytsearch5:{title} {year}", #"has the unknown field "{year}": there are {artist}, {title} and {album}"#
    ),
    (
      "ytsearch5:{title} {artist",
      #"has a brace without its counterpart: write fields as in "ytsearch5:{artist} {title}""#
    ),
  ]

  @Test("templates", arguments: templates.indices)
  func template(_ index: Int) {
    let (search, words) = Self.templates[index]
    let picture = Picture(
      search,
      """
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      alternatives:
        search: "\(search)"
      """, "")
    #expect(
      picture.rendered.contains("car.yaml:5:11: error: \"alternatives.search\": \"\(search)\" \(words)"),
      "\(picture.rendered)")
  }

  static let pictures: [Picture] = [
    Picture(
      "an item that cannot be searched for",
      #"""
      version: 1
      library: { path: lib }
      alternatives: { search: "ytsearch5:{title}" }
      playlists:
        p:
          items:
            - artist: A
      """#,
      #"""
      car.yaml:7:9: error: the item has no URL, and no title to search for: add one of the two
            - artist: A
              ^
      """#),
    Picture(
      "a search with a mistake is declared, and nothing is said of its items",
      #"""
      version: 1
      library: { path: lib }
      alternatives: { search: "" }
      playlists:
        p:
          items:
            - title: A
            - title: B
      """#,
      #"""
      car.yaml:3:25: error: "alternatives.search" must not be empty
      alternatives: { search: "" }
                              ^~
      """#),
  ]
}
