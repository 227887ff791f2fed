// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("a key that is not acted on is never passed over")
struct KeyPictures {
  @Test("the whole picture", arguments: pictures)
  func picture(_ picture: Picture) { #expect(picture.rendered == picture.expected) }

  static let pictures: [Picture] = [
    Picture(
      "an unknown key with a near one",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage:
        budgte: 1GB
      """#,
      #"""
      car.yaml:5:3: error: unknown key "budgte" in "storage": did you mean "budget"?
        budgte: 1GB
        ^~~~~~
      """#),
    Picture(
      "a format for yt-dlp that consists of several files",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { ytdlp: { url: "ytsearch5:x", format: "bv[fps>30]+ba/b" } }
        q: { ytdlp: { url: "ytsearch5:x", format: "b[format_note*=a+b]" } }
      """#,
      #"""
      car.yaml:4:45: error: "playlists.p.ytdlp.format": "bv[fps>30]+ba/b" consists of several files, but an item is one file: write a format that is one file, such as "ba/b" or "b"
        p: { ytdlp: { url: "ytsearch5:x", format: "bv[fps>30]+ba/b" } }
                                                  ^~~~~~~~~~~~~~~~~
      """#),
    Picture(
      "an unknown key with hyphens",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { min-free: 1GB }
      """#,
      #"""
      car.yaml:4:12: error: unknown key "min-free" in "storage": did you mean "min_free"?
      storage: { min-free: 1GB }
                 ^~~~~~~~
      """#),
    Picture(
      "an unknown key that is near none",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      colour: blue
      """#,
      #"""
      car.yaml:4:1: error: unknown key "colour": remove it, or begin its name with "x-" to have it ignored
      colour: blue
      ^~~~~~
      """#),
    Picture(
      "a key at the wrong place",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      concurrency: 2
      """#,
      #"""
      car.yaml:4:1: error: unknown key "concurrency": it is known as "downloads.concurrency", move it there
      concurrency: 2
      ^~~~~~~~~~~
      """#),
    Picture(
      "a key that the first of many sections knows",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads: { tolerance: 3s }
      """#,
      #"""
      car.yaml:4:14: error: unknown key "tolerance" in "downloads": it is known as "alternatives.tolerance", move it there
      downloads: { tolerance: 3s }
                   ^~~~~~~~~
      """#),
    Picture(
      "a duplicate key",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { budget: 1GB, min_free: 1GB, budget: 2GB }
      """#,
      #"""
      car.yaml:4:40: error: the key "budget" stands here a second time, first in line 4: keep one of the two
      storage: { budget: 1GB, min_free: 1GB, budget: 2GB }
                                             ^~~~~~
      """#),
    Picture(
      "a duplicate section",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      library: { path: other }
      """#,
      #"""
      car.yaml:4:1: error: the key "library" stands here a second time, first in line 2: keep one of the two
      library: { path: other }
      ^~~~~~~
      """#),
    Picture(
      "a duplicate merge key",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      x-a: &a {}
      storage:
        <<: *a
        <<: *a
      """#,
      #"""
      car.yaml:7:3: error: the key "<<" stands here a second time, first in line 6: keep one of the two
        <<: *a
        ^~
      """#),
    Picture(
      "required keys that are misspelt are not missing as well",
      #"""
      vresion: 1
      libary: { path: lib }
      playlist: { p: { feed: f.xml } }
      """#,
      #"""
      car.yaml:1:1: error: unknown key "vresion": did you mean "version"?
      vresion: 1
      ^~~~~~~
      car.yaml:2:1: error: unknown key "libary": did you mean "library"?
      libary: { path: lib }
      ^~~~~~
      car.yaml:3:1: error: unknown key "playlist": did you mean "playlists"?
      playlist: { p: { feed: f.xml } }
      ^~~~~~~~
      """#),
    Picture(
      "no library",
      #"""
      version: 1
      playlists: { p: { feed: f.xml } }
      """#,
      #"""
      car.yaml:1:1: error: the key "library" is required and missing: add it
      version: 1
      ^
      """#),
    Picture(
      "a library without its path",
      #"""
      version: 1
      library: { profile: fat }
      playlists: { p: { feed: f.xml } }
      """#,
      #"""
      car.yaml:2:10: error: the key "path" is required in "library" and missing: add it
      library: { profile: fat }
               ^
      """#),
    Picture(
      "an empty library",
      #"""
      version: 1
      library:
      playlists: { p: { feed: f.xml } }
      """#,
      #"""
      car.yaml:2:9: error: the key "path" is required in "library" and missing: add it
      library:
              ^
      """#),
    Picture(
      "a key by its whole path",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads.network.allow_private: [127.0.0.1]
      downloads: { network.allow_private: true }
      """#,
      #"""
      car.yaml:4:1: error: unknown key "downloads.network.allow_private": write each part in the mapping of the one before, as in downloads: { network: { allow_private: … } }
      downloads.network.allow_private: [127.0.0.1]
      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
      car.yaml:5:14: error: unknown key "network.allow_private" in "downloads": write each part in the mapping of the one before, as in network: { allow_private: … }
      downloads: { network.allow_private: true }
                   ^~~~~~~~~~~~~~~~~~~~~
      """#),
    Picture(
      "hooks that are no lists, whose text may be a secret",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      hooks: { item: "notify --token abc", timout: 60s, on_failure: stop }
      """#,
      #"""
      car.yaml:4:16: error: "hooks.item" must be a list of a program and its arguments, such as [pass, show, media], but is a text
      hooks: { item: ***
                     ^~~
      car.yaml:4:38: error: unknown key "timout" in "hooks": did you mean "timeout"?
      hooks: { item: "notify --token abc", timout: 60s, on_failure: stop }
                                           ^~~~~~
      car.yaml:4:63: error: "hooks.on_failure" must be one of warn, fail, but is "stop"
      hooks: { item: "notify --token abc", timout: 60s, on_failure: stop }
                                                                    ^~~~
      """#),
    Picture(
      "who may be private",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads: { network: { allow_private: [nas.local, 10.0.0.0/40] } }
      """#,
      #"""
      car.yaml:4:52: error: "downloads.network.allow_private" must be true, false or a list of host names, addresses and ranges such as 192.168.1.0/24, but is "10.0.0.0/40"
      downloads: { network: { allow_private: [nas.local, 10.0.0.0/40] } }
                                                         ^~~~~~~~~~~
      """#),
    Picture(
      "text for yt-dlp that is neither a page nor a search",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { ytdlp: songs }
        q: { ytdlp: { format: worst, args: ["--"] } }
        r: { ytdlp: "https://anna:secret@m.example/" }
      """#,
      #"""
      car.yaml:4:15: error: "playlists.p.ytdlp" must be the URL of a page, without a user or password, or a search such as "ytsearch10:night drive"
        p: { ytdlp: songs }
                    ^~~~~
      car.yaml:5:15: error: the key "url" is required in "playlists.q.ytdlp" and missing: add it
        q: { ytdlp: { format: worst, args: ["--"] } }
                    ^
      car.yaml:5:39: error: "playlists.q.ytdlp.args" must be one option or its value, on one line; "--" cannot be one, because the address follows it
        q: { ytdlp: { format: worst, args: ["--"] } }
                                            ^~~~
      car.yaml:6:15: error: "playlists.r.ytdlp" must be the URL of a page, without a user or password, or a search such as "ytsearch10:night drive"
        r: { ytdlp: "https://***********@m.example/" }
                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
      """#),
    Picture(
      "a feature that cannot be switched off yet",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      features: { recovery: false }
      """#,
      #"""
      car.yaml:4:23: error: "features.recovery" is not supported by this version of syncjob yet: remove it, or leave it at true
      features: { recovery: false }
                            ^~~~~
      """#),
    Picture(
      "an unknown key of an item",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          items:
            - url: https://h/a.mp3
              titel: x
      """#,
      #"""
      car.yaml:7:9: error: unknown key "titel": did you mean "title"?
              titel: x
              ^~~~~
      """#),
    Picture(
      "an unknown key of an alternative",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          items:
            - url: https://h/a.mp3
              alternatives: [{ uri: https://h/b.mp3 }]
      """#,
      #"""
      car.yaml:7:26: error: unknown key "uri" in "alternatives": did you mean "url"?
              alternatives: [{ uri: https://h/b.mp3 }]
                               ^~~
      """#),
    Picture(
      "the beginning of several keys",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml, retain: { keep: 3, drop: 7d } } }
      """#,
      #"""
      car.yaml:3:42: error: unknown key "keep" in "playlists.p.retain": did you mean "keep_last", "keep_within" or "keep_unplayed"?
      playlists: { p: { feed: f.xml, retain: { keep: 3, drop: 7d } } }
                                               ^~~~
      car.yaml:3:51: error: unknown key "drop" in "playlists.p.retain": did you mean "drop_played_after" or "drop_after"?
      playlists: { p: { feed: f.xml, retain: { keep: 3, drop: 7d } } }
                                                        ^~~~
      """#),
  ]
}
