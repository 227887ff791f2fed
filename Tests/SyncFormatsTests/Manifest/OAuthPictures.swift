// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("logins in a manifest")
struct OAuthPictures {
  @Test("the whole picture", arguments: pictures)
  func picture(picture: Picture) { #expect(picture.rendered == picture.expected) }

  private static let pictures: [Picture] = [
    Picture(
      "logins that lack something or have too much",
      #"""
      version: 1
      library: { path: lib }
      playlists:
        a: { auth: { oauth: {} }, items: [] }
        b: { auth: { oauth: { issuer: "https://p.example", token_url: "https://p.example/t" } }, items: [] }
        c: { auth: { oauth: { issuer: "http://p.example", client_id: x } }, items: [] }
        d: { auth: { oauth: { issuer: "https://p.example", authorize_url: "https://p.example/a" } }, items: [] }
        e: { auth: { oauth: { token_url: "https://p.example/t", client_id: x } }, items: [] }
        f: { auth: { oauth: { token_command: [x], client_id: x, scopes: [a] } }, items: [] }
        g: { auth: { oauth: { issuer: "https://p.example", client_id: x, scopes: ["a b"] }, bearer_file: x }, items: [] }
        h: { auth: { oauth: { issuer: "https://p.example", client_id: x, client_secret_file: a, client_secret_command: [b] } }, items: [] }
        i: { auth: { oauth: }, items: [] }
        j: { auth: { user: anna, oauth: { token_command: [x] } }, items: [] }
      servers:
        k: { type: gpodder, url: "https://g.example", auth: { oauth: { token_command: [x] } } }
        l: { type: listenbrainz, url: "https://g.example", auth: { user: a, oauth: { token_command: [x] } } }
        m: { type: subsonic, url: "https://g.example", auth: { user: a, oauth: { token_command: [x] } } }
      """#,
      #"""
      car.yaml:4:23: error: nothing says where the tokens come from: add "issuer" or "token_url" for a login, or "token_command"
        a: { auth: { oauth: {} }, items: [] }
                            ^
      car.yaml:5:25: error: the tokens come from "issuer" and "token_url" at once: keep one of them
        b: { auth: { oauth: { issuer: "https://p.example", token_url: **************************************
                              ^~~~~~
      car.yaml:6:33: error: "playlists.c.auth.oauth.issuer" must begin with https://, because secrets go there (http:// only for this machine, such as 127.0.0.1), and have no user
        c: { auth: { oauth: { issuer: "http://p.example", client_id: x } }, items: [] }
                                      ^~~~~~~~~~~~~~~~~~
      car.yaml:7:25: error: "authorize_url" comes from the metadata of "issuer": remove it, or name all URLs in place of "issuer"
        d: { auth: { oauth: { issuer: "https://p.example", authorize_url: "https://p.example/a" } }, items: [] }
                              ^~~~~~
      car.yaml:8:25: error: no login can begin: add "authorize_url" or "device_authorization_url"
        e: { auth: { oauth: { token_url: ****************************************************
                              ^~~~~~~~~
      car.yaml:9:25: error: "client_id" and "scopes" mean nothing beside "token_command": remove them
        f: { auth: { oauth: { token_command: ***********************************************
                              ^~~~~~~~~~~~~
      car.yaml:10:16: error: "oauth" and "bearer_file" are more than one login: keep one
        g: { auth: { oauth: { issuer: "https://p.example", client_id: x, scopes: ["a b"] }, bearer_file: x }, items: [] }
                     ^~~~~
      car.yaml:10:77: error: "playlists.g.auth.oauth.scopes" has a scope with a blank, a quote or a backslash: write each scope as its own element
        g: { auth: { oauth: { issuer: "https://p.example", client_id: x, scopes: ["a b"] }, bearer_file: x }, items: [] }
                                                                                  ^~~~~
      car.yaml:11:25: error: "client_secret_file" and "client_secret_command" are more than one login: keep one
        h: { auth: { oauth: { issuer: "https://p.example", client_id: x, client_secret…
                              ^~~~~~
      car.yaml:12:23: error: nothing says where the tokens come from: add "issuer" or "token_url" for a login, or "token_command"
        i: { auth: { oauth: }, items: [] }
                            ^
      car.yaml:13:16: error: "user" and "oauth" are more than one login: keep one
        j: { auth: { user: anna, oauth: { token_command: ********************
                     ^~~~
      car.yaml:15:55: error: servers of type "gpodder" also need the user: add "user" beside "oauth"
        k: { type: gpodder, url: "https://g.example", auth: { oauth: { token_command: *********
                                                            ^
      car.yaml:16:60: error: servers of type "listenbrainz" take the user's token: write it into a file, and name that with "api_key_file"
        l: { type: listenbrainz, url: "https://g.example", auth: { user: a, oauth: { token_command: *********
                                                                 ^
      """#)
  ]
}
