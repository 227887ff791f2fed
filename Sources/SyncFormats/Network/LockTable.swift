// SPDX-License-Identifier: Apache-2.0

/// Reads the kernel's table of locks (proc_locks(5)).
package enum LockTable {
  /// True if a process holds a lock of flock(2) on that file.
  /// - Parameters:
  ///   - device: the device number of the file. Some file systems show another number here than in the table.
  ///   - holder: the process that claims to hold it; where the device number differs, the holder has to match.
  ///   - text: the contents of `/proc/locks`.
  package static func isLocked(device: UInt64, inode: UInt64, holder: Int32?, in text: String) -> Bool {
    text.split(separator: "\n").contains { line in
      let fields = line.split(separator: " ")
      // A line with an arrow describes a process that waits.
      guard fields.count > 5, fields[1] == "FLOCK", let pid = Int32(fields[4]) else { return false }
      let numbers = fields[5].split(separator: ":")
      guard numbers.count == 3, UInt64(numbers[2]) == inode else { return false }
      let isDevice =
        UInt64(numbers[0], radix: 16) == device.major && UInt64(numbers[1], radix: 16) == device.minor
      return isDevice || pid == holder
    }
  }
}

extension UInt64 {
  /// The same division of a dev_t as in glibc's gnu_dev_major and gnu_dev_minor.
  var major: UInt64 { (self >> 8 & 0xFFF) | (self >> 32 & 0xFFFF_F000) }
  var minor: UInt64 { (self & 0xFF) | (self >> 12 & 0xFFFF_FF00) }
}
