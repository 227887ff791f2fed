// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncDiskTestSupport
import SyncFormats
import Testing

/// A state folder on a disk in memory, and runs on it.
struct StateWorkshop {
  static let libraryID = "00112233445566778899aabbccddeeff"
  static let now = Timestamp(secondsSince1970: 1_763_704_803)
  static let bootID = "6f0c0f3a-0000-4000-8000-000000000001"

  let files: any FileSystem

  init(_ files: any FileSystem = MemoryFileSystem()) { self.files = files }

  func folder() throws(FileError) -> StateFolder {
    try StateFolder.open(files, path: "/library/.syncjob", making: true)
  }

  /// - Parameter indexes: Indexes are only made for files of at least 1 MiB.
  func store(libraryID: String = libraryID, indexes: QueueIndexStore? = nil) async throws -> QueueStore {
    let folder = try folder()
    let outcome = try await StateLock.acquire(folder, as: .init(pid: 7, since: Self.now))
    guard case .acquired(let lock) = outcome else { throw Held() }
    return try QueueStore(
      folder, lock: lock, libraryID: libraryID, bootID: Self.bootID, indexes: indexes, now: Self.now)
  }

  struct Held: Error {}

  /// A run that records these changes, each by itself, and ends well.
  func run(_ changes: [QueueChange]) async throws {
    let store = try await store()
    for change in changes { try store.record([change], now: .now) }
    try store.close(now: Self.now)
  }

  func read() throws -> LoadedQueue? {
    try QueueStore.read(try folder(), libraryID: Self.libraryID, bootID: Self.bootID)
  }

  func bytes(_ file: StateFolder.File) throws -> [UInt8]? {
    try files.read(try folder().place(file), limit: ByteCount(1 << 24))
  }

  /// Puts other bytes in a file's place.
  func replace(_ file: StateFolder.File, _ bytes: [UInt8]) throws {
    let place = try folder().place(file)
    try files.removeFileIfPresent(place)
    try files.create(place, bytes, mode: .privateFile)
  }

  func names() throws -> [String] { try files.list(FilePlace(try folder().root)).map(\.name) }

  /// An item in a state.
  static func item(_ id: String, _ state: ItemState = .queued(Pending()), title: String = "") throws -> QueueItem {
    let url = try RemoteURL("https://media.example/\(id)")
    let item = Item(id: try #require(ItemID(id)), title: title, main: Candidate(url: url))
    return QueueItem(item: item, memberships: [], state: state, queuedAt: now)
  }

  static func failed(_ id: String) throws -> QueueItem {
    let error = ErrorRecord(kind: .http, status: 404, message: "gone", at: now)
    return try item(id, .failed(FailureRecord(error: error, isTemporary: false, candidate: 0, attempts: 1)))
  }

  static func ids(_ queue: Queue?) -> [String] { (queue?.items ?? []).map(\.id.text) }
}
