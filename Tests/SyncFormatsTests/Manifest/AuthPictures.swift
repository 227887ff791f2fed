// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("credentials, proxies and certificates in a manifest")
struct AuthPictures {
  @Test("the whole picture", arguments: pictures)
  func picture(picture: Picture) { #expect(picture.rendered == picture.expected) }

  private static let pictures: [Picture] = [
    Picture(
      "half a login, and two of them",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        a: { feed: f.xml, auth: { user: anna } }
        b: { feed: f.xml, auth: { password_file: x } }
        c: { feed: f.xml, auth: { user: anna, password: hush, password_file: x } }
        d: { feed: f.xml, auth: { user: anna, bearer: hush } }
      """#,
      #"""
      car.yaml:4:29: error: "user" is half of a login: add "password_file" beside it
        a: { feed: f.xml, auth: { user: anna } }
                                  ^~~~
      car.yaml:5:29: error: "password_file" is half of a login: add "user" beside it
        b: { feed: f.xml, auth: { password_file: x } }
                                  ^~~~~~~~~~~~~
      car.yaml:6:29: error: "password" and "password_file" are more than one login: keep one
        c: { feed: f.xml, auth: { user: anna, password: **************************
                                  ^~~~
      car.yaml:7:29: error: "user" and "bearer" are more than one login: keep one
        d: { feed: f.xml, auth: { user: anna, bearer: ********
                                  ^~~~
      """#),
    Picture(
      "half a login beside a misspelt key: the other half is there, or it is not",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        a: { feed: f.xml, auth: { user: anna, pasword_file: x } }
        b: { feed: f.xml, auth: { password_file: x, usr: anna } }
        c: { feed: f.xml, auth: { user: anna, pass: [cat, x] } }
        d: { feed: f.xml, auth: { user: anna, scop: [m.example] } }
      """#,
      #"""
      car.yaml:4:41: error: unknown key "pasword_file" in "playlists.a.auth": did you mean "password_file"?
        a: { feed: f.xml, auth: { user: anna, pasword_file: x } }
                                              ^~~~~~~~~~~~
      car.yaml:5:47: error: unknown key "usr" in "playlists.b.auth": did you mean "user"?
        b: { feed: f.xml, auth: { password_file: x, usr: ********
                                                    ^~~
      car.yaml:6:29: error: "user" is half of a login: add "password_file" beside it
        c: { feed: f.xml, auth: { user: anna, pass: [***********
                                  ^~~~
      car.yaml:6:41: error: unknown key "pass" in "playlists.c.auth": remove it, or begin its name with "x-" to have it ignored
        c: { feed: f.xml, auth: { user: anna, pass: [***********
                                              ^~~~
      car.yaml:7:29: error: "user" is half of a login: add "password_file" beside it
        d: { feed: f.xml, auth: { user: anna, scop: [**************
                                  ^~~~
      car.yaml:7:41: error: unknown key "scop" in "playlists.d.auth": did you mean "scope"?
        d: { feed: f.xml, auth: { user: anna, scop: [**************
                                              ^~~~
      """#),
    Picture(
      "what cannot be a secret or a program",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        a:
          feed: f.xml
          auth:
            user: "an:na"
            password: "hu\nsh"
        b: { feed: f.xml, auth: { bearer_command: "pass show hush" } }
        c: { feed: f.xml, auth: { bearer_file: t, scope: [https://m.example/x, m.example] } }
      """#,
      #"""
      car.yaml:7:13: error: "playlists.a.auth.user" must be one line of text that is not empty, and a user has no colon: keep long secrets in a file of their own
            user: ***
                  ^~~
      car.yaml:8:17: error: "playlists.a.auth.password" must be one line of text that is not empty, and a user has no colon: keep long secrets in a file of their own
            password: ***
                      ^~~
      car.yaml:9:45: error: "playlists.b.auth.bearer_command" must be a list of a program and its arguments, such as [pass, show, media], but is a text
        b: { feed: f.xml, auth: { bearer_command: ***
                                                  ^~~
      car.yaml:10:53: error: "playlists.c.auth.scope" takes hosts such as media.example.net, media.example.net:8443 or https://media.example.net, nothing behind them; patterns are not allowed: name each host
        c: { feed: f.xml, auth: { bearer_file: t, scope: [https://m.example/x, m.example] } }
                                                          ^~~~~~~~~~~~~~~~~~~
      """#),
    Picture(
      "proxies, versions and pins",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      downloads:
        proxy: "ftp://anna:hush@p"
        tls: { min: "1.1", pins: [sha256//abc], verify: false }
      """#,
      #"""
      car.yaml:5:10: error: "downloads.proxy" must be none, env, or a URL such as http://proxy.example.net:3128 (http, https, socks4, socks4a, socks5, socks5h)
        proxy: ***
               ^~~
      car.yaml:6:15: error: "downloads.tls.min" must be one of 1.2, 1.3, but is "1.1": did you mean "1.2"?
        tls: { min: "1.1", pins: [sha256//abc], verify: false }
                    ^~~~~
      car.yaml:6:29: error: "downloads.tls.pins": "sha256//abc" is not a pin: write "sha256//" and the 44 characters of a public key's SHA-256 in Base64
        tls: { min: "1.1", pins: [sha256//abc], verify: false }
                                  ^~~~~~~~~~~
      car.yaml:6:43: error: unknown key "verify" in "downloads.tls": remove it, or begin its name with "x-" to have it ignored
        tls: { min: "1.1", pins: [sha256//abc], verify: false }
                                                ^~~~~~
      """#),
  ]
}
