// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("variables, paths, URLs, headers and layouts are refused with the way out")
struct PlacePictures {
  @Test("the whole picture", arguments: pictures)
  func picture(_ picture: Picture) { #expect(picture.rendered == picture.expected) }

  static let pictures: [Picture] = [
    Picture(
      "a variable that is not set",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      name: ${NOPE}
      """#,
      #"""
      car.yaml:4:7: error: "name": the environment variable "NOPE" is not set: set it, or write "${NOPE:-default}"
      name: ${NOPE}
            ^~~~~~~
      """#),
    Picture(
      "a variable that is required",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      name: ${NOPE:?say where}
      """#,
      #"""
      car.yaml:4:7: error: "name": the environment variable "NOPE" is required: say where
      name: ${NOPE:?say where}
            ^~~~~~~~~~~~~~~~~~
      """#),
    Picture(
      "a variable that is required and empty",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      name: ${EMPTY:?}
      """#,
      #"""
      car.yaml:4:7: error: "name": the environment variable "EMPTY" is required: set it
      name: ${EMPTY:?}
            ^~~~~~~~~~
      """#),
    Picture(
      "a variable that is not closed",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      name: ${NOPE
      """#,
      #"""
      car.yaml:4:7: error: "name": a "${" has no "}": close it, or write "$${" for the characters themselves
      name: ${NOPE
            ^~~~~~
      """#),
    Picture(
      "a variable of another shell",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      name: "${NOPE%x}"
      """#,
      #"""
      car.yaml:4:7: error: "name": "${NOPE%x}" is not one of "${NAME}", "${NAME:-default}" and "${NAME:?message}"
      name: "${NOPE%x}"
            ^~~~~~~~~~~
      """#),
    Picture(
      "a variable inside a default",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      name: ${A:-${B}}
      """#,
      #"""
      car.yaml:4:7: error: "name": "${A:-${B}" is not one of "${NAME}", "${NAME:-default}" and "${NAME:?message}"
      name: ${A:-${B}}
            ^~~~~~~~~~
      """#),
    Picture(
      "a variable whose value is of the wrong form",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads: { concurrency: "${TOKEN}" }
      storage:
        budget: ${TOKEN}
      """#,
      #"""
      car.yaml:4:27: error: "downloads.concurrency" must be a whole number, but is what "${TOKEN}" stands for
      downloads: { concurrency: "${TOKEN}" }
                                ^~~~~~~~~~
      car.yaml:6:11: error: "storage.budget" must be a size such as 10GiB, 8.6MB or 1048576, but is what "${TOKEN}" stands for
        budget: ${TOKEN}
                ^~~~~~~~
      """#),
    Picture(
      "the home of somebody else",
      #"""
      version: 1
      library: { path: ~anna/music }
      playlists: { p: { feed: f.xml } }
      """#,
      #"""
      car.yaml:2:18: error: "library.path": only the own home directory is known, not "~anna": write the path out
      library: { path: ~anna/music }
                       ^~~~~~~~~~~
      """#),
    Picture(
      "a path that is empty",
      #"""
      version: 1
      library: { path: "" }
      playlists: { p: { feed: f.xml } }
      """#,
      #"""
      car.yaml:2:18: error: "library.path" must be a path, but is ""
      library: { path: "" }
                       ^~
      """#),
    Picture(
      "a URL without a scheme",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          items:
            - url: example.net/a.mp3
      """#,
      #"""
      car.yaml:6:14: error: "url" is not a URL that can be fetched: write it whole, with "https://" or "http://" in front
            - url: example.net/a.mp3
                   ^~~~~~~~~~~~~~~~~
      """#),
    Picture(
      "a URL of another scheme",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { feed: "file:///tmp/feed.xml" }
      """#,
      #"""
      car.yaml:4:14: error: "playlists.p.feed" is not a URL that can be fetched: "file:" is not supported, only "https:" and "http:"
        p: { feed: "file:///tmp/feed.xml" }
                   ^~~~~~~~~~~~~~~~~~~~~~
      """#),
    Picture(
      "a URL without a host",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          items:
            - url: "https:///a.mp3"
      """#,
      #"""
      car.yaml:6:14: error: "url" is not a URL that can be fetched: there is no host behind "://"
            - url: "https:///a.mp3"
                   ^~~~~~~~~~~~~~~~
      """#),
    Picture(
      "a URL with a bad port",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          items:
            - url: https://h:99999/a.mp3
      """#,
      #"""
      car.yaml:6:14: error: "url" is not a URL that can be fetched: the port "99999" is not a number from 1 to 65535
            - url: https://h:99999/a.mp3
                   ^~~~~~~~~~~~~~~~~~~~~
      """#),
    Picture(
      "a URL with a blank and a token",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          items:
            - url: https://anna:pass@h/a b.mp3?token=t0psecret, or so  # why
      """#,
      #"""
      car.yaml:6:14: error: "url" is not a URL that can be fetched: it has a blank, a control character or a backslash: write a blank as "%20"
            - url: https://*********@h/a b.mp3?***************, or so  # why
                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
      """#),
    Picture(
      "a URL whose host has a percent sign",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p:
          items:
            - url: https://loc%61lhost/a.mp3
      """#,
      #"""
      car.yaml:6:14: error: "url" is not a URL that can be fetched: its host has a "%", or brackets that are not around an address
            - url: https://loc%61lhost/a.mp3
                   ^~~~~~~~~~~~~~~~~~~~~~~~~
      """#),
    Picture(
      "a header name that is none",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads:
        headers: { "Bad Name": x }
      """#,
      #"""
      car.yaml:5:14: error: "downloads.headers": "Bad Name" is not a header name: only letters, digits and hyphens
        headers: { ***
                   ^~~
      """#),
    Picture(
      "a header that belongs to the transfer",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads:
        headers: { Range: bytes=0-, host: h }
      """#,
      #"""
      car.yaml:5:14: error: "downloads.headers": the transfer itself writes "Range": remove it
        headers: { ***
                   ^~~
      car.yaml:5:31: error: "downloads.headers": the transfer itself writes "host": remove it
        headers: { Range: *************
                                    ^~~
      """#),
    Picture(
      "a header value with a line break",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads:
        headers: { Authorization: "Bearer t0psecret\nX: y", X-B: [] }
      """#,
      #"""
      car.yaml:5:29: error: "downloads.headers.Authorization": a header value is one line of ASCII without blanks around it
        headers: { Authorization: ***
                                  ^~~
      car.yaml:5:60: error: "downloads.headers.X-B" must be a text, but is a list
        headers: { Authorization: ***********************************
                                                                 ^
      """#),
    Picture(
      "a header given twice",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads:
        headers: { X-A: "1", x-b: ignored, X-a: "2" }
      """#,
      #"""
      car.yaml:5:38: error: "downloads.headers": "X-a" was already given in line 5: keep one of the two
        headers: { X-A: **********************
                                           ^~~
      """#),
    Picture(
      "a user agent with a line break",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads: { user_agent: "a\nb" }
      """#,
      #"""
      car.yaml:4:26: error: "downloads.user_agent": a header value is one line of ASCII without blanks around it
      downloads: { user_agent: "a\nb" }
                               ^~~~~~
      """#),
    Picture(
      "an unclosed brace in a layout",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { feed: f, layout: "{title" }
      """#,
      #"""
      car.yaml:4:25: error: "playlists.p.layout" is not a valid layout: at character 1, a "{" has no "}"
        p: { feed: f, layout: "{title" }
                              ^~~~~~~~
      """#),
    Picture(
      "a stray brace in a layout",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { feed: f, layout: "title}" }
      """#,
      #"""
      car.yaml:4:25: error: "playlists.p.layout" is not a valid layout: at character 6, a "}" has no "{" before it
        p: { feed: f, layout: "title}" }
                              ^~~~~~~~
      """#),
    Picture(
      "an unknown field with a near one",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { feed: f, layout: "{titel}.{ext}" }
      """#,
      #"""
      car.yaml:4:25: error: "playlists.p.layout" is not a valid layout: at character 2, the field "{titel}" is unknown, did you mean "{title}"?
        p: { feed: f, layout: "{titel}.{ext}" }
                              ^~~~~~~~~~~~~~~
      """#),
    Picture(
      "an unknown field with none near",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { feed: f, layout: "{x}.{ext}" }
      """#,
      #"""
      car.yaml:4:25: error: "playlists.p.layout" is not a valid layout: at character 2, the field "{x}" is unknown, the fields are playlist, title, artist, album, id, ext, position, published
        p: { feed: f, layout: "{x}.{ext}" }
                              ^~~~~~~~~~~
      """#),
    Picture(
      "an unknown format",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { feed: f, layout: "{published:%Q} {title}" }
      """#,
      #"""
      car.yaml:4:25: error: "playlists.p.layout" is not a valid layout: at character 2, the format of "{published:%Q}" is unknown: write "{published:%Y-%m-%d}" or "{position:03}"
        p: { feed: f, layout: "{published:%Q} {title}" }
                              ^~~~~~~~~~~~~~~~~~~~~~~~
      """#),
    Picture(
      "a layout out of the library",
      #"""
      version: 1
      library: { path: lib, layout: "../{title}.{ext}" }
      playlists: { p: { feed: f.xml } }
      """#,
      #"""
      car.yaml:2:31: error: "library.layout" is not a valid layout: the path it makes would not lie in the library: no "/" in front or behind, no "." or ".."
      library: { path: lib, layout: "../{title}.{ext}" }
                                    ^~~~~~~~~~~~~~~~~~
      """#),
    Picture(
      "a layout of one file",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        p: { feed: f, layout: "{playlist}/track.{ext}" }
      """#,
      #"""
      car.yaml:4:25: error: "playlists.p.layout" is not a valid layout: all files would have one name: put {title}, {id} or {position} behind the last "/"
        p: { feed: f, layout: "{playlist}/track.{ext}" }
                              ^~~~~~~~~~~~~~~~~~~~~~~~
      """#),
  ]
}
