// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("rules of selection, retention and shares that make no sense are refused")
struct SelectPictures {
  @Test("the whole picture", arguments: pictures)
  func picture(_ picture: Picture) { #expect(picture.rendered == picture.expected) }

  static let pictures: [Picture] = [
    Picture(
      "conditions that no item can meet, and patterns that are none",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          feed: f
          select:
            since: soon
            match: { title: ["", "/(/"], duration: { min: 2h, max: 1h }, type: song, sesaon: 2 }
            exclude: { season: { min: -1 }, explicit: no }
      """#,
      #"""
      """#),
    Picture(
      "a keep rule that leaves a drop rule nothing to do",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { feed: f, retain: { keep_within: 30d, drop_after: 4w, keep_last: 0 } }
      """#,
      #"""
      """#),
    Picture(
      "shares that are more than the whole",
      #"""
      version: 1
      library: { path: lib }
      storage: { budget: 10GiB }
      playlists:
        p: { feed: f, budget: 60% }
        q: { feed: g, budget: 5GiB }
        r: { feed: h, budget: 11GiB }
      """#,
      #"""
      """#),
    Picture(
      "a share of a budget that is not declared",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { feed: f, budget: 60% }
      """#,
      #"""
      """#),
  ]
}
