// SPDX-License-Identifier: Apache-2.0

/// The kind of file system that holds a library, as far as it matters for names and sizes.
package enum FileSystemKind: Hashable, Sendable, CaseIterable {
  /// A file system of Linux, or an unknown one: names are bytes.
  case native
  case fat, exfat, ntfs
  /// A share of a Windows or Samba server.
  case smb

  /// - Parameter magic: `f_type` of statfs(2), with the numbers of linux/magic.h and of the drivers' sources.
  package init(magic: UInt32) {
    switch magic {
    case 0x4D44: self = .fat
    case 0x2011_BAB0: self = .exfat
    // ntfs3, and the read-only driver before it.
    case 0x7366_746E, 0x5346_544E: self = .ntfs
    // cifs, the same driver for SMB 2 and later, and smbfs.
    case 0xFF53_4D42, 0xFE53_4D42, 0x517B: self = .smb
    default: self = .native
    }
  }
}

/// The names and sizes that a library's place accepts, from `library.profile` and the file system.
package struct TargetRules: Hashable, Sendable {
  package var naming: FileNaming
  /// The size of the largest file. Nil if there is no limit that matters.
  package var maximumFileSize: ByteCount?
  /// True to publish files in playlist order, because players show them in the order in which they were written.
  package var publishesInOrder: Bool

  package init(naming: FileNaming, maximumFileSize: ByteCount? = nil, publishesInOrder: Bool = false) {
    self.naming = naming
    self.maximumFileSize = maximumFileSize
    self.publishesInOrder = publishesInOrder
  }
}

extension LibrarySettings.Profile {
  /// 4 GiB less one byte, because FAT stores the size as a 32-bit number.
  package static let largestOnFAT = ByteCount((4 << 30) - 1)

  /// `auto` follows the file system. On a file system without rules, names are legal everywhere: a library moves
  /// between disks and players, and its files should keep their names (docs/decisions/0009).
  package func rules(on kind: FileSystemKind) -> TargetRules {
    // With an explicit profile the library may be on a disk that counts bytes.
    // It is then copied to its final place later.
    let portable = FileNaming(isPortable: true, unit: kind == .native ? .bytes : .utf16)
    return switch (self, kind) {
    case (.posix, _): TargetRules(naming: FileNaming(isPortable: false, foldsCase: kind != .native))
    case (.fat, _), (.auto, .fat):
      TargetRules(naming: portable, maximumFileSize: Self.largestOnFAT, publishesInOrder: true)
    case (.exfat, _), (.auto, .exfat): TargetRules(naming: portable, publishesInOrder: true)
    case (.smb, _), (.auto, .native), (.auto, .ntfs), (.auto, .smb): TargetRules(naming: portable)
    }
  }
}
