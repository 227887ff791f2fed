// SPDX-License-Identifier: Apache-2.0

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
