// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("words about servers that keep a history")
struct ServerHistoryWordsTests {
  private let pods: PlaylistName

  init() throws { pods = try #require(PlaylistName("pods")) }

  @Test("what a server was told, and what waits")
  func push() {
    var push = HistoryPush()
    #expect(push.words == nil)
    push.told = 1
    #expect(push.words == "told of 1 play")
    (push.waiting, push.drops) = (2, [.tooMany: 1, .leftManifest: 2])
    #expect(push.words == "told of 1 play; 2 waiting, 3 dropped")
  }

  @Test("plays that wait or are not told have their number and the reason")
  func warnings() {
    let rows: [(Warning, String)] = [
      (
        .playsNotSent(2, server: pods, .unanswered(reason: "the server answered 500")),
        "pods could not be told of 2 plays, which the next run tries again: the server answered 500"
      ),
      (
        .playsNotTold(1, server: pods, .refused(.refused(reason: "the server answered 422"))),
        "pods is not told of 1 play: it takes others, but not this; the server answered 422"
      ),
      (.playsNotTold(3, server: pods, .tooMany), "pods is not told of 3 plays: too many newer plays wait"),
      (
        .playsNotTold(3, server: pods, .leftManifest),
        "pods is not told of 3 plays: the manifest no longer names it as a history to be told"
      ),
      (
        .outboxDamaged,
        "the outbox of plays is damaged and begins anew: plays up to now that were not told yet are not told any more"
      ),
    ]
    for (warning, words) in rows { #expect(warning.words == words) }
  }

  @Test(
    "a status that refuses names the key to look at",
    arguments: [
      (401, "the server refused the login (401); check servers.pods.auth"),
      (403, "the server answered 403 (forbidden); check servers.pods.auth and servers.pods.url"),
      (308, "the server answered 308: it is at another address; name that in servers.pods.url"),
      (404, "the server answered 404 (not found); check servers.pods.url"), (418, "the server answered 418"),
    ])
  func statuses(_ status: Int, _ words: String) {
    #expect(HistoryProblem.statusWords(status, of: pods) == words)
  }

  @Test("a secret that cannot be read is named by its place in the manifest")
  func secrets() {
    let rows: [(SecretOwner, String)] = [
      (.server(pods), "servers.pods"), (.licenses, "licenses.server"), (.playlist(pods), "pods"),
    ]
    for (owner, place) in rows {
      let error = JobError.secret(of: owner, key: "password_file", .empty(.file(path: "/p")))
      #expect(error.words().hasPrefix("\(place): auth.password_file: "), "\(error.words())")
    }
  }
}
