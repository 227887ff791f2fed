// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import SyncJob
import SyncTestSupport
import Testing

@Suite("a fingerprint")
struct UpToDateRunTests {
  private let folder: TemporaryDirectory
  private let server: FaultServer
  private let inputs: SHA256Digest

  init() throws {
    folder = try TemporaryDirectory("syncjob-settled")
    server = try FaultServer()
    server.serve("/a.mp3", Resource(bytes: GeneratedAudio(title: "a", seconds: 1, seed: 1).bytes))
    inputs = try #require(SHA256Digest(hex: String(repeating: "1", count: 64)))
  }

  private func context(_ playlists: String, inputs: SHA256Digest?, now: Timestamp? = nil) throws -> JobContext {
    let text = """
      version: 1
      library: { path: ./library }
      downloads: { network: { allow_private: true } }
      \(playlists)
      """
    let reading = ManifestReader.read(
      Array(text.utf8), directory: folder.path, fileStem: "m",
      environment: ManifestEnvironment(variables: [:], home: nil))
    let manifest = try #require(reading.manifest, "\(reading.findings)")
    // Between fork and exec a child of another test holds a copy of every descriptor, and with it the lock.
    var options = JobOptions(
      plan: PlanOptions(maxDelete: manifest.storage.maxDelete), now: now, lockWait: .seconds(10))
    options.inputs = inputs
    return JobContext(manifest: manifest, options: options, userAgent: "test")
  }

  private var whole: String { "playlists: { p: { items: [{ id: a, url: \"\(server.url("/a.mp3"))\" }] } }" }

  private func run(_ inputs: SHA256Digest?) async throws -> RunReport {
    try await Run(context(whole, inputs: inputs)).perform(stopping: AsyncStream { $0.finish() }) { _ in }
  }

  @Test("of a run with nothing to do is all that the next one needs, for a day, for the same inputs")
  func shortRun() async throws {
    #expect(try await run(inputs).totals.downloaded == 1)
    #expect(try await UpToDateRun.perform(inputs, in: context("", inputs: inputs)) == nil, "it did something")
    #expect(try await run(inputs).totals.unchanged == 1)
    let short = try #require(try await UpToDateRun.perform(inputs, in: context("", inputs: inputs)))
    #expect(short.report.totals.unchanged == 1 && short.report.status == .ok && short.events.count == 2)
    let other = try #require(SHA256Digest(hex: String(repeating: "2", count: 64)))
    #expect(try await UpToDateRun.perform(other, in: context("", inputs: other)) == nil)
    let tomorrow = SystemClock().now() + .days(1)
    #expect(try await UpToDateRun.perform(inputs, in: context("", inputs: inputs, now: tomorrow)) == nil)
  }

  @Test("needs the same settings, whatever the playlists")
  func settings() throws {
    let manifest = try context(whole, inputs: nil).manifest
    #expect(try manifest.hasSettings(of: context("", inputs: nil).manifest))
    #expect(try !manifest.hasSettings(of: context("storage: { budget: 1GB }", inputs: nil).manifest))
  }

  @Test("is not left by a run that was given what is not to be remembered")
  func unremembered() async throws {
    for _ in 0..<2 { _ = try await run(nil) }
    #expect(try await UpToDateRun.perform(inputs, in: context("", inputs: inputs)) == nil)
  }
}
