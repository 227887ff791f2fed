// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("a secret in a wrong place of a manifest is never shown")
struct CredentialPictures {
  @Test("the whole picture", arguments: pictures)
  func picture(picture: Picture) { #expect(picture.rendered == picture.expected) }

  @Test(
    "under a misspelt key, as a scalar, in another style, behind an alias, or in a text that is not YAML",
    arguments: leaks)
  func hidden(_ body: String) {
    let text = Picture("", "version: 1\nlibrary: { path: lib }\n" + body, "").rendered
    #expect(text.contains(": error: "))
    #expect(!text.contains("geheim99"), "\(text)")
  }

  private static let leaks: [String] =
    ["passwort", "pass", "passwrd", "bearr", "pasword", "key", "tokn", "kennwort", "x"].flatMap { key in
      [
        "playlists: { p: { feed: f.xml, auth: { user: x, \(key): geheim99 } } }",
        "playlists: { p: { feed: f.xml, auth: { user: x, \(key):geheim99 } } }",
        "playlists: { p: { feed: f.xml, auth: { \(key): 'geheim99', uesr: x } } }",
        "playlists:\n  p:\n    feed: f.xml\n    auth:\n      user: x\n      \(key): geheim99",
        "playlists:\n  p:\n    feed: f.xml\n    auth: { user: x,\n            \(key): geheim99, bearr: x }",
        "defaults:\n  auth:\n    \(key): a:geheim99\nplaylists: { p: { feed: f.xml } }",
        "servers:\n  man:\n    type: subsonic\n    url: http://m.example\n    auth: { user: x, \(key): geheim99 }",
        "servers:\n  man:\n    type: subsonic\n    url: http://m.example\n    \(key): geheim99\n    auth: { user: x }",
        "servers: { man: { type: subsonic, url: http://m.example, \(key): geheim99 } }",
        "playlists:\n  p:\n    feed: f.xml\n    auth:\n      user: x\n      \(key):\n        inner: geheim99\n      \(key): geheim99",
        "playlists:\n  p:\n    feed: f.xml\n    auth:\n      \(key): geheim99: x",
        "playlists:\n  p:\n    feed: f.xml\n    auth:\n      \(key): *geheim99",
        "playlists:\n  p:\n    feed: f.xml\n    auth:\n      \(key): !geheim99",
        "x-login: &login { user: x, \(key): geheim99 }\nplaylists: { p: { feed: f.xml, auth: *login } }",
        "x-login: &login { \(key): geheim99 }\nplaylists: { p: { feed: f.xml, auth: { <<: *login, user: x } } }",
        "playlists: { p: { feed: f.xml, auht: { user: x, \(key): geheim99 } } }",
      ]
    } + [
      "playlists: { p: { feed: f.xml, auth: geheim99 } }",
      "playlists: { p: { feed: f.xml, auth: \"geheim99\" } }",
      "playlists: { p: { feed: f.xml, auth: [geheim99] } }",
      "playlists: { p: { feed: f.xml, auth: { geheim99 } } }",
      "playlists: { p: { feed: f.xml, auth: { user: x, geheim99 } } }",
      "playlists: { p: { feed: f.xml, auth: { scope: [m.example], geheim99 } } }",
      "playlists: { p: { feed: f.xml, auth: { scope: [], geheim99 } } }",
      "playlists: { p: { feed: f.xml, auth: { scope: [a, [b], c], geheim99 } } }",
      "playlists:\n  p:\n    feed: f.xml\n    auth: { user: x,\n            geheim99 }",
      "playlists:\n  p:\n    feed: f.xml\n    auth:\n      user: x\n      geheim99",
      "playlists:\n  p:\n    feed: f.xml\n    auth:\n      geheim99",
      "playlists:\n  p:\n    feed: f.xml\n    auth:\n      - geheim99",
      "playlists: { p: { feed: f.xml, auth: { user: [], bearer: { geheim99: x } } } }",
      "playlists: { p: { feed: f.xml, auth: { user: x, password: \"${geheim99-}\" } } }",
      "servers: { man: geheim99 }", "servers: geheim99", "servers:\n  man:\n    geheim99",
    ]

  private static let pictures: [Picture] = [
    Picture(
      "harmless values are shown, and so are the names of variables",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        a: { feed: f.xml, auth: { usr: x, user: anna, password: y } }
        b:
          feed: f.xml
          auth:
            user: anna
            password: ${NONE}
            scope:
              - "*.example.net"
        c:
          feed: f.xml
          auth: hush
          title: []
        d:
          feed: f.xml
          auth: { user: anna, password: "${NONE:-hush}", bearr: "a${SET}b" }
      servers:
        home: { type: subsonnic, url: "http://m.example", auth: { user: anna, password_file: x } }
      """#,
      #"""
      car.yaml:4:29: error: unknown key "usr" in "playlists.a.auth": did you mean "user"?
        a: { feed: f.xml, auth: { usr: ******************************
                                  ^~~
      car.yaml:9:17: error: "playlists.b.auth.password": the environment variable "NONE" is not set: set it, or keep the secret in a file and name that file with "password_file"
            password: ${NONE}
                      ^~~~~~~
      car.yaml:11:11: error: "playlists.b.auth.scope" takes hosts such as media.example.net, media.example.net:8443 or https://media.example.net, nothing behind them; patterns are not allowed: name each host
              - "*.example.net"
                ^~~~~~~~~~~~~~~
      car.yaml:14:11: error: "playlists.c.auth" must be a mapping ("key: value" lines), but is a text
          auth: ****
                ^~~~
      car.yaml:15:12: error: "playlists.c.title" must be a text, but is a list
          title: []
                 ^
      car.yaml:18:52: error: unknown key "bearr" in "playlists.d.auth": did you mean "bearer"?
          auth: { user: anna, password: *${NONE:******************${SET}****
                                                         ^~~~~
      car.yaml:20:17: error: "servers.home.type" must be one of subsonic, gpodder, listenbrainz, but is "subsonnic": did you mean "subsonic"?
        home: { type: subsonnic, url: "http://m.example", auth: { user: anna, password_file: x } }
                      ^~~~~~~~~
      """#)
  ]
}
