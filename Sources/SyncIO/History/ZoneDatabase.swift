// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore
import SyncFormats

/// The time zones that this machine knows.
package enum ZoneDatabase {
  private static let folder = "/usr/share/zoneinfo"

  /// Whether `name` is known. Without a database nothing can be said against it.
  package static func knows(_ name: ZoneName) -> Bool {
    name.fixedOffset != nil || kind(of: folder) != S_IFDIR || kind(of: "\(folder)/\(name.text)") == S_IFREG
  }

  static func rules(of name: ZoneName) throws(HistoryProblem) -> ZoneRules {
    if let offset = name.fixedOffset { return ZoneRules(offset: offset) }
    let bytes: [UInt8]
    // A path of the database is a link as often as not: it is opened as a person's path is.
    do throws(FileError) {
      bytes = try InputFile("\(folder)/\(name.text)", limit: ByteCount(Int64(ZoneFile.maximumSize))).read()
    } catch {
      throw .unknownZone(name.text)
    }
    guard let rules = ZoneFile.read(bytes) else { throw .badZone(name.text) }
    return rules
  }

  /// Nil when nothing is there. Links are followed.
  private static func kind(of path: String) -> mode_t? {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts.st_mode & S_IFMT : nil
  }
}
