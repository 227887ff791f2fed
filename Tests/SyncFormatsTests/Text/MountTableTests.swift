// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@Suite("the table of mounts")
struct MountTableTests {
  private let table = """
    22 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw
    36 22 0:55 / /mnt/music rw,relatime shared:20 master:1 - nfs4 server:/music rw,vers=4.2
    40 22 259:300 / /mnt/with\\040space rw - fuse.sshfs anna@host:/ rw
    broken
    """

  @Test(
    "tells the type by the device's number",
    arguments: [
      (UInt64(0x802), "ext4"), (0x37, "nfs4"), (UInt64(259) << 8 | 0x2C | UInt64(1) << 20, "fuse.sshfs"), (0x999, nil),
    ] as [(UInt64, String?)])
  func types(_ device: UInt64, _ type: String?) {
    #expect(MountTable.type(ofDevice: device, in: table) == type)
  }

  @Test("knows what other machines may have, too")
  func shared() {
    for type in ["nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "fuse.sshfs", "fuse.rclone"] {
      #expect(MountTable.isShared(type: type), "\(type)")
    }
    for type in ["ext4", "xfs", "btrfs", "vfat", "exfat", "tmpfs", "overlay", "fuseblk", "fuse.mergerfs"] {
      #expect(!MountTable.isShared(type: type), "\(type)")
    }
  }
}
