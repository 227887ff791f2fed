// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Tells whether a lock that is taken here is visible to every machine that has the library mounted.
package enum SharedDisk {
  /// The warnings for a library or a state folder that is on a network file system.
  package static func warnings(for library: Library) throws(FileError) -> [Warning] {
    guard let table = try mounts(library.files) else { return [] }
    var warnings: [Warning] = []
    for root in [library.root, library.state.root] {
      guard let status = try library.files.status(of: FilePlace(root)),
        let type = MountTable.type(ofDevice: status.identity.device, in: table), MountTable.isShared(type: type)
      else { continue }
      let warning = Warning.sharedDisk(path: library.root.path, type: type)
      if !warnings.contains(warning) { warnings.append(warning) }
    }
    return warnings
  }

  /// Nil without /proc: then the mounts are unknown.
  private static func mounts(_ files: any FileSystem) throws(FileError) -> String? {
    do throws(FileError) {
      let root = try files.openRoot("/proc/self", making: nil)
      let bytes = try files.read(FilePlace(root, LibraryPath("mountinfo")), limit: ByteCount(16 << 20))
      return bytes.map { String(decoding: $0, as: UTF8.self) }
    } catch {
      guard error.isMissing || error.isDenied else { throw error }
      return nil
    }
  }
}
