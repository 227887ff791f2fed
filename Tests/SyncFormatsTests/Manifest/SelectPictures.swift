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
      car.yaml:7:14: error: "playlists.p.select.since" must be a date such as 2026-01-05, or how long ago, such as 90d, but is "soon"
            since: soon
                   ^~~~
      car.yaml:8:24: error: "playlists.p.select.match.title" must not be empty: write a pattern such as "*trailer*", or remove the key
            match: { title: ["", "/(/"], duration: { min: 2h, max: 1h }, type: song, sesaon: 2 }
                             ^~
      car.yaml:8:28: error: "playlists.p.select.match.title": "/(/" is not a regular expression that can be used: nothing closes one of its "("
            match: { title: ["", "/(/"], duration: { min: 2h, max: 1h }, type: song, sesaon: 2 }
                                 ^~~~~
      car.yaml:8:53: error: nothing lies between these bounds: "min" is above "max"; swap them
            match: { title: ["", "/(/"], duration: { min: 2h, max: 1h }, type: song, sesaon: 2 }
                                                          ^~
      car.yaml:8:74: error: "playlists.p.select.match.type" must be full, trailer, bonus or a media type such as "audio/*", but is "song"
            match: { title: ["", "/(/"], duration: { min: 2h, max: 1h }, type: song, sesaon: 2 }
                                                                               ^~~~
      car.yaml:8:80: error: unknown key "sesaon" in "playlists.p.select.match": did you mean "season"?
            match: { title: ["", "/(/"], duration: { min: 2h, max: 1h }, type: song, sesaon: 2 }
                                                                                     ^~~~~~
      car.yaml:9:33: error: "playlists.p.select.exclude.season.min" must be between 0 and 100000, but is "-1"
            exclude: { season: { min: -1 }, explicit: no }
                                      ^~
      car.yaml:9:49: error: "playlists.p.select.exclude.explicit" must be true or false, but is "no": write false
            exclude: { season: { min: -1 }, explicit: no }
                                                      ^~
      """#),
    Picture(
      "half a regular expression, and conditions with nothing in them",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { feed: f, select: { match: { title: ["/a/g", "/a/I", "/^Ad:", "a$/i"] }, exclude: { title: "a/" } } }
        q: { feed: g, select: { match: { title: [], duration: {} }, exclude: { type: [], season: { min: } } } }
        r: { feed: h, select: { match: { title: ["/a/i", "a/b", "*[/]", "Q/A"] }, exclude: {} } }
      """#,
      #"""
      car.yaml:4:44: error: "playlists.p.select.match.title": "/a/g" is half a regular expression: write "/…/" or "/…/i", with nothing else before or behind it; or "[/]" for the character itself
        p: { feed: f, select: { match: { title: ["/a/g", "/a/I", "/^Ad:", "a$/i"] }, exclude: { title: "a/" } } }
                                                 ^~~~~~
      car.yaml:4:52: error: "playlists.p.select.match.title": "/a/I" is half a regular expression: write "/…/" or "/…/i", with nothing else before or behind it; or "[/]" for the character itself
        p: { feed: f, select: { match: { title: ["/a/g", "/a/I", "/^Ad:", "a$/i"] }, exclude: { title: "a/" } } }
                                                         ^~~~~~
      car.yaml:4:60: error: "playlists.p.select.match.title": "/^Ad:" is half a regular expression: write "/…/" or "/…/i", with nothing else before or behind it; or "[/]" for the character itself
        p: { feed: f, select: { match: { title: ["/a/g", "/a/I", "/^Ad:", "a$/i"] }, exclude: { title: "a/" } } }
                                                                 ^~~~~~~
      car.yaml:4:69: error: "playlists.p.select.match.title": "a$/i" is half a regular expression: write "/…/" or "/…/i", with nothing else before or behind it; or "[/]" for the character itself
        p: { feed: f, select: { match: { title: ["/a/g", "/a/I", "/^Ad:", "a$/i"] }, exclude: { title: "a/" } } }
                                                                          ^~~~~~
      car.yaml:4:98: error: "playlists.p.select.exclude.title": "a/" is half a regular expression: write "/…/" or "/…/i", with nothing else before or behind it; or "[/]" for the character itself
        p: { feed: f, select: { match: { title: ["/a/g", "/a/I", "/^Ad:", "a$/i"] }, exclude: { title: "a/" } } }
                                                                                                       ^~~~
      car.yaml:5:43: error: "playlists.q.select.match.title" has nothing in it, so it would not leave anything out: write a condition, or remove the key
        q: { feed: g, select: { match: { title: [], duration: {} }, exclude: { type: [], season: { min: } } } }
                                                ^
      car.yaml:5:57: error: "playlists.q.select.match.duration" has nothing in it, so it would not leave anything out: write a condition, or remove the key
        q: { feed: g, select: { match: { title: [], duration: {} }, exclude: { type: [], season: { min: } } } }
                                                              ^
      car.yaml:5:80: error: "playlists.q.select.exclude.type" has nothing in it, so it would not leave anything out: write a condition, or remove the key
        q: { feed: g, select: { match: { title: [], duration: {} }, exclude: { type: [], season: { min: } } } }
                                                                                     ^
      car.yaml:5:92: error: "playlists.q.select.exclude.season" has nothing in it, so it would not leave anything out: write a condition, or remove the key
        q: { feed: g, select: { match: { title: [], duration: {} }, exclude: { type: [], season: { min: } } } }
                                                                                                 ^
      """#),
    Picture(
      "a number of items to keep that keeps none",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { feed: f, retain: { keep_within: 30d, drop_after: 4w, keep_last: 0 } }
      """#,
      #"""
      car.yaml:4:72: error: "playlists.p.retain.keep_last" must be between 1 and 1000000, but is "0"; where none is meant: none
        p: { feed: f, retain: { keep_within: 30d, drop_after: 4w, keep_last: 0 } }
                                                                             ^
      """#),
    Picture(
      "pages of what has none",
      #"""
      version: 1
      library: { path: lib }
      defaults: { select: { pages: 4 } }
      playlists:
        p: { feed: f, select: { pages: 2 } }
        q: { opml: o, select: { pages: all } }
        r: { list: l, select: { initial: 3, pages: 2 } }
        s: { items: [{ id: a, title: A, url: "https://a.example/a.mp3" }], select: { pages: 3 } }
        t: { list: m, select: { pages: 1 } }
      """#,
      #"""
      car.yaml:7:39: warning: "pages" counts the pages of feeds, and this playlist has no feed: remove the key
        r: { list: l, select: { initial: 3, pages: 2 } }
                                            ^~~~~
      car.yaml:8:80: warning: "pages" counts the pages of feeds, and this playlist has no feed: remove the key
        s: { items: [{ id: a, title: A, url: "https://a.example/a.mp3" }], select: { pages: 3 } }
                                                                                     ^~~~~
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
      car.yaml:6:25: error: the playlists' budgets are 11.0 GiB together, but "storage.budget" is 10.0 GiB: make them smaller
        q: { feed: g, budget: 5GiB }
                              ^~~~
      car.yaml:7:25: error: the playlist "r" may take 11.0 GiB, but "storage.budget" is 10.0 GiB: make it smaller
        r: { feed: h, budget: 11GiB }
                              ^~~~~
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
      car.yaml:4:25: error: the budget of the playlist "p" is a share of "storage.budget", which is not declared: declare it, or write a size
        p: { feed: f, budget: 60% }
                              ^~~
      """#),
    Picture(
      "a number alone where days are meant, and a set that nothing closes",
      #"""
      version: 1
      library: { path: lib }
      storage: { trash: { keep: 7 }, evict: { min_age: 24 } }
      downloads: { partials: { keep: "7" } }
      playlists:
        p: { feed: f, select: { since: 2026 }, retain: { keep_within: 7, drop_after: 30.5 } }
        q: { feed: g, select: { since: 90 }, retain: { drop_played_after: "${SET}" } }
        r: { feed: h, select: { match: { title: "[live*" }, exclude: { title: "[a]*[[]", season: [1, 2] } } }
        s: { feed: i, retain: { drop_played_after: 0, drop_after: 0 } }
        t: { feed: j, select: { since: 20260131, latest: off }, retain: { drop_after: none, keep_within: 86400 } }
      """#,
      #"""
      car.yaml:3:27: error: "storage.trash.keep" wants a unit, and "7" has none: write "7d" for days
      storage: { trash: { keep: 7 }, evict: { min_age: 24 } }
                                ^
      car.yaml:3:50: error: "storage.evict.min_age" wants a unit, and "24" has none: write "24d" for days
      storage: { trash: { keep: 7 }, evict: { min_age: 24 } }
                                                       ^~
      car.yaml:4:32: error: "downloads.partials.keep" wants a unit, and "7" has none: write "7d" for days
      downloads: { partials: { keep: "7" } }
                                     ^~~
      car.yaml:6:34: error: "playlists.p.select.since": "2026" is neither a date nor an age: write "2026-01-01", or "90d" for days
        p: { feed: f, select: { since: 2026 }, retain: { keep_within: 7, drop_after: 30.5 } }
                                       ^~~~
      car.yaml:6:65: error: "playlists.p.retain.keep_within" wants a unit, and "7" has none: write "7d" for days
        p: { feed: f, select: { since: 2026 }, retain: { keep_within: 7, drop_after: 30.5 } }
                                                                      ^
      car.yaml:6:80: error: "playlists.p.retain.drop_after" wants a unit, and "30.5" has none: write "30.5d" for days
        p: { feed: f, select: { since: 2026 }, retain: { keep_within: 7, drop_after: 30.5 } }
                                                                                     ^~~~
      car.yaml:7:34: error: "playlists.q.select.since": "90" is neither a date nor an age: write a date such as 2026-01-05, or "90d" for days
        q: { feed: g, select: { since: 90 }, retain: { drop_played_after: "${SET}" } }
                                       ^~
      car.yaml:7:69: error: "playlists.q.retain.drop_played_after" wants a unit, and what "${SET}" stands for has none: write "7d" for days
        q: { feed: g, select: { since: 90 }, retain: { drop_played_after: "${SET}" } }
                                                                          ^~~~~~~~
      car.yaml:8:43: error: "playlists.r.select.match.title": nothing closes the "[" in "[live*": write "[[]" for the character itself
        r: { feed: h, select: { match: { title: "[live*" }, exclude: { title: "[a]*[[]", season: [1, 2] } } }
                                                ^~~~~~~~
      car.yaml:8:92: error: "playlists.r.select.exclude.season" must be a whole number, or bounds such as { min: 2, max: 4 }, but is a list
        r: { feed: h, select: { match: { title: "[live*" }, exclude: { title: "[a]*[[]", season: [1, 2] } } }
                                                                                                 ^
      car.yaml:10:34: error: "playlists.t.select.since": "20260131" is neither a date nor an age: write "2026-01-31", or "90d" for days
        t: { feed: j, select: { since: 20260131, latest: off }, retain: { drop_after: none, keep_within: 86400 } }
                                       ^~~~~~~~
      car.yaml:10:52: error: "playlists.t.select.latest" has another word for "off": write none
        t: { feed: j, select: { since: 20260131, latest: off }, retain: { drop_after: none, keep_within: 86400 } }
                                                         ^~~
      car.yaml:10:81: error: "playlists.t.retain.drop_after" has another word for "none": write never
        t: { feed: j, select: { since: 20260131, latest: off }, retain: { drop_after: none, keep_within: 86400 } }
                                                                                      ^~~~
      car.yaml:10:100: error: "playlists.t.retain.keep_within" wants a unit, and "86400" has none: write "86400s" for seconds
        t: { feed: j, select: { since: 20260131, latest: off }, retain: { drop_after: none, keep_within: 86400 } }
                                                                                                         ^~~~~
      """#),
  ]
}
