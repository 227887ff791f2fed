// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// The totals over the life of a library, `totals.json` in the state folder.
package struct LifetimeTotalsStore {
  private let folder: StateFolder
  private static let limit = ByteCount(4096)

  package init(_ folder: StateFolder) { self.folder = folder }

  /// Counters that begin anew if there is no readable file, as whoever reads counters expects after a loss.
  package func read() -> LifetimeTotals {
    do throws(FileError) {
      guard let bytes = try folder.files.read(folder.place(.totals), limit: Self.limit) else { return LifetimeTotals() }
      do throws(QueueFileProblem) { return try LifetimeTotalsFile.decode(bytes) } catch { return LifetimeTotals() }
    } catch { return LifetimeTotals() }
  }

  package func write(_ totals: LifetimeTotals) throws(FileError) {
    try folder.files.replace(folder.place(.totals), LifetimeTotalsFile.encode(totals), mode: .privateFile)
  }
}
