// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDiskTestSupport
import SyncFormats
import SyncJob
import SyncTestSupport
import Synchronization
import Testing

/// A library of a few files on a disk in memory, a server for them, and whole runs between the two.
final class SmallLibrary: Sendable {
  /// The work of the watched run.
  enum Story: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// Two files are fetched, one of them to a place that has a foreign file, a partial is completed, and an item that
    /// left the manifest goes to the trash.
    case removal
    /// The same on a file system on which a file cannot have two names.
    case removalWithoutLinks
    /// Two files are evicted for two others.
    case eviction
    /// Two files swap their places, one goes to another folder, and a new one takes the place that it leaves.
    case moves
    /// A person pins one file and removes another. The following run has nothing to do.
    case decisions
    /// The same, with a queue that counts as long: the commands leave their changes in the journal.
    case journaledDecisions

    var testDescription: String { rawValue }

    var before: [String] { hasRemoval ? ["a", "b", "c", "d"] : ["a", "b", "c"] }

    var after: [String] {
      switch self {
      case .eviction: ["a", "e", "f"]
      case .moves: ["a", "b", "c", "e"]
      case .decisions, .journaledDecisions: ["a", "b"]
      case .removal, .removalWithoutLinks: ["a", "b", "d", "e", "f"]
      }
    }

    var gone: [String] { hasTrash ? ["c"] : self == .eviction ? ["b", "c"] : [] }

    /// The items pinned in the end. The first is pinned before the watched run.
    var pinned: [String] { isEdited ? ["a", "b"] : ["a"] }

    /// The items in the manifest of the watched run.
    var wanted: [String] { isEdited ? before : after }

    var hasTrash: Bool { hasRemoval || isEdited }

    /// True if a person gives commands before the watched run.
    var isEdited: Bool { self == .decisions || self == .journaledDecisions }

    /// True if an item leaves the manifest and a foreign file is in the way.
    var hasRemoval: Bool { self == .removal || self == .removalWithoutLinks }

    /// The folder and the name of an item's file in the end, if they differ from those that its id gives.
    var places: [String: String] {
      self == .moves ? ["a": "all/b", "b": "all/a", "c": "new/c", "e": "all/c"] : [:]
    }
  }

  static let now = Timestamp(secondsSince1970: 1_900_000_000)
  static let foreign = (path: "/library/all/e.mp3", bytes: Array("somebody else's".utf8))
  /// The number of bytes in the partial at the beginning.
  static let kept = 200_000
  private static let bootPath = "/proc/sys/kernel/random/boot_id"

  let story: Story
  let server: FaultServer
  /// The manifest of the watched run.
  private let manifest: Manifest
  /// The disk at the beginning of the watched run. Everything on it is flushed.
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
    let first = JobContext(
      manifest: try Self.manifest(story, story.before, server), options: Self.options(story), userAgent: "test",
      files: files)
    _ = try await SyncJob.Run(first).perform(stopping: AsyncStream { $0.finish() }) { _ in }
    try await Self.edit(first, pinning: ["a"])
    if story.hasRemoval { try files.state.withLock { try $0.plant(Self.foreign.path, Self.foreign.bytes) } }
    before = files.state.withLock { $0 }
  }

  /// Applies a person's commands.
  private static func edit(_ context: JobContext, pinning: [String], removing: [String] = []) async throws(JobError) {
    let editor = try await QueueEditor.begin(context)
    try await editor.apply(.pin, to: pinning.compactMap { ItemID($0) }, now: later)
    let kept = try await editor.remove(removing.compactMap { ItemID($0) }).kept
    for case .refused(_, let error) in kept.values { throw .file(error) }
    try await editor.end()
  }

  /// Undoes the last removal by command.
  func undo(on files: MemoryFileSystem) async throws {
    let editor = try await QueueEditor.begin(context(files), .undo)
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

  private static func options(_ story: Story) -> JobOptions {
    var options = JobOptions(plan: PlanOptions(maxDelete: .share(.percent(100))), now: now, seed: 1)
    if story == .journaledDecisions { options.longQueue = .zero }
    return options
  }

  /// The time of the watched run, late enough that the run writes the clock mark.
  private static let later = now + .hours(2)

  /// The digest of the inputs of the watched run.
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

  private func context(_ files: MemoryFileSystem) -> JobContext {
    var options = Self.options(story)
    options.inputs = Self.inputs
    options.now = Self.later
    return JobContext(manifest: manifest, options: options, userAgent: "test", files: files)
  }

  /// The result of a run, and its actions on the way.
  struct Run: Sendable {
    var result: Result<RunReport, JobError>
    /// The items reported as finished, and the number of steps until then.
    var finished: [ItemID: Int]
    /// The requests that were made.
    var requests: [LoggedRequest]

    var status: SyncCore.ExitStatus {
      switch result {
      case .success(let report): report.status
      case .failure(let error): error.status
      }
    }
  }

  /// Makes one run, and another one if the first only rebuilds the state. A journal without a readable beginning,
  /// together with a file that it may have recorded, is a reason to remove and fetch nothing.
  /// - Parameter isEdited: True if the person of the story gives the commands.
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
    let context = context(files)
    var result: Result<RunReport, JobError>
    do throws(JobError) {
      if isEdited, story.isEdited { try await Self.edit(context, pinning: ["b"], removing: ["c"]) }
      // As in the program: if nothing changed since a run that found nothing to do, the run ends here.
      if let inputs = Self.inputs, let settled = try await UpToDateRun.perform(inputs, in: context) {
        result = .success(settled.report)
      } else {
        let report = try await SyncJob.Run(context).perform(stopping: AsyncStream { $0.finish() }) { event in
          guard case .completed(let id, _) = event else { return }
          finished.withLock { $0[id] = files.state.withLock { $0.trace?.count ?? 0 } }
        }
        result = .success(report)
      }
    } catch { result = .failure(error) }
    #expect(try server.waitUntilIdle())
    return Run(result: result, finished: finished.withLock { $0 }, requests: server.requests)
  }

  /// The queue as seen by any command that only inspects it.
  func queue(on files: MemoryFileSystem) throws(JobError) -> Queue { try Status(context(files)).queue().0 }

  /// Starts the machine again. Bytes that were not flushed may not be there any more.
  static func reboot(_ disk: MemoryDisk) throws -> MemoryDisk {
    var disk = disk.afterKill()
    let before = disk.tree()[bootPath].map { String(decoding: $0, as: UTF8.self) } ?? ""
    try disk.plant(bootPath, Array("after \(before)".utf8))
    return disk
  }
}
