// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// Whether a lock that is taken here is seen by everybody who has the library.
enum SharedDisk {
  /// What to tell of a library or a memory that lies on a network's file system.
  static func warnings(for library: Library) throws(FileError) -> [Warning] {
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

  /// Nil without /proc: then nobody knows.
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
