// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("servers in a manifest, and the playlists that name them")
struct ServerPictures {
  @Test("the whole picture", arguments: pictures)
  func picture(picture: Picture) { #expect(picture.rendered == picture.expected) }

  private static let pictures: [Picture] = [
    Picture(
      "keys of podcast servers where they have no meaning",
      #"""
      version: 1
      library: { path: lib }
      servers:
        home: { type: subsonic, url: "http://a.example", auth: { user: a, password_file: b }, device_type: other }
        pods: { type: gpodder, url: "http://b.example", auth: { user: a, password_file: b }, device_type: tv }
        sync: { type: gpodder, url: "http://b.example", auth: { user: a, password_file: b } }
        cloud: { type: gpodder, url: "http://c.example/index.php/apps/gpoddersync", auth: { user: a, password_file: b } }
      playlists:
        p: { gpodder: { server: home } }
        q: { gpodder: { only: [a] } }
        r: { gpodder: { server: sync }, auth: { user: a, password_file: b } }
        s: { subsonic: { server: home, playlist: a } }
      history:
        - { server: sync, actions: all }
        - { server: cloud, direction: both, actions: all }
        - { server: home, actions: all, direction: push }
        - { listens: a, subscribe: true }
      """#,
      #"""
      car.yaml:4:89: error: "device_type" is for servers of type "gpodder": remove it
        home: { type: subsonic, url: "http://a.example", auth: { user: a, password_file: b }, device_type: *******
                                                                                              ^~~~~~~~~~~
      car.yaml:5:101: error: "servers.pods.device_type" must be one of desktop, laptop, mobile, server, other, but is a text
        pods: { type: gpodder, url: "http://b.example", auth: { user: a, password_file: b }, device_type: ****
                                                                                                          ^~
      car.yaml:9:27: error: the server "home" is of type "subsonic" and has no subscriptions: name one of type "gpodder"
        p: { gpodder: { server: home } }
                                ^~~~
      car.yaml:10:17: error: the key "server" is required in "playlists.q.gpodder" and missing: add it
        q: { gpodder: { only: [a] } }
                      ^
      car.yaml:11:35: error: the credentials of this playlist are those of the server: remove "auth", or move it to "servers.sync"
        r: { gpodder: { server: sync }, auth: { user: a, password_file: b } }
                                        ^~~~
      car.yaml:14:30: error: "actions: all" is about what is pushed: add "direction: push" or "both"
        - { server: sync, actions: all }
                                   ^~~
      car.yaml:15:48: error: Nextcloud keeps one action of each episode, so a download would replace the position there: remove "actions"
        - { server: cloud, direction: both, actions: all }
                                                     ^~~
      car.yaml:16:30: error: "actions" is for servers of type "gpodder": remove it
        - { server: home, actions: all, direction: push }
                                   ^~~
      car.yaml:17:19: error: "subscribe" means nothing for "listens": remove it
        - { listens: a, subscribe: true }
                        ^~~~~~~~~
      """#),
    Picture(
      "keys about the sync of playlists that have no effect",
      #"""
      version: 1
      library: { path: lib }
      servers: { home: { type: subsonic, url: "http://m.example", auth: { user: anna, password: x } } }
      playlists:
        a: { feed: f.xml, sync: both }
        b: { sync: both, subsonic: { server: home, starred: songs } }
        c: { subsonic: { server: home, playlist: Gym }, on_conflict: local, merge: classic }
        d: { subsonic: { server: home, playlist: Gym }, sync: both, merge: classic, on_conflict: server }
        e: { subsonic: { server: home, playlist: "G*" }, sync: both, on_conflict: newest }
      """#,
      #"""
      car.yaml:5:21: error: "sync: both" exchanges changes of a playlist of a server: give "subsonic" a "playlist", or remove the key
        a: { feed: f.xml, sync: both }
                          ^~~~
      car.yaml:6:8: error: "sync: both" exchanges changes of a playlist of a server: give "subsonic" a "playlist", or remove the key
        b: { sync: both, subsonic: { server: home, starred: songs } }
             ^~~~
      car.yaml:7:51: error: "on_conflict" has no effect without "sync: both": add that, or remove the key
        c: { subsonic: { server: home, playlist: Gym }, on_conflict: local, merge: classic }
                                                        ^~~~~~~~~~~
      car.yaml:7:71: error: "merge" has no effect without "sync: both": add that, or remove the key
        c: { subsonic: { server: home, playlist: Gym }, on_conflict: local, merge: classic }
                                                                            ^~~~~
      car.yaml:8:79: error: "merge: classic" has no conflicts: remove "on_conflict", or "merge"
        d: { subsonic: { server: home, playlist: Gym }, sync: both, merge: classic, on_conflict: server }
                                                                                    ^~~~~~~~~~~
      """#),
    Picture(
      "servers that lack something or have too much",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { feed: f.xml } }
      servers:
        one: { type: subsonic }
        two:
        Three: { type: navidrome, url: "http://m.example/?x=1", auth: { bearer: hush } }
        four: { type: subsonic, url: "http://m.example", auth: {} }
        five: { type: subsonic, url: "http://m.example", auth: { user: anna } }
        six: { type: subsonic, url: "http://m.example", auth: { user: anna, api_key_file: x } }
      """#,
      #"""
      car.yaml:5:8: error: the key "url" is required in "servers.one" and missing: add it
        one: { type: subsonic }
             ^
      car.yaml:5:8: error: the key "auth" is required in "servers.one" and missing: add it
        one: { type: subsonic }
             ^
      car.yaml:6:3: error: the key "type" is required in "servers.two" and missing: add it
        two:
        ^~~
      car.yaml:6:3: error: the key "url" is required in "servers.two" and missing: add it
        two:
        ^~~
      car.yaml:6:3: error: the key "auth" is required in "servers.two" and missing: add it
        two:
        ^~~
      car.yaml:7:3: error: the server name "Three" may only have a-z, 0-9, ".", "_" and "-", and begins with a letter or digit: call it "three"
        Three: { type: navidrome, url: "http://m.example/?***", auth: { bearer: ********
        ^~~~~
      car.yaml:8:58: error: the login is missing: add "user" and "password_file", "api_key_file" for a key or a token, or "oauth"
        four: { type: subsonic, url: "http://m.example", auth: {} }
                                                               ^
      car.yaml:9:60: error: "user" is half of a login: add "password_file" beside it
        five: { type: subsonic, url: "http://m.example", auth: { user: anna } }
                                                                 ^~~~
      car.yaml:10:59: error: "user" and "api_key_file" are more than one login: keep one
        six: { type: subsonic, url: "http://m.example", auth: { user: anna, api_key_file: x } }
                                                                ^~~~
      """#),
    Picture(
      "a login without a value, which dropped the server and its playlists silently",
      #"""
      version: 1
      library: { path: lib }
      playlists: { p: { subsonic: { server: home, playlist: Gym } } }
      servers:
        home: { type: subsonic, url: "http://m.example", auth: }
      """#,
      #"""
      car.yaml:5:58: error: the login is missing: add "user" and "password_file", "api_key_file" for a key or a token, or "oauth"
        home: { type: subsonic, url: "http://m.example", auth: }
                                                               ^
      """#),
    Picture(
      "a misspelt key is not missing as well",
      #"""
      version: 1
      library: { path: lib }
      servers:
        one: { typ: subsonic, url: "http://m.example", auth: { user: anna, paswordfile: x } }
        two: { type: subsonic, url: "http://m.example", auth: { usr: anna, password_file: x } }
        three: { type: subsonic, url: "http://m.example", auth: { apikey_file: x } }
      playlists:
        a: { subsonic: { sever: one, playlst: Gym } }
      """#,
      #"""
      car.yaml:4:10: error: unknown key "typ" in "servers.one": did you mean "type"?
        one: { typ: *************************************************************************
               ^~~
      car.yaml:4:70: error: unknown key "paswordfile" in "servers.one.auth": did you mean "password_file"?
        one: { typ: *************************************************************************
                                                                           ^~~~~~~~~~~
      car.yaml:5:59: error: unknown key "usr" in "servers.two.auth": did you mean "user"?
        two: { type: subsonic, url: "http://m.example", auth: { usr: **************************
                                                                ^~~
      car.yaml:6:61: error: unknown key "apikey_file" in "servers.three.auth": did you mean "api_key_file"?
        three: { type: subsonic, url: "http://m.example", auth: { apikey_file: x } }
                                                                  ^~~~~~~~~~~
      car.yaml:8:20: error: unknown key "sever" in "playlists.a.subsonic": did you mean "server"?
        a: { subsonic: { sever: one, playlst: Gym } }
                         ^~~~~
      car.yaml:8:32: error: unknown key "playlst" in "playlists.a.subsonic": did you mean "playlist"?
        a: { subsonic: { sever: one, playlst: Gym } }
                                     ^~~~~~~
      """#),
    Picture(
      "a server with a mistake is declared, and nothing is said of its playlists",
      #"""
      version: 1
      library: { path: lib }
      servers:
        man: { type: subsonnic, url: "http://m.example", auth: { user: anna, password_file: x } }
        hom: { type: subsonic, url: "http://m.example", auth: { user: anna, password: "${NONE}" } }
      playlists:
        a: { subsonic: { server: man, playlist: Gym } }
        b: { subsonic: { server: hom, starred: songs } }
        c: { subsonic: { server: mann, starred: songs } }
      """#,
      #"""
      car.yaml:4:16: error: "servers.man.type" must be one of subsonic, gpodder, listenbrainz, but is "subsonnic": did you mean "subsonic"?
        man: { type: subsonnic, url: "http://m.example", auth: { user: anna, password_file: x } }
                     ^~~~~~~~~
      car.yaml:5:81: error: "servers.hom.auth.password": the environment variable "NONE" is not set: set it, or keep the secret in a file and name that file with "password_file"
        hom: { type: subsonic, url: "http://m.example", auth: { user: anna, password: *${NONE}*****
                                                                                      ^~~~~~~~~
      car.yaml:9:28: error: "servers" has no "mann": did you mean "man"?
        c: { subsonic: { server: mann, starred: songs } }
                                 ^~~~
      """#),
    Picture(
      "servers that are not a mapping are declared as well",
      #"""
      version: 1
      library: { path: lib }
      servers: []
      playlists:
        a: { subsonic: { server: man, playlist: Gym } }
      """#,
      #"""
      car.yaml:3:10: error: "servers" must be a mapping ("key: value" lines), but is a list
      servers: []
               ^
      """#),
    Picture(
      "playlists that choose nothing, too much, or from no server",
      #"""
      version: 1
      library: { path: lib }
      servers:
        home: { type: subsonic, url: "http://m.example", auth: { user: anna, password_file: x } }
      playlists:
        a: { subsonic: { server: hoem, playlist: Gym } }
        b: { subsonic: { server: home } }
        c: { subsonic: { playlist: Gym } }
        d: { subsonic: { server: home, playlist: Gym, genre: Rock } }
        e: { subsonic: { server: home, starred: songs, latest: 3 } }
        f: { subsonic: { server: home, albums: oldest } }
        g: { subsonic: { server: home, starred: songs }, auth: { user: anna, password_file: x } }
        h: { subsonic: Gym }
        i: { subsonic: { server: home, playlist: [] } }
        j: { subsonic: { server: home, playlist: ["Run*", {}] } }
      """#,
      #"""
      car.yaml:6:28: error: "servers" has no "hoem": did you mean "home"?
        a: { subsonic: { server: hoem, playlist: Gym } }
                                 ^~~~
      car.yaml:7:18: error: the songs are not chosen: add "playlist", "starred", "albums", "artist", "genre" or "search"
        b: { subsonic: { server: home } }
                       ^
      car.yaml:8:18: error: the key "server" is required in "playlists.c.subsonic" and missing: add it
        c: { subsonic: { playlist: Gym } }
                       ^
      car.yaml:9:18: error: the songs are chosen by "playlist" and "genre": keep one of them
        d: { subsonic: { server: home, playlist: Gym, genre: Rock } }
                       ^
      car.yaml:10:50: error: "latest" is the number of albums: it only goes with "albums"
        e: { subsonic: { server: home, starred: songs, latest: 3 } }
                                                       ^~~~~~
      car.yaml:11:42: error: "playlists.f.subsonic.albums" must be one of newest, frequent, recent, random, but is "oldest"
        f: { subsonic: { server: home, albums: oldest } }
                                               ^~~~~~
      car.yaml:12:52: error: the credentials of this playlist are those of the server: remove "auth", or move it to "servers.home"
        g: { subsonic: { server: home, starred: songs }, auth: { user: anna, password_file: x } }
                                                         ^~~~
      car.yaml:13:18: error: "playlists.h.subsonic" must be a mapping ("key: value" lines), but is "Gym"
        h: { subsonic: Gym }
                       ^~~
      car.yaml:14:44: error: "playlists.i.subsonic.playlist" is an empty list: name playlists of the server, or write patterns such as "Run*"
        i: { subsonic: { server: home, playlist: [] } }
                                                 ^
      car.yaml:15:53: error: "playlists.j.subsonic.playlist" must be a text, but is a mapping
        j: { subsonic: { server: home, playlist: ["Run*", {}] } }
                                                          ^
      """#),
  ]
}
