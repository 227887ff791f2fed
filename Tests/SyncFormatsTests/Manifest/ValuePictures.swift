// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("a value of the wrong form is refused with the right one")
struct ValuePictures {
  @Test("the whole picture", arguments: pictures)
  func picture(_ picture: Picture) { #expect(picture.rendered == picture.expected) }

  static let pictures: [Picture] = [
    Picture(
      "a section that is a text",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: 10GiB
      """#,
      #"""
      car.yaml:4:10: error: "storage" must be a mapping ("key: value" lines), but is "10GiB"
      storage: 10GiB
               ^~~~~
      """#),
    Picture(
      "a list that is a mapping",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { items: { a: b } }
      """#,
      #"""
      car.yaml:4:15: error: "playlists.p.items" must be a list ("- " lines), but is a mapping
        p: { items: { a: b } }
                    ^
      """#),
    Picture(
      "items that are texts",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          items:
            - https://h/a.mp3
      """#,
      #"""
      car.yaml:6:9: error: "items" must be a list of mappings ("- url: https://…" lines), but is "https://h/a.mp3"
            - https://h/a.mp3
              ^~~~~~~~~~~~~~~
      """#),
    Picture(
      "a text that is missing",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      name:
      """#,
      #"""
      car.yaml:4:6: error: "name" must be a text, but is empty
      name:
           ^
      """#),
    Picture(
      "a text that is empty",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      name: ""
      """#,
      #"""
      car.yaml:4:7: error: "name" must not be empty
      name: ""
            ^~
      """#),
    Picture(
      "a text that is a list",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      name: [car]
      """#,
      #"""
      car.yaml:4:7: error: "name" must be a text, but is a list
      name: [car]
            ^
      """#),
    Picture(
      "a boolean of YAML 1.1",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      features: { retry: yes, resume: OFF, eviction: off }
      """#,
      #"""
      car.yaml:4:20: error: "features.retry" must be true or false, but is "yes": write true
      features: { retry: yes, resume: OFF, eviction: off }
                         ^~~
      car.yaml:4:33: error: "features.resume" must be true or false, but is "OFF": write false
      features: { retry: yes, resume: OFF, eviction: off }
                                      ^~~
      car.yaml:4:48: error: "features.eviction" must be true or false, but is "off": write false
      features: { retry: yes, resume: OFF, eviction: off }
                                                     ^~~
      """#),
    Picture(
      "a quoted boolean",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      features: { retry: "true" }
      """#,
      #"""
      car.yaml:4:20: error: "features.retry" must be true or false, but quotes make "true" a text: remove them
      features: { retry: "true" }
                         ^~~~~~
      """#),
    Picture(
      "a quoted number",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads: { concurrency: "3", backoff: { factor: '2' } }
      """#,
      #"""
      car.yaml:4:27: error: "downloads.concurrency" must be a whole number, but quotes make "3" a text: remove them
      downloads: { concurrency: "3", backoff: { factor: '2' } }
                                ^~~
      car.yaml:4:51: error: "downloads.backoff.factor" must be a number, but quotes make "2" a text: remove them
      downloads: { concurrency: "3", backoff: { factor: '2' } }
                                                        ^~~
      """#),
    Picture(
      "a number of another notation",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads: { retries: 1e3 }
      """#,
      #"""
      car.yaml:4:23: error: "downloads.retries" must be a whole number, but is "1e3"
      downloads: { retries: 1e3 }
                            ^~~
      """#),
    Picture(
      "a number out of range",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads: { concurrency: 0, per_host: -1, retries: 101, backoff: { factor: 0.5 } }
      """#,
      #"""
      car.yaml:4:27: error: "downloads.concurrency" must be between 1 and 64, but is "0"
      downloads: { concurrency: 0, per_host: -1, retries: 101, backoff: { factor: 0.5 } }
                                ^
      car.yaml:4:40: error: "downloads.per_host" must be between 1 and 64, but is "-1"
      downloads: { concurrency: 0, per_host: -1, retries: 101, backoff: { factor: 0.5 } }
                                             ^~
      car.yaml:4:53: error: "downloads.retries" must be between 0 and 100, but is "101"
      downloads: { concurrency: 0, per_host: -1, retries: 101, backoff: { factor: 0.5 } }
                                                          ^~~
      car.yaml:4:77: error: "downloads.backoff.factor" must be between 1 and 100, but is "0.5"
      downloads: { concurrency: 0, per_host: -1, retries: 101, backoff: { factor: 0.5 } }
                                                                                  ^~~
      """#),
    Picture(
      "a number that fits nowhere",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads: { retries: 99999999999999999999 }
      """#,
      #"""
      car.yaml:4:23: error: "downloads.retries" must be between 0 and 100, but is "99999999999999999999"
      downloads: { retries: 99999999999999999999 }
                            ^~~~~~~~~~~~~~~~~~~~
      """#),
  ]
}
