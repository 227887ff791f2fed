// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("what is not one YAML document is refused where it stops being one")
struct DocumentPictures {
  @Test("the whole picture", arguments: pictures)
  func picture(_ picture: Picture) { #expect(picture.rendered == picture.expected) }

  static let pictures: [Picture] = [
    Picture(
      "nothing but comments",
      #"""
      # soon
      """#,
      #"""
      car.yaml:1:1: error: the manifest is empty: begin with "version: 1" and "library:"
      # soon
      ^
      """#),
    Picture(
      "a list instead of keys",
      #"""
      - version: 1
      """#,
      #"""
      car.yaml:1:1: error: a manifest is made of keys such as "version: 1", but here is something else
      - version: 1
      ^
      """#),
    Picture(
      "a single value",
      #"""
      manifest
      """#,
      #"""
      car.yaml:1:1: error: a manifest is made of keys such as "version: 1", but here is something else
      manifest
      ^~~~~~~~
      """#),
    Picture(
      "another version",
      #"""
      version: 2
      library: { path: lib }
      future: true
      """#,
      #"""
      car.yaml:1:10: error: the manifest is written for version "2", but this syncjob reads version 1: get a syncjob that reads it, or rewrite the manifest
      version: 2
               ^
      """#),
    Picture(
      "another spelling of the version",
      #"""
      version: 1.0
      """#,
      #"""
      car.yaml:1:10: error: the manifest is written for version "1.0", but this syncjob reads version 1: get a syncjob that reads it, or rewrite the manifest
      version: 1.0
               ^~~
      """#),
    Picture(
      "a quoted version",
      #"""
      version: "1"
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      """#,
      #"""
      car.yaml:1:10: error: "version" must be a whole number, but quotes make "1" a text: remove them
      version: "1"
               ^~~
      """#),
    Picture(
      "no version",
      #"""
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      """#,
      #"""
      car.yaml:1:1: error: the key "version" is required and missing: add it
      library: { path: lib }
      ^
      """#),
    Picture(
      "a tab as indentation",
      #"""
      version: 1
      library:
      	path: lib
      """#,
      #"""
      car.yaml:3:1: error: a tab cannot stand here: YAML is indented with spaces
      \tpath: lib
      ^~
      """#),
    Picture(
      "a list that is never closed",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: { budget: [1
      """#,
      #"""
      car.yaml:5:1: error: not valid YAML: the list in brackets that began in line 4 is not closed here; close it, and quote a value that has braces, brackets or commas in it
      """#),
    Picture(
      "a colon in a value",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      name: a: b
      """#,
      #"""
      car.yaml:4:8: error: not valid YAML: a ":" cannot stand here; indent the key like its neighbours, or quote a value that has ": " in it
      name: a: b
             ^
      """#),
    Picture(
      "a value that begins with a reserved character",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      name: @car
      """#,
      #"""
      car.yaml:4:7: error: not valid YAML: a value cannot begin with this character; quote a value that begins with it
      name: @car
            ^
      """#),
    Picture(
      "a tag",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      name: !!str car
      """#,
      #"""
      car.yaml:4:7: error: the tag "!!str" is not accepted: the key alone decides the type, remove it
      name: !!str car
            ^
      """#),
    Picture(
      "a custom tag",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: !secret { budget: 1GB }
      """#,
      #"""
      car.yaml:4:10: error: the tag "!secret" is not accepted: the key alone decides the type, remove it
      storage: !secret { budget: 1GB }
               ^
      """#),
    Picture(
      "a second document",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      ---
      version: 1
      """#,
      #"""
      car.yaml:4:1: error: a second document begins here: a manifest is one document, remove the rest or the "---"
      ---
      ^~~
      """#),
    Picture(
      "an unknown alias",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage: *big
      """#,
      #"""
      car.yaml:4:10: error: no anchor "&big" stands before this alias: add it, or write the value out
      storage: *big
               ^~~~
      """#),
    Picture(
      "an alias inside itself",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      x-a: &a [*a]
      """#,
      #"""
      car.yaml:4:10: error: the alias "*a" stands inside the value that it repeats: remove it
      x-a: &a [*a]
               ^~
      """#),
    Picture(
      "a NUL written as an escape",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      name: "a\0b"
      """#,
      #"""
      car.yaml:4:7: error: a NUL character cannot be part of a manifest: remove it
      name: "a\0b"
            ^~~~~~
      car.yaml:4:7: error: "name" names files, so "a\u{0}b" cannot be one: no "/", no control characters, at most 128 bytes
      name: "a\0b"
            ^~~~~~
      """#),
    Picture(
      "a key that is a list",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      [a, b]: c
      """#,
      #"""
      car.yaml:4:1: error: a key has to be a text, but here is a list or a mapping
      [a, b]: c
      ^
      """#),
    Picture(
      "a merge of something else",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      storage:
        <<: 3
      """#,
      #"""
      car.yaml:5:7: error: "<<" merges a mapping or a list of mappings, but here is something else
        <<: 3
            ^
      """#),
    Picture(
      "a merge of a list with something else",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      x-a: &a {}
      storage:
        <<: [*a, 3]
      """#,
      #"""
      car.yaml:6:7: error: "<<" merges a mapping or a list of mappings, but here is something else
        <<: [*a, 3]
            ^
      """#),
    Picture(
      "aliases that multiply",
      #"""
      version: 1
      x-a: &a [x,x,x,x,x,x,x,x,x]
      x-b: &b [*a ,*a ,*a ,*a ,*a ,*a ,*a ,*a ,*a ]
      x-c: &c [*b ,*b ,*b ,*b ,*b ,*b ,*b ,*b ,*b ]
      x-d: &d [*c ,*c ,*c ,*c ,*c ,*c ,*c ,*c ,*c ]
      x-e: &e [*d ,*d ,*d ,*d ,*d ,*d ,*d ,*d ,*d ]
      x-f: &f [*e ,*e ,*e ,*e ,*e ,*e ,*e ,*e ,*e ]
      x-g: &g [*f ,*f ,*f ,*f ,*f ,*f ,*f ,*f ,*f ]
      """#,
      #"""
      car.yaml:7:10: error: aliases repeat far more than this manifest holds: write it with fewer of them
      x-f: &f [*e ,*e ,*e ,*e ,*e ,*e ,*e ,*e ,*e ]
               ^~
      """#),
  ]
}
