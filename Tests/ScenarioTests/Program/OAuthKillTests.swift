// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport
import Testing

/// Runs that are killed while they renew tokens.
@Suite("renewals and kills", .requires(.strace))
struct OAuthKillTests {
  private let fixture: OAuthFixture
  private var provider: OAuthServer { fixture.provider }
  private var home: LibraryFixture { fixture.home }

  init() throws { fixture = try OAuthFixture() }

  /// The calls around the steps of a renewal.
  private static let calls = ["openat", "pwrite64", "ftruncate", "fdatasync", "fsync", "renameat", "unlinkat", "flock"]

  /// Kills a run at the first, second, … call that names or follows the file of the new tokens, until a run ends by
  /// itself. Whenever the answer of the provider was stored, or was not given, the next run goes on.
  @Test("a kill between any two steps loses no login that can be kept", arguments: calls)
  func anyStep(call: String) throws {
    var (kills, losses) = (0, 0)
    for point in 1...60 {
      fixture.serve("p\(point)")
      try fixture.declare(items: ["p\(point)"])
      provider.change { $0.setLifetime(0) }
      #expect(try fixture.logIn().0.ending == .exited(0))
      provider.change { $0.setLifetime(60) }
      let (renewals, granted) = (fixture.renewals, provider.secrets.count)
      let run = home.command("run")
      // The calls are those of the threads that touch the folder of tokens.
      let strace = try #require(
        Tool.strace.command(
          ["-qq", "-f", "-o", home.folder.file("trace"), "-P", "\(home.state)/oauth"]
            + Self.files(try fixture.tokenFile).flatMap { ["-P", $0] }
            + ["-e", "trace=\(call)", "-e", "inject=\(call):signal=KILL:when=\(point)", run.executable] + run.arguments)
      )
      let ending = try strace.run().ending
      guard ending == .killed(signal: 9) else { break }
      kills += 1
      let wasAsked = fixture.renewals > renewals
      let isStored = try wasAsked && holdsNewest(since: granted)
      let next = try home.command("run").run()
      let text = next.standardError + next.standardOutput
      if wasAsked, !isStored {
        losses += 1
        #expect(next.ending == .exited(3) && text.contains("the login is lost"), "\(call) \(point): \(text)")
        #expect(text.contains("syncjob login -m"), "\(text)")
      } else {
        #expect(next.ending == .exited(0), "\(call) \(point), asked \(wasAsked), stored \(isStored): \(text)")
      }
    }
    #expect(kills > 0, "no run was killed at \(call)")
    // The answer is lost between its arrival and its flush alone.
    #expect(losses <= 4, "\(call): \(losses) of \(kills)")
  }

  private static func files(_ file: String) -> [String] {
    let slash = file.lastIndex(of: "/")!
    let (folder, name) = (file[..<slash], file[file.index(after: slash)...])
    return [file, "\(folder)/.\(name).new", "\(folder)/.\(name).lock"]
  }

  /// True if the tokens that the provider gave last are on the disk, whole.
  private func holdsNewest(since count: Int) throws -> Bool {
    let newest = provider.secrets.dropFirst(count).filter { $0.hasPrefix("RT-") }
    return try Self.files(try fixture.tokenFile).contains { path in
      guard access(path, F_OK) == 0 else { return false }
      let text = String(decoding: try FileBytes.read(path), as: UTF8.self)
      // The file ends with its check.
      return newest.contains { text.contains("\"\($0)\"") } && text.reversed().first { !$0.isWhitespace } == "}"
    }
  }

  @Test("a lost answer is told with the time and the command")
  func lostAnswer() throws {
    provider.change { $0.setLifetime(0) }
    try fixture.declare()
    try fixture.logIn()
    provider.change { $0.setLifetime(60) }
    let gate = try Gate()
    provider.script(provider.tokenPath, [.hold(after: 0, gate), .honest])
    let run = try home.command("run").start()
    #expect(eventually { fixture.renewals == 1 && provider.secrets.count >= 4 })
    run.signal(SIGKILL)
    _ = run.wait()
    gate.open()
    let next = try fixture.run(3)
    let text = next.standardError + next.standardOutput
    #expect(text.contains("the login is lost: a run was stopped at 20"), "\(text)")
    #expect(text.contains("log in again with: syncjob login -m \(home.manifest) club"), "\(text)")
    // It is not forgotten by asking.
    let third = try home.command("run", "--now", "2030-01-01T00:00:00Z").run()
    #expect((third.standardError + third.standardOutput).contains("the login is lost"), "\(third)")
    try fixture.logIn()
    try fixture.run()
  }

  @Test("an answer that never came is asked for again, with success where the provider had not acted")
  func unaskedKill() throws {
    provider.change { $0.setLifetime(0) }
    try fixture.declare()
    try fixture.logIn()
    provider.change { $0.setLifetime(60) }
    let gate = try Gate()
    provider.script(provider.tokenPath, [.status(503).with { $0.gate = gate }, .honest])
    let run = try home.command("run").start()
    #expect(eventually { fixture.renewals == 1 })
    run.signal(SIGKILL)
    _ = run.wait()
    gate.open()
    try fixture.run()
    #expect(fixture.hasMedia && provider.reuses == 0)
  }

  @Test("a run that is asked to stop waits a moment for the answer")
  func stopped() throws {
    provider.change { $0.setLifetime(0) }
    try fixture.declare()
    try fixture.logIn()
    provider.change { $0.setLifetime(60) }
    let gate = try Gate()
    provider.script(provider.tokenPath, [.hold(after: 0, gate), .honest])
    let run = try home.command("run").start()
    #expect(eventually { fixture.renewals == 1 && provider.secrets.count >= 4 })
    run.signal(SIGTERM)
    usleep(100_000)
    gate.open()
    #expect(run.wait().ending == .exited(143))
    try fixture.run()
    #expect(fixture.renewals == 1 && provider.reuses == 0)
  }
}
