// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// The latest time that any run has seen, `clock` in the state folder. The queue file alone would not do: it is written
/// only when something changed, which may not happen for months.
package struct ClockMark {
  private let folder: StateFolder

  /// The age up to which the recorded time is not updated: precise enough for a rule that allows for a day.
  private static let grain = Duration.seconds(3600)

  /// The largest file that is read.
  package static let limit = ByteCount(4096)

  package init(_ folder: StateFolder) { self.folder = folder }

  /// Nil if there is no file, or if it is damaged.
  func read() throws(FileError) -> Timestamp? {
    try folder.files.read(folder.place(.clock), limit: Self.limit).flatMap { ClockLine.decode($0) }
  }

  /// True if there is a plain file that is not as it was written.
  package func isDamaged() throws(FileError) -> Bool {
    try folder.files.read(folder.place(.clock), limit: Self.limit).map { ClockLine.decode($0) == nil } ?? false
  }

  /// The same for a command that only looks: nil if something else has the name of the file.
  package func readIfOurs() throws(FileError) -> Timestamp? {
    do throws(FileError) { return try read() } catch {
      guard error.isOfStranger else { throw error }
      return nil
    }
  }

  /// Records `now`. The recorded time never goes back.
  package func advance(to now: Timestamp) throws(FileError) {
    if let seen = try read(), now < seen + Self.grain { return }
    try folder.files.replace(folder.place(.clock), ClockLine.encode(now), mode: .privateFile)
  }
}

/// Tells one uptime of the machine from another (random(4)): bytes that were written but not flushed are still there
/// after a process was killed, but not after the machine was down.
package enum BootID {
  /// Nil where the system provides none.
  package static func current(_ files: any FileSystem) -> String? {
    do throws(FileError) {
      let root = try files.openRoot("/proc/sys/kernel/random", making: nil)
      let bytes = try files.read(FilePlace(root, LibraryPath("boot_id")), limit: ByteCount(128))
      let text = String(decoding: bytes ?? [], as: UTF8.self).filter { !$0.isWhitespace }
      return text.isEmpty ? nil : text
    } catch {
      // Without /proc every uptime counts as a new one: only recorded lengths are trusted.
      return nil
    }
  }
}
