// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("values that do not go together are refused")
struct RulePictures {
  @Test("the whole picture", arguments: pictures)
  func picture(_ picture: Picture) { #expect(picture.rendered == picture.expected) }

  static let pictures: [Picture] = [
    Picture(
      "a report among the job's own files",
      #"""
      version: 1
      library: { path: lib, state: memory }
      playlists: { p: { feed: f.xml } }
      report: { json: lib/../memory/./download_queue.json }
      """#,
      #"""
      car.yaml:4:17: error: "report.json" names a file among those that the job keeps for itself: name one outside of "library.state" and of the library's ".syncjob"
      report: { json: lib/../memory/./download_queue.json }
                      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
      """#),
    Picture(
      "a report in the folder that every library has",
      #"""
      version: 1
      library: { path: lib, state: memory }
      playlists: { p: { feed: f.xml } }
      report: { json: lib/.syncjob/reports/last.json }
      """#,
      #"""
      car.yaml:4:17: error: "report.json" names a file among those that the job keeps for itself: name one outside of "library.state" and of the library's ".syncjob"
      report: { json: lib/.syncjob/reports/last.json }
                      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
      """#),
    Picture(
      "a history that does not say where it is",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      history: [{ timezone: Europe/Berlin }]
      """#,
      #"""
      car.yaml:4:13: error: the history does not say where it is: add one of "scrobbler_log", "listens", "mpd_stickers", "mpdcron", "server"
      history: [{ timezone: Europe/Berlin }]
                  ^~~~~~~~
      """#),
    Picture(
      "two histories in one entry, what means nothing for a kind, and two ways to say one thing",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      history:
        - { listens: a, mpdcron: b }
        - { scrobbler_log: c, prefix: b }
        - { mpdcron: d, prefix: b, music_directory: c }
        - { listens: e, timezone: UTC }
      """#,
      #"""
      car.yaml:5:7: error: the history is in "listens" and "mpdcron" at once: make an entry for each
        - { listens: a, mpdcron: b }
            ^~~~~~~
      car.yaml:6:25: error: "prefix" means nothing for "scrobbler_log": remove it
        - { scrobbler_log: c, prefix: b }
                              ^~~~~~
      car.yaml:7:19: error: "music_directory" and "prefix" both say how the player's paths lead into the library: keep one of the two
        - { mpdcron: d, prefix: b, music_directory: c }
                        ^~~~~~
      car.yaml:8:19: error: "timezone" means nothing for "listens": remove it
        - { listens: e, timezone: UTC }
                        ^~~~~~~~
      """#),
    Picture(
      "a history that is no mapping, a zone that is none, and a server",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      history:
        - .scrobbler.log
        - { scrobbler_log: a, timezone: ../etc/passwd }
        - { server: home, direction: both }
      """#,
      #"""
      car.yaml:5:5: error: "history" must be a list of mappings ("- scrobbler_log: PATH" lines), but is ".scrobbler.log"
        - .scrobbler.log
          ^~~~~~~~~~~~~~
      car.yaml:6:35: error: "history.timezone": no time zone is called "../etc/passwd": write a name such as Europe/Berlin, or an offset such as "+02:00"
        - { scrobbler_log: a, timezone: ../etc/passwd }
                                        ^~~~~~~~~~~~~
      car.yaml:7:15: error: "servers" has no "home": declare it there
        - { server: home, direction: both }
                    ^~~~
      """#),
    Picture(
      "servers of a history, and what they do not take",
      #"""
      version: 1
      library: { path: lib }
      servers:
        home: { type: subsonic, url: "http://a.example", auth: { user: a, password: b }, device: car }
        pods: { type: gpodder, url: "http://b.example", auth: { api_key: k }, device: "my car" }
        sync: { type: gpodder, url: "http://c.example", auth: { user: a, password: b } }
        told: { type: listenbrainz, url: "http://d.example", auth: { user: a, password: b } }
        lb: { type: listenbrainz, url: "http://d.example", auth: { api_key: k } }
        none: { type: listenbrainz, url: "http://d.example", auth: {} }
      playlists: { p: { subsonic: { server: sync, playlist: P } } }
      history:
        - { server: home }
        - { server: sync, timezone: UTC }
        - { server: sync, direction: push }
        - { listens: a, direction: push }
        - { server: lb, direction: both }
      """#,
      #"""
      car.yaml:4:84: error: "device" is for servers of type "gpodder": remove it
        home: { type: subsonic, url: "http://a.example", auth: { user: a, password: ******************
                                                                                         ^~~~~~
      car.yaml:5:57: error: servers of type "gpodder" take a user and a password: replace the key by them
        pods: { type: gpodder, url: "http://b.example", auth: { api_key: ***********************
                                                              ^
      car.yaml:5:81: error: "servers.pods.device": "my car" cannot be the name of a device: write at most 64 letters, digits, "_", "." and "-"
        pods: { type: gpodder, url: "http://b.example", auth: { api_key: ***********************
                                                                                      ^~~~~~~~
      car.yaml:7:62: error: servers of type "listenbrainz" take the user's token: write it into a file, and name that with "api_key_file"
        told: { type: listenbrainz, url: "http://d.example", auth: { user: a, password: *****
                                                                   ^
      car.yaml:9:62: error: the login is missing: add "user" and "password_file", "api_key_file" for a key or a token, or "oauth"
        none: { type: listenbrainz, url: "http://d.example", auth: {} }
                                                                   ^
      car.yaml:10:39: error: the server "sync" is of type "gpodder" and has no songs: name one of type "subsonic"
      playlists: { p: { subsonic: { server: ***********************
                                            ^~~~
      car.yaml:12:15: hint: no playlist takes songs from "home", so no plays are exchanged with it
        - { server: home }
                    ^~~~
      car.yaml:13:21: error: "timezone" means nothing for "server": remove it
        - { server: sync, timezone: UTC }
                          ^~~~~~~~
      car.yaml:14:15: error: the history "sync" is named a second time, first in line 13: keep one of the two
        - { server: sync, direction: push }
                    ^~~~
      car.yaml:15:19: error: "direction" means nothing for "listens": remove it
        - { listens: a, direction: push }
                        ^~~~~~~~~
      car.yaml:16:30: error: no plays are pulled from servers of type "listenbrainz", as "lb" is: remove "direction", or write "push"
        - { server: lb, direction: both }
                                   ^~~~
      """#),
    Picture(
      "a target above the trigger",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { evict: { target: 96% } }
      """#,
      #"""
      car.yaml:4:29: error: eviction would free nothing: "target" lies above "trigger"; make it the smaller one
      storage: { evict: { target: 96% } }
                                  ^~~
      """#),
    Picture(
      "a charge for low quality above the one for normal quality",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      power: { low_below: 50%, normal_below: 20%, prefetch_above: 101% }
      """#,
      #"""
      car.yaml:4:21: error: normal quality would never be taken: "low_below" is not below "normal_below"; make it the smaller one
      power: { low_below: 50%, normal_below: 20%, prefetch_above: 101% }
                          ^~~
      car.yaml:4:61: error: "power.prefetch_above" must be between 0% and 100%, but is "101%"
      power: { low_below: 50%, normal_below: 20%, prefetch_above: 101% }
                                                                  ^~~~
      """#),
    Picture(
      "a trigger that cannot be read says nothing about the target",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { evict: { trigger: 120%, target: 96% } }
      """#,
      #"""
      car.yaml:4:30: error: "storage.evict.trigger" must be between 0% and 100%, but is "120%"
      storage: { evict: { trigger: 120%, target: 96% } }
                                   ^~~~
      """#),
    Picture(
      "a trigger below the target",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { evict: { trigger: 80% } }
      """#,
      #"""
      car.yaml:4:30: error: eviction would free nothing: "target" lies above "trigger"; make it the smaller one
      storage: { evict: { trigger: 80% } }
                                   ^~~
      """#),
    Picture(
      "a first wait above the longest",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads: { backoff: { initial: 10m } }
      """#,
      #"""
      car.yaml:4:34: error: the first wait is longer than the longest: make "initial" at most "max"
      downloads: { backoff: { initial: 10m } }
                                       ^~~
      """#),
    Picture(
      "more confidence than tolerance",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      alternatives: { tolerance: 3s, confident_within: 5s }
      """#,
      #"""
      car.yaml:4:50: error: "confident_within" is wider than "tolerance", which decides what is taken at all: make it the smaller one
      alternatives: { tolerance: 3s, confident_within: 5s }
                                                       ^~
      """#),
    Picture(
      "the state in place of the library",
      #"""
      version: 1
      library: { path: lib, state: ./x/../lib }
      playlists: { p: { feed: f.xml } }
      """#,
      #"""
      car.yaml:2:30: error: "library.state" is the library itself: name a directory of its own, or remove the key to have it in the library
      library: { path: lib, state: ./x/../lib }
                                   ^~~~~~~~~~
      """#),
    Picture(
      "a playlist without a source",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { title: P }
      """#,
      #"""
      car.yaml:4:6: error: the playlist "p" does not say where its items come from: add "items", "feed", "list", "subsonic", "opml", "ytdlp" or "gpodder"
        p: { title: P }
           ^
      """#),
    Picture(
      "a playlist without anything",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
      """#,
      #"""
      car.yaml:4:3: error: the playlist "p" does not say where its items come from: add "items", "feed", "list", "subsonic", "opml", "ytdlp" or "gpodder"
        p:
        ^
      """#),
    Picture(
      "a choice among what was all written down",
      #"""
      version: 1
      library: { path: lib }
      defaults: { select: { latest: 9 } }
      playlists:
        p: { items: [{ url: "https://h/a.mp3" }], select: { latest: 1 } }
        q: { items: [{ url: "https://h/b.mp3" }] }
      """#,
      #"""
      car.yaml:5:45: error: "select" chooses among the episodes of a feed; of "items" everything is wanted: remove the key, or the items
        p: { items: [{ url: "https://h/a.mp3" }], select: { latest: 1 } }
                                                  ^~~~~~
      """#),
    Picture(
      "a playlist with two sources",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { feed: f, items: [] }
      """#,
      #"""
      car.yaml:4:6: error: the playlist "p" has more than one source, "feed" and "items": keep one, make a playlist for each other
        p: { feed: f, items: [] }
           ^
      """#),
    Picture(
      "an item without a URL",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          items:
            - title: A
      """#,
      #"""
      car.yaml:6:9: error: the item has no URL: add "url", or "urls" by quality, or "alternatives.search"
            - title: A
              ^
      """#),
    Picture(
      "an item with both kinds of URL",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          items:
            - { url: "https://h/a", urls: { low: "https://h/b" } }
      """#,
      #"""
      car.yaml:6:9: error: the item has both "url" and "urls": keep one of the two
            - { url: "https://h/a", urls: { low: "https://h/b" } }
              ^
      """#),
    Picture(
      "an item with no URL in any quality",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          items:
            - { urls: {} }
      """#,
      #"""
      car.yaml:6:17: error: the key "high" is required in "urls" and missing: add it
            - { urls: {} }
                      ^
      """#),
    Picture(
      "an alternative without a URL",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          items:
            - { url: "https://h/a", alternatives: [{ title: A }] }
      """#,
      #"""
      car.yaml:6:46: error: the key "url" is required in "alternatives" and missing: add it
            - { url: "https://h/a", alternatives: [{ title: A }] }
                                                   ^
      """#),
    Picture(
      "one id twice",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          items:
            - { id: a, url: "https://h/a" }
            - { id: a, url: "https://h/b" }
      """#,
      #"""
      car.yaml:7:15: error: the playlist has two items with the id "a", the first in line 6: rename or remove one
            - { id: a, url: "https://h/b" }
                    ^
      """#),
    Picture(
      "one URL twice",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          items:
            - url: https://h/a.mp3
            - url: https://h/a.mp3
      """#,
      #"""
      car.yaml:7:14: error: the playlist names this URL twice, first in line 6: remove one of the items, or give them ids (both are called "a-e7339313" after their URL)
            - url: https://h/a.mp3
                   ^~~~~~~~~~~~~~~
      """#),
    Picture(
      "one id for two files",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { items: [{ id: a, url: "https://h/a" }] }
        q: { items: [{ id: a, url: "https://h/b" }] }
      """#,
      #"""
      car.yaml:5:22: error: the id "a" stands for another URL in the playlist "p", line 4: rename one of the two, or give both the same URL
        q: { items: [{ id: a, url: "https://h/b" }] }
                           ^
      """#),
    Picture(
      "no playlist at all",
      #"""
      version: 1
      library: { path: lib }
      """#,
      #"""
      car.yaml:1:1: warning: no playlist is declared: there is nothing to keep in the library
      version: 1
      ^
      """#),
    Picture(
      "an empty list of playlists",
      #"""
      version: 1
      library: { path: lib }
      playlists: {}
      """#,
      #"""
      car.yaml:3:12: warning: no playlist is declared: there is nothing to keep in the library
      playlists: {}
                 ^
      """#),
    Picture(
      "sealing without keys",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      protect: { mode: encrypt }
      """#,
      #"""
      car.yaml:4:18: error: nothing can be sealed without keys: add "keys_file", and make the file with: syncjob key new
      protect: { mode: encrypt }
                       ^~~~~~~
      """#),
    Picture(
      "keys in two places",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      protect: { mode: encrypt, keys_file: ./k, keys_credential: k }
      """#,
      #"""
      car.yaml:4:18: error: the keys are in "keys_file" and "keys_credential" at once: keep one of them
      protect: { mode: encrypt, keys_file: ./k, keys_credential: k }
                       ^~~~~~~
      """#),
    Picture(
      "a folder for media in clear in a library in clear",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      protect: { partials: /dev/shm/x, keys_credential: a/b }
      """#,
      #"""
      car.yaml:4:22: error: "protect.partials" is for media that are sealed later, and "protect.mode" is none: remove the key
      protect: { partials: /dev/shm/x, keys_credential: a/b }
                           ^~~~~~~~~~
      car.yaml:4:51: error: "protect.keys_credential": no credential of the service manager is called "a/b"
      protect: { partials: /dev/shm/x, keys_credential: a/b }
                                                        ^~~
      """#),
    Picture(
      "metrics that the textfile collector passes over",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      report: { metrics: ./syncjob.txt }
      """#,
      #"""
      car.yaml:4:20: hint: node-exporter's textfile collector reads only files whose names end in ".prom"
      report: { metrics: ./syncjob.txt }
                         ^~~~~~~~~~~~~
      """#),
    Picture(
      "one history twice, an offset that no place has, and paths that lead out",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      history:
        - { scrobbler_log: ./a.log, timezone: "+25:00" }
        - { listens: b, prefix: ../x }
        - { scrobbler_log: /m/c/../a.log, timezone: 02:00 }
      """#,
      #"""
      car.yaml:5:41: error: "history.timezone": no time zone is called "+25:00": write a name such as Europe/Berlin, or an offset such as "+02:00"
        - { scrobbler_log: ./a.log, timezone: "+25:00" }
                                              ^~~~~~~~
      car.yaml:6:27: error: "history.prefix": no path of a player begins with "../x": write the folder as the player knows it, such as "stick"
        - { listens: b, prefix: ../x }
                                ^~~~
      car.yaml:7:22: error: the history "/m/a.log" is named a second time, first in line 5: keep one of the two
        - { scrobbler_log: /m/c/../a.log, timezone: 02:00 }
                           ^~~~~~~~~~~~~
      car.yaml:7:47: error: "history.timezone": no time zone is called "02:00": write a name such as Europe/Berlin, or an offset such as "+02:00"
        - { scrobbler_log: /m/c/../a.log, timezone: 02:00 }
                                                    ^~~~~
      """#),
  ]
}
