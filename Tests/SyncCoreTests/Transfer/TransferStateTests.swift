// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

private typealias Script = TransferScript

@Suite("A transfer that resolves its candidate, or prepares its file")
struct TransferStateTests {
  private static let tags = Preparation("tags")
  private static let seal = Preparation("seal")
  private static let found = "https://cdn.example/signed"

  @Test("finds the URL of the file before each request, and keeps the candidate's URL with the bytes")
  func resolving() throws {
    var script = try Script(needsResolving: true)
    #expect(script.on(.started) == [.resolve(try RemoteURL(Script.main))])
    #expect(script.on(.resolved(try RemoteURL(Self.found))).sent == Self.found)
    _ = script.on([Script.good, .failed(.network(detail: "reset"), received: ByteCount(400))])
    #expect(script.on(.waited) == [.resolve(try RemoteURL(Script.main))])
    let actions = script.on(.resolved(try RemoteURL(Self.found)))
    #expect(actions.last == .send(try RemoteURL(Self.found), range: Script.range(400)))
    guard case .record(let attempt)? = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(attempt.partial?.url.text == Script.main)
  }

  @Test("does not send a range to a host that answered one wrongly, wherever the candidate leads")
  func distrusted() throws {
    var script = try Script(partial: Script.partial(400), needsResolving: true)
    script.context.distrustedHosts = ["cdn.example"]
    let actions = script.on([.started, .resolved(try RemoteURL(Self.found))])
    #expect(actions.last == .send(try RemoteURL(Self.found), range: nil))
  }

  @Test("goes on with the next candidate when no URL is found")
  func unresolved() throws {
    var script = try Script(urls: [Script.main, Script.second], needsResolving: true)
    let actions = script.on([.started, .failed(.http(status: 404), received: .zero)])
    #expect(actions == [.resolve(try RemoteURL(Script.second))])
  }

  @Test(
    "abandons no request while it resolves", arguments: [TransferEvent.stopped, .limitReached(.duration(.seconds(1)))])
  func stoppedResolving(event: TransferEvent) throws {
    var script = try Script(needsResolving: true)
    let actions = script.on([.started, event])
    #expect(actions.count == 1 && actions.outcome != nil)
  }

  private func checked(_ preparations: [Preparation]) throws -> TransferScript {
    var script = try Script(preparations: preparations)
    _ = script.on([.started, Script.good, .bodyEnded(received: ByteCount(1000))])
    return script
  }

  @Test("publishes a file at once that needs no preparation")
  func unprepared() throws {
    var script = try checked([])
    let actions = script.on(.checked(try Script.checked()))
    guard case .publish? = actions.first else {
      Issue.record("\(actions)")
      return
    }
  }

  @Test("makes the preparations in order, and publishes the file that the last one leaves")
  func preparing() throws {
    var script = try checked([Self.tags, Self.seal])
    let (partial, fetched) = (try Script.partial(1000), try Script.checked())
    #expect(script.on(.checked(fetched)) == [.prepare(partial, fetched, Self.tags)])
    var tagged = fetched
    tagged.size = ByteCount(1200)
    #expect(script.on(.prepared(tagged)) == [.prepare(partial, tagged, Self.seal)])
    #expect(
      script.on(.prepared(tagged)) == [.publish(partial, tagged, candidate: 0, confidence: .normal)])
  }

  @Test("keeps the complete partial when it is stopped, and goes on at a limit")
  func stoppedPreparing() throws {
    var script = try checked([Self.tags])
    _ = script.on(.checked(try Script.checked()))
    #expect(script.on(.limitReached(.duration(.seconds(1)))).isEmpty)
    #expect(script.on(.stopped) == [.finish(.paused(partial: try Script.partial(1000)))])
  }

  @Test("drops the bytes of a file that turns out to be another one")
  func spoiled() throws {
    var script = try checked([Self.tags])
    _ = script.on(.checked(try Script.checked()))
    let actions = script.on(.failed(.notMedia(found: "HTML"), received: ByteCount(1000)))
    #expect(actions.first == .discard(try Script.partial(1000)) && actions.failure != nil)
  }
}
