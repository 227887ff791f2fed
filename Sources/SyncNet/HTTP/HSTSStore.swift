// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// The file of the hosts that demand https.
struct HSTSStore {
  let library: Library

  /// A file that is missing or unreadable counts as empty: servers repeat the field.
  func read() -> HSTSCache {
    guard let place = library.hsts else { return HSTSCache() }
    do throws(FileError) {
      return try library.files.read(place, limit: HSTSFile.maximumSize).map(HSTSFile.cache) ?? HSTSCache()
    } catch { return HSTSCache() }
  }

  /// Saves new entries. After a failure they only have to be learnt again.
  func write(_ cache: HSTSCache, at now: Timestamp) {
    guard let place = library.hsts, cache.isChanged else { return }
    var cache = cache
    cache.prune(at: now)
    do throws(FileError) {
      try library.files.replace(place, Array(HSTSFile.text(cache).utf8), mode: .privateFile)
    } catch {
      // The next response of the host repeats it.
    }
  }
}
