// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import SyncIO
import SyncTestSupport
import Synchronization
import Testing

/// A library of a few files on a disk in memory, a server for them, and whole runs between the two.
final class SmallLibrary: Sendable {
  /// What the run that is watched has to do.
  enum Story: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// Two files are fetched, one of them to a place that somebody else's file has, a partial is completed, an item that left
    /// the manifest goes to the trash.
    case removal
    /// The same where a file cannot have two names.
    case removalWithoutLinks
    /// Two files are evicted for two others.
    case eviction
    /// Two files swap their places, one goes to another folder, and a new one takes the place that it leaves.
    case moves
    /// A person pins one file and removes another, and the run that follows has nothing to do.
    case decisions

    var testDescription: String { rawValue }

    var before: [String] { hasRemoval ? ["a", "b", "c", "d"] : ["a", "b", "c"] }

    var after: [String] {
      switch self {
      case .eviction: ["a", "e", "f"]
      case .moves: ["a", "b", "c", "e"]
      case .decisions: ["a", "b"]
      case .removal, .removalWithoutLinks: ["a", "b", "d", "e", "f"]
      }
    }

    var gone: [String] { hasTrash ? ["c"] : self == .eviction ? ["b", "c"] : [] }

    /// Pinned in the end: the first since before the watched run.
    var pinned: [String] { self == .decisions ? ["a", "b"] : ["a"] }

    /// What the manifest of the watched run names.
    var wanted: [String] { self == .decisions ? before : after }

    var hasTrash: Bool { hasRemoval || self == .decisions }

    /// With an item that leaves the manifest, and a foreign file in the way.
    var hasRemoval: Bool { self == .removal || self == .removalWithoutLinks }

