// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a transfer whose host is left alone, or whose run has used up what it may")
struct TransferDeferralTests {
  private typealias Script = TransferScript
  private static let reset = Failure.network(detail: "reset")

  private func origin(_ url: String) throws -> RemoteURL.Origin { try RemoteURL(url).origin }

  private func failing(_ urls: String...) throws -> [RemoteURL.Origin: CircuitBreaker] {
    Dictionary(uniqueKeysWithValues: try urls.map { (try origin($0), .failing(Self.reset, times: 10)) })
  }

  private func waiting(_ url: String) throws -> [RemoteURL.Origin: CircuitBreaker] {
    [try origin(url): .askedToWait(.http(status: 429), until: Script.now)]
  }

  @Test("goes on with a candidate elsewhere, though nobody was asked")
  func elsewhere() throws {
    var script = try Script(urls: [Script.main, Script.second])
    _ = script.on(.started)
    script.context.breakers = try failing(Script.main)
    #expect(script.on(.refused).sent == Script.second)
  }

  @Test("is deferred without a failure when nobody could be asked")
  func nobody() throws {
    var script = try Script()
    _ = script.on(.started)
    script.context.breakers = try failing(Script.main)
    #expect(script.on(.refused) == [.finish(.deferredByHost(try origin(Script.main), partial: nil))])
  }

  @Test("passes over a candidate whose host is closed, and keeps the item for it")
  func closedAlternative() throws {
    var script = try Script(urls: [Script.main, Script.second, Script.third])
    _ = script.on(.started)
    script.context.breakers = try failing(Script.second)
    #expect(script.on(Script.head(404)).sent == Script.third)
    let end = script.on(Script.head(404))
    #expect(end.last == .finish(.deferredByHost(try origin(Script.second), partial: nil)))
  }

  @Test("fails with its own failure when it was asked before, between two attempts, too")
  func betweenAttempts() throws {
    var script = try Script()
    _ = script.on([.started, .failed(Self.reset, received: .zero)])
    #expect(script.machine.waitsFor == (try origin(Script.main)))
    script.context.breakers = try failing(Script.main)
    let failure = script.on(.refused).failure
    #expect(failure?.failure == Self.reset && failure?.isTemporary == true && failure?.requests == 1)
  }

  @Test("is not tried again at a host that its own failure closed")
  func lastStraw() throws {
    var script = try Script(urls: [Script.main, Script.second])
    _ = script.on(.started)
    script.context.breakers = try failing(Script.main)
    #expect(script.on(.failed(Self.reset, received: .zero)).sent == Script.second)
  }

  @Test("is deferred where a redirect leads to a closed host, and goes on elsewhere")
  func redirected() throws {
    let away = Script.head(302) { $0.location = "https://cdn.example/x.mp3" }
    var script = try Script()
    _ = script.on([.started, away])
    script.context.breakers = try failing("https://cdn.example/x.mp3")
    #expect(script.on(.refused) == [.finish(.deferredByHost(try origin("https://cdn.example/"), partial: nil))])
    script = try Script(urls: [Script.main, Script.second])
    _ = script.on([.started, away])
    script.context.breakers = try failing("https://cdn.example/x.mp3")
    #expect(script.on(.refused).sent == Script.second)
  }

  @Test("is deferred, and asks no other host, while its own wants a pause")
  func pause() throws {
    let partial = try Script.partial(400)
    var script = try Script(urls: [Script.main, Script.second], partial: partial)
    _ = script.on(.started)
    script.context.breakers = try waiting(Script.main)
    #expect(
      script.on(.refused) == [
        .finish(.deferredByServer(.http(status: 429), until: Script.now, partial: partial))
      ])
  }

  @Test("keeps what is here when a limit is reached, wherever it stands")
  func limit() throws {
    let limit = RunLimit.transfer(ByteCount(1))
    let partial = try Script.partial(400)
    var script = try Script(partial: partial)
    _ = script.on(.started)
    #expect(script.on(.limitReached(limit)) == [.abandon, .finish(.deferredByLimit(limit, partial: partial))])
    script = try Script(partial: partial)
    _ = script.on([.started, .failed(Self.reset, received: .zero)])
    #expect(script.on(.limitReached(limit)) == [.finish(.deferredByLimit(limit, partial: partial))])
  }

  @Test("comes to its end when all bytes are here")
  func whole() throws {
    var script = try Script()
    _ = script.on([.started, Script.good, .bodyEnded(received: ByteCount(1000))])
    #expect(script.on(.limitReached(.duration(.seconds(1)))) == [])
    #expect(script.on(.checked(try Script.checked())) != [])
    #expect(script.on(.limitReached(.duration(.seconds(1)))) == [])
  }
}
