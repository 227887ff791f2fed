// SPDX-License-Identifier: Apache-2.0

import Curl
package import SyncCore
package import SyncDisk
import SyncFormats
import Synchronization

/// The hosts that demand https, as learnt in this run and in earlier ones.
package final class HSTSStore: Sendable {
  private let cache: Mutex<HSTSCache>

  init(_ cache: HSTSCache = HSTSCache()) { self.cache = Mutex(cache) }

  /// A file that is missing or unreadable counts as empty: servers repeat the field.
  package convenience init(of library: Library) {
    guard let place = library.hsts else {
      self.init()
      return
    }
    do throws(FileError) {
      let bytes = try library.files.read(place, limit: HSTSFile.maximumSize)
      self.init(bytes.map(HSTSFile.cache) ?? HSTSCache())
    } catch { self.init() }
  }

  func upgraded(_ url: RemoteURL, at now: Timestamp) -> RemoteURL { cache.withLock { $0.upgraded(url, at: now) } }

  /// RFC 6797 §8.1: only the first of several fields counts.
  func note(_ head: ResponseHead, from url: RemoteURL, at now: Timestamp) {
    guard let field = head["Strict-Transport-Security"] else { return }
    cache.withLock { $0.note(field, from: url, at: now) }
  }

  /// Saves new entries. After a failure they only have to be learnt again.
  package func keep(in library: Library, at now: Timestamp) {
    guard let place = library.hsts else { return }
    var snapshot = cache.withLock { $0 }
    guard snapshot.isChanged else { return }
    snapshot.prune(at: now)
    let text = HSTSFile.text(snapshot)
    do throws(FileError) { try library.files.replace(place, Array(text.utf8), mode: .privateFile) } catch {
      // The next response of the host repeats it.
    }
  }
}
