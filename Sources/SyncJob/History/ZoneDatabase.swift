// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore
import SyncDisk
import SyncFormats

/// The time zones of this machine.
package enum ZoneDatabase {
  private static let folder = "/usr/share/zoneinfo"

  /// True if `name` is known, or if there is no database to check it.
  package static func knows(_ name: ZoneName) -> Bool {
    name.fixedOffset != nil || kind(of: folder) != S_IFDIR || kind(of: "\(folder)/\(name.text)") == S_IFREG
  }

  static func rules(of name: ZoneName) throws(HistoryProblem) -> ZoneRules {
    if let offset = name.fixedOffset { return ZoneRules(offset: offset) }
    let bytes: [UInt8]
    // A path in the database is often a link, so it is opened like a path that a person named.
    do throws(FileError) {
      bytes = try InputFile("\(folder)/\(name.text)", limit: ByteCount(Int64(ZoneFile.maximumSize))).read()
    } catch {
      throw .unknownZone(name.text)
    }
    guard let rules = ZoneFile.read(bytes) else { throw .badZone(name.text) }
    return rules
  }

  /// Nil if nothing exists there. Links are followed.
  private static func kind(of path: String) -> mode_t? {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts.st_mode & S_IFMT : nil
  }
}
