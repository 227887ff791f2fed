// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("a number, size or time of the wrong form is refused with the right one")
struct NumberPictures {
  @Test("the whole picture", arguments: pictures)
  func picture(_ picture: Picture) { #expect(picture.rendered == picture.expected) }

  static let pictures: [Picture] = [
    Picture(
      "a bare letter after a size",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { budget: 10G }
      """#,
      #"""
      car.yaml:4:20: error: "storage.budget": "10G" is decimal for some programs and binary for others: write "10GiB" (1024) or "10GB" (1000)
      storage: { budget: 10G }
                         ^~~
      """#),
    Picture(
      "bandwidths that are none",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads:
        bandwidth: fast
      """#,
      #"""
      car.yaml:5:14: error: "downloads.bandwidth" must be off, a rate such as 512K or 2M, or a timetable such as "08:00,512K 23:00,off", but is "fast"
        bandwidth: fast
                   ^~~~
      """#),
    Picture(
      "an entry of a timetable that is none",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads: { bandwidth: "08:00,512K 25:00,off" }
      """#,
      #"""
      car.yaml:4:25: error: "downloads.bandwidth": "25:00,off" is not an entry of a timetable: write a time and a rate such as "08:00,512K", "23:00,off" or "Sat-00:00,2M"
      downloads: { bandwidth: "08:00,512K 25:00,off" }
                              ^~~~~~~~~~~~~~~~~~~~~~
      """#),
    Picture(
      "two entries at one time",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads: { bandwidth: "mon-08:00,512K Monday-08:00,off" }
      """#,
      #"""
      car.yaml:4:25: error: "downloads.bandwidth": two entries begin at "Mon-08:00": keep one of the two
      downloads: { bandwidth: "mon-08:00,512K Monday-08:00,off" }
                              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
      """#),
    Picture(
      "limits that nothing fits through",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads: { bandwidth: 512, max_transfer: 0, max_duration: 10ms, order: shortest }
      """#,
      #"""
      car.yaml:4:25: error: "downloads.bandwidth": "512" is less than a transfer needs: at least 1K, or off
      downloads: { bandwidth: 512, max_transfer: 0, max_duration: 10ms, order: shortest }
                              ^~~
      car.yaml:4:44: error: "downloads.max_transfer" must be at least 1, but is "0"
      downloads: { bandwidth: 512, max_transfer: 0, max_duration: 10ms, order: shortest }
                                                 ^
      car.yaml:4:61: error: "downloads.max_duration" must be at least 1s, but is "10ms"
      downloads: { bandwidth: 512, max_transfer: 0, max_duration: 10ms, order: shortest }
                                                                  ^~~~
      car.yaml:4:74: error: "downloads.order" must be one of priority, manifest, newest, oldest, smallest, but is "shortest"
      downloads: { bandwidth: 512, max_transfer: 0, max_duration: 10ms, order: shortest }
                                                                               ^~~~~~~~
      """#),
    Picture(
      "a size of no unit",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { budget: 10 gigs, min_free: 1.5 }
      """#,
      #"""
      car.yaml:4:20: error: "storage.budget" must be a size such as 10GiB, 8.6MB or 1048576, but is "10 gigs"
      storage: { budget: 10 gigs, min_free: 1.5 }
                         ^~~~~~~
      car.yaml:4:39: error: "storage.min_free" must be a size such as 10GiB, 8.6MB or 1048576, but is "1.5"
      storage: { budget: 10 gigs, min_free: 1.5 }
                                            ^~~
      """#),
    Picture(
      "a size below zero",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { min_free: -1MB }
      """#,
      #"""
      car.yaml:4:22: error: "storage.min_free" must be at least 0, but is "-1MB"
      storage: { min_free: -1MB }
                           ^~~~
      """#),
    Picture(
      "a size above everything",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { budget: 9000000TiB }
      """#,
      #"""
      car.yaml:4:20: error: "storage.budget" must be at most 8388607TiB, but is "9000000TiB"
      storage: { budget: 9000000TiB }
                         ^~~~~~~~~~
      """#),
    Picture(
      "a size that must be one",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads: { max_item_size: 0 }
      """#,
      #"""
      car.yaml:4:29: error: "downloads.max_item_size" must be at least 1, but is "0"
      downloads: { max_item_size: 0 }
                                  ^
      """#),
    Picture(
      "a percentage without its sign",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { warn_at: 80 }
      """#,
      #"""
      car.yaml:4:21: error: "storage.warn_at" must be a percentage such as 85%, but is "80": write "80%"
      storage: { warn_at: 80 }
                          ^~
      """#),
    Picture(
      "a percentage above the whole",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { warn_at: 101% }
      """#,
      #"""
      car.yaml:4:21: error: "storage.warn_at" must be between 0% and 100%, but is "101%"
      storage: { warn_at: 101% }
                          ^~~~
      """#),
    Picture(
      "a limit that is neither",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { max_delete: some }
      """#,
      #"""
      car.yaml:4:24: error: "storage.max_delete" must be a percentage such as 25%, or a number, but is "some"
      storage: { max_delete: some }
                             ^~~~
      """#),
    Picture(
      "a duration of no unit",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { trash: { keep: 1y } }
      """#,
      #"""
      car.yaml:4:27: error: "storage.trash.keep" must be a duration such as 7d, 12h or 1h30m, but is "1y"
      storage: { trash: { keep: 1y } }
                                ^~
      """#),
    Picture(
      "a clock with too many minutes",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { trash: { keep: "1:75:00" } }
      """#,
      #"""
      car.yaml:4:27: error: "storage.trash.keep" must be a duration such as 7d, 12h or 1h30m, but is "1:75:00"
      storage: { trash: { keep: "1:75:00" } }
                                ^~~~~~~~~
      """#),
    Picture(
      "a duration below zero",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads: { retry_after_max: -5s }
      """#,
      #"""
      car.yaml:4:31: error: "downloads.retry_after_max" must be at least 0s, but is "-5s"
      downloads: { retry_after_max: -5s }
                                    ^~~
      """#),
    Picture(
      "a duration beyond a lifetime",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { trash: { keep: 99999w } }
      """#,
      #"""
      car.yaml:4:27: error: "storage.trash.keep" must be at most 36500d, but is "99999w"
      storage: { trash: { keep: 99999w } }
                                ^~~~~~
      """#),
    Picture(
      "a duration that must be some",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads: { timeouts: { connect: 0s } }
      """#,
      #"""
      car.yaml:4:35: error: "downloads.timeouts.connect" must be at least 1ms, but is "0s"
      downloads: { timeouts: { connect: 0s } }
                                        ^~
      """#),
    Picture(
      "a choice with a near one",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { orphans: evict-frist }
      """#,
      #"""
      car.yaml:4:21: error: "storage.orphans" must be one of keep, evict-first, remove, but is "evict-frist": did you mean "evict-first"?
      storage: { orphans: evict-frist }
                          ^~~~~~~~~~~
      """#),
    Picture(
      "a choice with none near",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { evict: { score: 7 } }
      """#,
      #"""
      car.yaml:4:28: error: "storage.evict.score" must be one of balanced, classic, oldest, but is "7"
      storage: { evict: { score: 7 } }
                                 ^
      """#),
    Picture(
      "a jitter that is not full",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads: { backoff: { jitter: none } }
      """#,
      #"""
      car.yaml:4:33: error: "downloads.backoff.jitter" must be full, but is "none"
      downloads: { backoff: { jitter: none } }
                                      ^~~~
      """#),
    Picture(
      "a date that does not exist",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          items:
            - { url: "https://h/a", published: 2026-02-30 }
      """#,
      #"""
      car.yaml:6:42: error: "published" must be a date such as 2026-01-05 or 2026-01-05T06:00:00Z, but is "2026-02-30"
            - { url: "https://h/a", published: 2026-02-30 }
                                               ^~~~~~~~~~
      """#),
    Picture(
      "a checksum of the wrong length",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          items:
            - { url: "https://h/a", checksum: "md5:abc" }
      """#,
      #"""
      car.yaml:6:41: error: "checksum" must be a checksum such as "sha256:" and 64 hexadecimal digits (or sha512, sha1, md5), but is "md5:abc"
            - { url: "https://h/a", checksum: "md5:abc" }
                                              ^~~~~~~~~
      """#),
    Picture(
      "a selection that is no number",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { feed: f, select: { initial: few, latest: 0 } }
      """#,
      #"""
      car.yaml:4:36: error: "playlists.p.select.initial" must be all, or a number, but is "few"
        p: { feed: f, select: { initial: few, latest: 0 } }
                                         ^~~
      car.yaml:4:49: error: "playlists.p.select.latest" must be between 1 and 1000000, but is "0"; where none is meant: none
        p: { feed: f, select: { initial: few, latest: 0 } }
                                                      ^
      """#),
    Picture(
      "an id that is none",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          items:
            - { url: "https://h/a", id: "a\nb" }
      """#,
      #"""
      car.yaml:6:35: error: the id "a\u{A}b" has control characters or more than 512 bytes: choose another
            - { url: "https://h/a", id: "a\nb" }
                                        ^~~~~~
      """#),
    Picture(
      "a name that is no file name",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      name: a/b
      """#,
      #"""
      car.yaml:4:7: error: "name" names files, so "a/b" cannot be one: no "/", no control characters, at most 128 bytes
      name: a/b
            ^~~
      """#),
    Picture(
      "a playlist name with blanks",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        Night Drive: { feed: f }
      """#,
      #"""
      car.yaml:4:3: error: the playlist name "Night Drive" may only have a-z, 0-9, ".", "_" and "-", and begins with a letter or digit: call it "night-drive", and keep the name as its "title"
        Night Drive: { feed: f }
        ^~~~~~~~~~~
      """#),
    Picture(
      "a playlist name of nothing",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        "!!": { feed: f }
      """#,
      #"""
      car.yaml:4:3: error: the playlist name "!!" may only have a-z, 0-9, ".", "_" and "-", and begins with a letter or digit: rename it
        "!!": { feed: f }
        ^~~~
      """#),
  ]
}
