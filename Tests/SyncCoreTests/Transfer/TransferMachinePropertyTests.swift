// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

private typealias Script = TransferScript

@Suite("a transfer, whatever happens")
struct TransferMachinePropertyTests {
  private static func event(_ random: inout SeededGenerator) throws -> TransferEvent {
    func bytes() -> ByteCount { ByteCount([0, 1, 400, 999, 1000, 1001].randomElement(using: &random) ?? 0) }
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return .started
    case 1, 2: return Script.good
    case 3: return try head(&random)
    case 4: return try head(&random)
    case 5, 6: return .bodyEnded(received: bytes())
    case 7: return .failed(try failure(&random), received: bytes())
    case 8: return .waited
    case 9: return .checked(try Script.checked())
    case 10: return .published(try Script.file())
    case 11: return .resolved(try RemoteURL("https://\(Int.random(in: 0..<3, using: &random)).example/file"))
    case 12: return .prepared(try Script.checked())
    default:
      return Int.random(in: 0..<10, using: &random) == 0 ? .stopped : .roomRefused(.budget(lacking: bytes()))
    }
  }

  private static func head(_ random: inout SeededGenerator) throws -> TransferEvent {
    let status = [200, 200, 206, 206, 302, 304, 404, 416, 429, 500, 503].randomElement(using: &random) ?? 200
    let number = Int.random(in: 0..<5, using: &random)
    return Script.head(status) {
      $0.location = number == 0 ? nil : "https://\(number).example/"
      $0.contentRange = [nil, "bytes 400-999/1000", "bytes */1000", "bytes 0-999/1000", "bytes */400"][number]
      $0.retryAfter = [nil, "0", "5", "9999", "x"][number]
      $0.contentLengths = [[], ["1000"], ["600"], ["0"], ["9", "8"]][number]
      $0.etag = number > 2 ? "\"y\"" : nil
    }
  }

  private static func failure(_ random: inout SeededGenerator) throws -> Failure {
    let all: [Failure] = [
      .network(detail: ""), .dns(host: ""), .notMedia(found: ""), .tooLarge(limit: .zero),
      .tls(.verification, detail: ""), .cancelled,
      .storageFull(ErrnoCode(28)), .timeout(.stall, after: .seconds(30)),
    ]
    return all.randomElement(using: &random) ?? .cancelled
  }

  private static func script(_ random: inout SeededGenerator) throws -> TransferScript {
    var features = Features()
    features.resume = Int.random(in: 0..<4, using: &random) > 0
    features.alternatives = .random(using: &random)
    let partial =
      Bool.random(using: &random) ? try Script.partial([0, 400, 1000].randomElement(using: &random) ?? 0) : nil
    return try Script(
      urls: Array([Script.main, Script.second, Script.third].prefix(.random(in: 1...3, using: &random))),
      size: Int.random(in: 0..<4, using: &random) == 0 ? .exact(ByteCount(1000)) : nil, partial: partial,
      retries: .random(in: 0...2, using: &random), features: features,
      needsResolving: Int.random(in: 0..<4, using: &random) == 0,
      preparations: [[], [], [Preparation("tags")], [Preparation("tags"), Preparation("seal")]]
        .randomElement(using: &random) ?? [])
  }

  @Test("it ends once, and publishes nothing that was not checked just before")
  func ends() throws {
    var random = SeededGenerator(8)
    var published = 0
    for _ in 0..<4000 {
      var script = try Self.script(&random)
      var actions = script.on(.started)
      for _ in 0..<60 { actions += script.on(try Self.event(&random)) }
      // A run that is being stopped lets a rename end.
      actions += script.on(.stopped) + script.on(.published(try Script.file()))
      #expect(actions.outcome != nil, "exactly one end")
      if case .finish? = actions.last {} else { Issue.record("something is wanted after the end: \(actions)") }
      published += try Self.checkPublications(actions)
    }
    #expect(published > 100, "the events reach that far")
  }

  private static func checkPublications(_ actions: [TransferAction]) throws -> Int {
    var lastCheck: PartialDownload?
    var published = 0
    for action in actions {
      switch action {
      case .check(let partial, _, _): lastCheck = partial
      case .prepare(let partial, _, _): #expect(partial == lastCheck)
      case .publish(let partial, _, _, _):
        #expect(partial == lastCheck)
        published += 1
      case .receive, .discard, .send: lastCheck = nil
      default: break
      }
    }
    return published
  }

  @Test("a request is out or given up, never two at once")
  func oneRequest() throws {
    var random = SeededGenerator(9)
    for _ in 0..<2000 {
      var script = try Self.script(&random)
      var isOut = false
      for step in 0..<60 {
        let event: TransferEvent = step == 0 ? .started : try Self.event(&random)
        // A request ends by itself with its body or its failure.
        switch event {
        case .bodyEnded, .failed: isOut = false
        default: break
        }
        for action in script.on(event) {
          switch action {
          case .send:
            #expect(!isOut)
            isOut = true
          case .abandon: isOut = false
          default: break
          }
        }
      }
    }
  }

  @Test("it asks no more often than candidates, retries and redirects allow")
  func bounded() throws {
    var random = SeededGenerator(10)
    for _ in 0..<500 {
      var script = try Self.script(&random)
      var sent = 0
      for step in 0..<400 {
        let event: TransferEvent = step == 0 ? .started : step % 2 == 0 ? .waited : try Self.head(&random)
        sent += script.on(event).count { if case .send = $0 { true } else { false } }
      }
      // Three candidates, three requests each, one of them twice, ten redirects each.
      #expect(sent <= 3 * 4 * 11)
    }
  }
}
