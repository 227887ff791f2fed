// SPDX-License-Identifier: Apache-2.0

/// Tells whether the kernel's tables have a route out of this machine (proc_net(5)).
package enum RouteTables {
  /// linux/route.h
  private static let up = 0x0001
  private static let reject = 0x0200

  /// - Parameters:
  ///   - v4: `/proc/net/route`.
  ///   - v6: `/proc/net/ipv6_route`.
  package static func haveWayOut(v4: String, v6: String) -> Bool {
    v4.split(separator: "\n").dropFirst().contains(where: isDefaultV4)
      || v6.split(separator: "\n").contains(where: isDefaultV6)
  }

  /// `Iface Destination Gateway Flags RefCnt Use Metric Mask …`, addresses in hexadecimal.
  private static func isDefaultV4(_ line: Substring) -> Bool {
    let fields = line.split { $0 == "\t" || $0 == " " }
    guard fields.count >= 8, let flags = Int(fields[3], radix: 16) else { return false }
    return fields[0] != "lo" && isZero(fields[1]) && isZero(fields[7]) && isUsable(flags)
  }

  /// `destination length source length next-hop metric count use flags device`.
  private static func isDefaultV6(_ line: Substring) -> Bool {
    let fields = line.split(separator: " ")
    guard fields.count == 10, let flags = Int(fields[8], radix: 16) else { return false }
    return fields[9] != "lo" && isZero(fields[0]) && isZero(fields[1]) && isUsable(flags)
  }

  private static func isUsable(_ flags: Int) -> Bool { flags & up != 0 && flags & reject == 0 }

  private static func isZero(_ field: Substring) -> Bool { field.allSatisfy { $0 == "0" } }
}

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

/// Reads the kernel's table of mounts (proc_pid_mountinfo(5)).
package enum MountTable {
  /// The type of the file system with that device number, such as `ext4` or `nfs4`; nil when the table does not list
  /// it.
  /// - Parameter text: the contents of `/proc/self/mountinfo`.
  package static func type(ofDevice device: UInt64, in text: String) -> String? {
    let wanted = "\(device.major):\(device.minor)"
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 6, fields[2] == wanted, let dash = fields[6...].firstIndex(of: "-"), dash + 1 < fields.count
      else { continue }
      return String(fields[dash + 1])
    }
    return nil
  }

  /// True if other machines may have mounted the same file system, and their locks may be invisible here.
  package static func isShared(type: String) -> Bool {
    shared.contains(type) || sharedByFUSE.contains { type == "fuse.\($0)" }
  }

  private static let shared: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "coda", "glusterfs", "gfs2", "ocfs2", "lustre",
    "beegfs",
    "virtiofs", "davfs",
  ]

  private static let sharedByFUSE: Set<String> = [
    "sshfs", "rclone", "s3fs", "gcsfuse", "glusterfs", "davfs2", "davfs", "curlftpfs", "smbnetfs", "cephfs",
    "gvfsd-fuse",
    "ceph-fuse", "goofys", "mount.davfs",
  ]
}
