// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// The right to change the state: a kernel lock on a file that is never removed, so that the lock ends with its holder
/// however that ends. Held until released or deallocated.
package final class StateLock: Sendable {
  /// The contents of the lock file, for those that wait.
  package struct Holder: Hashable, Sendable {
    package var pid: Int32
    package var since: Timestamp
    package init(pid: Int32, since: Timestamp) {
      self.pid = pid
      self.since = since
    }
  }

  package enum Outcome: Sendable {
    case acquired(StateLock)
    /// Nil when the file does not name the holder.
    case held(by: Holder?)
  }

  /// The time between two attempts at a lock that is held.
  package static let pause = Duration.milliseconds(100)

  private let file: any OpenFile
  private let folder: StateFolder
  /// The identity of the locked file, even if another file has its name by now.
  private let identity: FileStatus.Identity
  private let other: StateLock?

  private init(
    _ file: any OpenFile, in folder: StateFolder, identity: FileStatus.Identity, with other: StateLock?
  ) {
    self.file = file
    self.folder = folder
    self.identity = identity
    self.other = other
  }

  /// Takes the lock, or waits for it.
  /// - Parameters:
  ///   - holder: written into the file.
  ///   - wait: the maximum time, in pauses of `StateLock.pause`.
  ///   - other: a lock that is held together with this one, and released with it.
  ///   - sleep: waits for one pause; false gives up.
  ///   - waits: called once with the holder, when there is one to wait for.
  package static func acquire(
    _ folder: StateFolder, as holder: Holder, waiting wait: Duration = .zero, with other: StateLock? = nil,
    sleep: (Duration) async -> Bool = { _ in false }, waits: (Holder?) -> Void = { _ in }
  ) async throws(FileError) -> Outcome {
    var file = try folder.files.open(folder.place(.lock), for: .locking(.privateFile))
    var waited = Duration.zero
    while try !file.tryLock() {
      if waited == .zero, wait > .zero { waits(try Holder(reading: folder)) }
      guard waited < wait, await sleep(pause) else { return .held(by: try Holder(reading: folder)) }
      waited += pause
    }
    var identity = try file.status().identity
    // Somebody removed the file between the opening and the lock: the next process would lock another file.
    while try folder.files.status(of: folder.place(.lock))?.identity != identity {
      file = try folder.files.open(folder.place(.lock), for: .locking(.privateFile))
      guard try file.tryLock() else { return .held(by: try Holder(reading: folder)) }
      identity = try file.status().identity
    }
    try file.truncate(to: .zero)
    try file.write(Array(holder.text.utf8), at: 0)
    return .acquired(StateLock(file, in: folder, identity: identity, with: other))
  }

  /// Looks whether a process holds the lock, without taking it: a process that wants it must not find it taken by a
  /// look.
  /// - Returns: the holder; nil when there is none or it cannot be determined.
  package static func look(_ folder: StateFolder) throws(FileError) -> Look? {
    guard let status = try folder.files.status(of: folder.place(.lock)), let table = try locks(folder.files) else {
      return nil
    }
    let holder = try Holder(reading: folder)
    let (device, inode) = (status.identity.device, status.identity.inode)
    return LockTable.isLocked(device: device, inode: inode, holder: holder?.pid, in: table) ? Look(holder: holder) : nil
  }

  /// A lock that a process holds.
  package struct Look: Hashable, Sendable {
    /// Nil when the file does not name the holder.
    package var holder: Holder?
  }

  /// Nil without /proc.
  private static func locks(_ files: any FileSystem) throws(FileError) -> String? {
    do throws(FileError) {
      let bytes = try files.read(
        FilePlace(files.openRoot("/proc", making: nil), LibraryPath("locks")), limit: ByteCount(64 << 20))
      return bytes.map { String(decoding: $0, as: UTF8.self) }
    } catch {
      guard error.isMissing || error.isDenied else { throw error }
      return nil
    }
  }

  /// Makes sure that no other process can have locked the library in the meantime: the locked file must still be the
  /// one with that name.
  package func check() throws(FileError) {
    let place = folder.place(.lock)
    guard try folder.files.status(of: place)?.identity == identity else {
      throw FileError(.lock, place.text, .lockReplaced)
    }
    try other?.check()
  }

  package func release() throws(FileError) {
    try file.close()
    try other?.release()
  }
}

extension StateLock.Holder {
  fileprivate var text: String { "\(pid) \(since.rfc3339)\n" }

  /// Nil when the file is empty or holds something else.
  fileprivate init?(reading folder: StateFolder) throws(FileError) {
    guard let bytes = try folder.files.read(folder.place(.lock), limit: ByteCount(4096)) else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let pid = Int32(words[0]), let since = Timestamp(rfc3339: words[1]) else { return nil }
    self.init(pid: pid, since: since)
  }
}
