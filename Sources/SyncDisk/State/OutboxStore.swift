// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// The outbox of plays in the state folder, `outbox.jsonl`: lines are added at its end and flushed before anything is
/// sent.
package struct OutboxStore {
  private let folder: StateFolder

  /// A year of three thousand plays a day.
  private static let limit = ByteCount(1 << 30)

  package init(_ folder: StateFolder) { self.folder = folder }

  /// The outbox. A damaged one does not show which plays were pushed, and is empty: a play that is pushed twice is worse
  /// than one that is not pushed.
  package func read() throws(FileError) -> (outbox: Outbox, isDamaged: Bool) {
    guard let bytes = try folder.files.read(folder.place(.outbox), limit: Self.limit) else { return (Outbox(), false) }
    let reading = OutboxLines.read(bytes)
    return (reading.isDamaged ? Outbox() : reading.outbox, reading.isDamaged)
  }

  /// Appends lines and flushes them.
  package func append(_ lines: [Outbox.Line]) throws(FileError) {
    guard !lines.isEmpty else { return }
    try folder.appendLines([OutboxLines.encode(lines)], to: .outbox, limit: Self.limit)
  }

  /// Replaces the outbox.
  package func replace(_ lines: [Outbox.Line]) throws(FileError) {
    try folder.files.replace(folder.place(.outbox), OutboxLines.encode(lines), mode: .privateFile)
  }
}