    /// Where an item's file lies in the end: its folder and its name, where that is not told by its id.
    var places: [String: String] {
      self == .moves ? ["a": "all/b", "b": "all/a", "c": "new/c", "e": "all/c"] : [:]
    }
  }

  static let now = Timestamp(secondsSince1970: 1_900_000_000)
  static let foreign = (path: "/library/all/e.mp3", bytes: Array("somebody else's".utf8))
  /// Of the partial that the story begins with.
  static let kept = 200_000
  private static let bootPath = "/proc/sys/kernel/random/boot_id"

  let story: Story
  let server: FaultServer
  /// The manifest of the watched run.
  private let manifest: Manifest
  /// What the watched run begins with; everything in it is flushed.
  let before: MemoryDisk

  init(_ story: Story) async throws {
    self.story = story
    server = try FaultServer()
    for id in ["a", "b", "c", "d", "e", "f"] {
      server.serve("/\(id).mp3", Resource(bytes: Self.bytes(id), etag: "\"\(id)\""))
    }
    server.script("/d.mp3", [.breakOff(after: Self.kept), .honest])
    manifest = try Self.manifest(story, story.wanted, places: story.places, server)
    let files = MemoryFileSystem()
    files.state.withLock { disk in
      disk.knowsLinks = story != .removalWithoutLinks
      disk.clock = Self.now.secondsSince1970
    }
    try files.state.withLock { try $0.plant(Self.bootPath, Array("one\n".utf8)) }
    let first = Job(
      manifest: try Self.manifest(story, story.before, server), options: Self.options, userAgent: "test", files: files)
    _ = try await first.run(stopping: AsyncStream { $0.finish() }) { _ in }
    try await Self.edit(first, pinning: ["a"])
    if story.hasRemoval { try files.state.withLock { try $0.plant(Self.foreign.path, Self.foreign.bytes) } }
    before = files.state.withLock { $0 }
  }

  /// What a person does by command.
  private static func edit(_ job: Job, pinning: [String], removing: [String] = []) async throws(JobError) {
    let editor = try await job.beginEdit()
    try await editor.apply(.pin, to: pinning.compactMap { ItemID($0) }, now: later)
    let kept = try await editor.remove(removing.compactMap { ItemID($0) }, now: later)
    for case .refused(_, let error) in kept.values { throw .file(error) }
    try await editor.end()
  }

  /// A person takes back the last removal.
  func undo(on files: MemoryFileSystem) async throws {
    let editor = try await job(files).beginEdit(isUndo: true)
    _ = try editor.undo()
    try await editor.end()
  }

  static func bytes(_ id: String) -> [UInt8] { bodies[id] ?? [] }

  private static let bodies = Dictionary(
    uniqueKeysWithValues: ["a", "b", "c", "d", "e", "f"].enumerated().map { number, id in
      let audio = GeneratedAudio(title: id, seconds: 1, seed: UInt64(number))
      let count = id == "d" ? 300_000 : 20_000 + number
      return (id, audio.body(count: count).bytes(in: 0..<count))
    })

  private static var options: JobOptions {
    JobOptions(plan: PlanOptions(maxDelete: .share(.percent(100))), now: now, seed: 1)
  }

  /// Of the watched run: so much later that it marks the clock.
  private static let later = now + .hours(2)

  /// Stands for the digest of the watched run's manifest.
  private static let inputs = SHA256Digest(hex: String(repeating: "ab", count: 32))

  private static func manifest(
    _ story: Story, _ ids: [String], places: [String: String] = [:], _ server: FaultServer
  ) throws -> Manifest {
    let items = ids.map { id in
      let place = (places[id] ?? "all/\(id)").split(separator: "/")
      return "      - { id: \(id), album: \(place[0]), title: \(place[1]), url: \"\(server.url("/\(id).mp3"))\","
        + " size: \(bytes(id).count) }"
    }
    let text = """
      version: 1
      name: small
      library: { path: /library, layout: "{album}/{title}.{ext}" }
      storage:
        budget: \(story == .eviction ? 70_000 : 10_000_000)
        min_free: 0
        orphans: \(story == .eviction ? "evict-first" : "remove")
        evict: { trigger: 100%, target: 100%, min_age: 0s }
      downloads: { concurrency: 3, per_host: 3, retries: 0, backoff: { initial: 1ms } }
      playlists:
        all:
          items:
      \(items.joined(separator: "\n"))
      """
    let reading = ManifestReader.read(
      Array(text.utf8), directory: "/", fileStem: "small", environment: ManifestEnvironment())
    return try #require(reading.manifest, "\(reading.findings)")
  }

  private func job(_ files: MemoryFileSystem) -> Job {
    var options = Self.options
    options.inputs = Self.inputs
    options.now = Self.later
    return Job(manifest: manifest, options: options, userAgent: "test", files: files)
  }

  /// What a run came to, and what it did on the way.
  struct Run: Sendable {
    var result: Result<RunReport, JobError>
    /// Items that were said to be finished, and after how many steps.
    var finished: [ItemID: Int]
    /// Paths of the requests that were made.
    var requests: [LoggedRequest]

    var status: SyncCore.ExitStatus {
      switch result {
      case .success(let report): report.status
      case .failure(let error): error.status
      }
    }
  }

  /// One run, and another one where the first only takes stock: a journal without a readable beginning, and a file that it
  /// may have been about, are reason to remove and fetch nothing.
  /// - Parameter isEdited: the person of the story does what there is to do.
  func runToTheEnd(on files: MemoryFileSystem, isEdited: Bool = true) async throws -> Run {
    let first = try await run(on: files, isEdited: isEdited)
    guard case .success(let report) = first.result, report.tookStock else { return first }
    var second = try await run(on: files, isEdited: isEdited)
    second.requests = first.requests + second.requests
    return second
  }

  func run(on files: MemoryFileSystem, isEdited: Bool = true) async throws -> Run {
    server.clearLog()
    let finished = Mutex<[ItemID: Int]>([:])
    let job = job(files)
    var result: Result<RunReport, JobError>
    do throws(JobError) {
      if isEdited, story == .decisions { try await Self.edit(job, pinning: ["b"], removing: ["c"]) }
      // As the program does: where nothing changed since a run that found nothing to do, that is all.
      if let inputs = Self.inputs, let settled = try await job.runIfSettled(inputs) {
        result = .success(settled.report)
      } else {
        let report = try await job.run(stopping: AsyncStream { $0.finish() }) { event in
          guard case .completed(let id, _) = event else { return }
          finished.withLock { $0[id] = files.state.withLock { $0.trace?.count ?? 0 } }
        }
        result = .success(report)
      }
    } catch { result = .failure(error) }
    #expect(try server.waitUntilIdle())
    return Run(result: result, finished: finished.withLock { $0 }, requests: server.requests)
  }

  /// The queue, as any command that only looks sees it.
  func queue(on files: MemoryFileSystem) throws(JobError) -> Queue { try job(files).queue().0 }

  /// Another boot of the machine: what was written and not flushed is not known to be there.
  static func reboot(_ disk: MemoryDisk) throws -> MemoryDisk {
    var disk = disk.afterKill()
    let before = disk.tree()[bootPath].map { String(decoding: $0, as: UTF8.self) } ?? ""
    try disk.plant(bootPath, Array("after \(before)".utf8))
    return disk
  }
}
