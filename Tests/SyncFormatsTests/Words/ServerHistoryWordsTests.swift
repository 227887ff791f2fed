// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("words about servers that keep a history")
struct ServerHistoryWordsTests {
  private let pods: PlaylistName

  init() throws { pods = try #require(PlaylistName("pods")) }

  @Test("the counts of a push")
  func push() throws {
    let item = try #require(ItemID("a"))
    var push = HistoryPush()
    #expect(push.words == nil)
    push.pushed = 1
    #expect(push.words == "1 play pushed")
    (push.waiting, push.drops) = (2, [.tooMany: [item], .leftManifest: [item, item]])
    #expect(push.words == "1 play pushed; 2 waiting, 3 dropped")
    (push.noun, push.pushed, push.feeds.subscribed) = (.action, 2, 1)
    #expect(push.words == "2 actions pushed; 2 waiting, 3 dropped; subscribed to 1 feed")
    push = HistoryPush()
    push.feeds.subscribed = 2
    #expect(push.words == "subscribed to 2 feeds")
  }

  @Test("plays that wait or are dropped have their number and the reason")
  func warnings() throws {
    let items = try ["news:a", "news:b", "news:a", "c", "d"].map { try #require(ItemID($0)) }
    let rows: [(Warning, String)] = [
      (
        .playsWaiting(2, server: pods, .unanswered(reason: "the server answered 500")),
        "2 plays could not be pushed to pods, and the next run tries again: the server answered 500"
      ),
      (
        .playsDropped([items[1]], server: pods, .refused(.refused(reason: "the server answered 422"))),
        "1 play (news:b) will not be pushed to pods: refused, though other plays were accepted: the server answered 422"
      ),
      (
        .playsDropped(items, server: pods, .tooMany),
        "5 plays (news:a, news:b, c, …) will not be pushed to pods: too many newer plays are waiting"
      ),
      (
        .playsDropped(Array(items.prefix(3)), server: pods, .leftManifest),
        "3 plays (news:a, news:b) will not be pushed to pods: the manifest no longer has a history that pushes to it"
      ),
      (
        .playsDropped([items[1]], .action, server: pods, .urlRefused),
        "1 action (news:b) will not be pushed to pods: the server does not take its URL"
      ),
      (
        .notSubscribed([pods], server: pods, .refused(reason: HistoryProblem.refusedFeedsWords)),
        "pods could not be told of pods, and the next run tries again: the server refuses them"
      ),
      (
        .notSubscribed([pods], server: pods, nil),
        "pods does not take the subscription to pods; it is not told of it again"
      ),
      (
        .outboxDamaged,
        "the outbox of plays is damaged and begins anew: earlier plays that were not pushed yet will not be pushed"
      ),
    ]
    for (warning, words) in rows { #expect(warning.words == words) }
  }

  @Test(
    "a status that refuses names the key to look at",
    arguments: [
      (401, "the server refused the login (401); check servers.pods.auth"),
      (403, "the server answered 403 (forbidden); check servers.pods.auth and servers.pods.url"),
      (308, "the server answered 308: it has moved; write its new address in servers.pods.url"),
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
