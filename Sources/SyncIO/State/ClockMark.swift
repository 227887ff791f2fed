// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The latest time that any run has seen, `clock` in the state folder: the queue file tells of changes alone, and a library
/// may go without one for months.
struct ClockMark {
  private let folder: StateFolder

  /// A mark that is this old is near enough for a rule that allows for a day.
  private static let grain = Duration.seconds(3600)

  init(_ folder: StateFolder) { self.folder = folder }

  /// Nil when there is none, or none that says a time.
  func read() throws(FileError) -> Timestamp? {
    guard let bytes = try folder.files.read(folder.place(.clock), limit: ByteCount(4096)) else { return nil }
    return Timestamp(rfc3339: String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  /// Never goes back.
  func advance(to now: Timestamp) throws(FileError) {
    if let seen = try read(), now < seen + Self.grain { return }
    try folder.files.replace(folder.place(.clock), Array("\(now.rfc3339)\n".utf8), mode: .privateFile)
  }
}
