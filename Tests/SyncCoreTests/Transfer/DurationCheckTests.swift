// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

private typealias Script = TransferScript

@Suite("The duration of a checked file")
struct DurationCheckTests {
  @Test(
    "is another one only beyond five seconds and two percent",
    arguments: [
      (225, 225, false), (225, 230, false), (225, 231, true), (225, 219, true), (3600, 3670, false),
      (3600, 3673, true), (3600, 3528, false), (3, 9, true), (0, 5, false),
    ])
  func judgement(declared: Int, actual: Int, isFar: Bool) {
    #expect(Duration.seconds(actual).isFar(fromDeclared: .seconds(declared)) == isFar)
  }

  /// A transfer whose bytes are being hashed.
  private func checking(
    _ policy: CheckPolicy.OfDuration, item: Duration? = .seconds(225), alternative: Duration? = nil
  ) throws -> (script: Script, actions: [TransferAction]) {
    var script = try Script(urls: [Script.main, Script.second], durations: policy, duration: item)
    if let alternative {
      script = try Script(
        urls: [Script.main, Script.second], durations: policy, duration: item, ofFirstCandidate: alternative)
    }
    let actions = script.on([.started, Script.good, .bodyEnded(received: ByteCount(1000))])
    return (script, actions)
  }

  private func file(_ seconds: Int?) throws -> CheckedFile {
    var file = try Script.checked()
    file.duration = seconds.map { .seconds($0) }
    return file
  }

  @Test("is measured only if one is declared and the manifest asks for it")
  func measured() throws {
    let partial = try Script.partial(1000)
    #expect(try checking(.warn).actions == [.check(partial, expecting: .seconds(225))])
    #expect(try checking(.warn, item: nil).actions == [.check(partial, expecting: nil)])
    #expect(try checking(.off).actions == [.check(partial, expecting: nil)])
  }

  @Test("is compared with that of the candidate, if it states one")
  func ofCandidate() throws {
    #expect(
      try checking(.warn, alternative: .seconds(230)).actions
        == [.check(try Script.partial(1000), expecting: .seconds(230))])
  }

  @Test("leads to a warning, and the file is published")
  func warning() throws {
    var script = try checking(.warn).script
    let actions = script.on(.checked(try file(1)))
    #expect(actions.first == .warnOfDuration(declared: .seconds(225), actual: .seconds(1)))
    guard case .publish? = actions.last else { return #expect(Bool(false), "\(actions)") }
  }

  @Test("leads to the next candidate, without the bytes, if the manifest rejects it")
  func rejection() throws {
    var script = try checking(.reject).script
    let actions = script.on(.checked(try file(1)))
    #expect(actions.first == .discard(try Script.partial(1000)))
    #expect(actions.sent == Script.second)
    let ending = script.on([Script.head(404)])
    #expect(ending.failure?.failure == .duration(declared: .seconds(225), actual: .seconds(1)))
    #expect(ending.failure?.isTemporary == false)
  }

  @Test("is not judged if the file does not tell it, or is as declared", arguments: [nil, 225, 222])
  func unjudged(seconds: Int?) throws {
    var script = try checking(.reject).script
    let actions = script.on(.checked(try file(seconds)))
    guard case .publish? = actions.first else { return #expect(Bool(false), "\(actions)") }
  }
}
