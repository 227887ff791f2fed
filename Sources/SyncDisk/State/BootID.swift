// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// Tells one uptime of the machine from another (random(4)): bytes that were written but not flushed are still there
/// after a process was killed, but not after the machine was down.
package enum BootID {
  /// Nil where the system provides none.
  package static func current(_ files: any FileSystem) -> String? {
    do throws(FileError) {
      let root = try files.openRoot("/proc/sys/kernel/random", making: nil)
      let bytes = try files.read(FilePlace(root, LibraryPath("boot_id")), limit: ByteCount(128))
      let text = String(decoding: bytes ?? [], as: UTF8.self).filter { !$0.isWhitespace }
      return text.isEmpty ? nil : text
    } catch {
      // Without /proc every uptime counts as a new one: only recorded lengths are trusted.
      return nil
    }
  }
}
