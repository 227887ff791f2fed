// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The latest time that any run has seen, `clock` in the state folder. The queue file alone would not do: it is written
/// only when something changed, which may not happen for months.
struct ClockMark {
  private let folder: StateFolder

  /// The age up to which the recorded time is not updated: precise enough for a rule that allows for a day.
  private static let grain = Duration.seconds(3600)

  /// The largest file that is read.
  static let limit = ByteCount(4096)

  init(_ folder: StateFolder) { self.folder = folder }

  /// Nil when there is no file, or none that holds a time.
  func read() throws(FileError) -> Timestamp? {
    guard let bytes = try folder.files.read(folder.place(.clock), limit: Self.limit) else { return nil }
    return Timestamp(rfc3339: String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  /// The same for a command that only looks: nil if something else has the name of the file.
  func readIfOurs() throws(FileError) -> Timestamp? {
    do throws(FileError) { return try read() } catch {
      guard error.isOfStranger else { throw error }
      return nil
    }
  }

  /// Records `now`. The recorded time never goes back.
  func advance(to now: Timestamp) throws(FileError) {
    if let seen = try read(), now < seen + Self.grain { return }
    try folder.files.replace(folder.place(.clock), Array("\(now.rfc3339)\n".utf8), mode: .privateFile)
  }
}
