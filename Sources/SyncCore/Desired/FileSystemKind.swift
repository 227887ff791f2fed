// SPDX-License-Identifier: Apache-2.0

/// What a library lies on, as far as names and sizes go.
package enum FileSystemKind: Hashable, Sendable, CaseIterable {
  /// Linux's own and all that are not known: names are bytes.
  case native
  case fat, exfat, ntfs
  /// Shared by a Windows or Samba server.
  case smb

  /// - Parameter magic: `f_type` of statfs(2); numbers of linux/magic.h and of the drivers' sources.
  package init(magic: UInt32) {
    switch magic {
    case 0x4D44: self = .fat
    case 0x2011_BAB0: self = .exfat
    // ntfs3, and the read-only driver before it.
    case 0x7366_746E, 0x5346_544E: self = .ntfs
    // cifs, its name for SMB 2 and later, and smbfs.
    case 0xFF53_4D42, 0xFE53_4D42, 0x517B: self = .smb
    default: self = .native
    }
  }
}

/// What the place of a library takes: from `library.profile` and the file system below.
package struct TargetRules: Hashable, Sendable {
  package var naming: FileNaming
  /// The largest file; nil: none that matters.
  package var maximumFileSize: ByteCount?
  /// Players show files in the order in which they were written, so they are written in the order of their playlist.
  package var publishesInOrder: Bool

  package init(naming: FileNaming, maximumFileSize: ByteCount? = nil, publishesInOrder: Bool = false) {
    self.naming = naming
    self.maximumFileSize = maximumFileSize
    self.publishesInOrder = publishesInOrder
  }
}

extension LibrarySettings.Profile {
  /// 4 GiB less one byte: the size is a number of 32 bits there.
  package static let largestOnFAT = ByteCount((4 << 30) - 1)

  /// `auto` is what the file system says. Where it says nothing, names are legal everywhere: a library moves between
  /// disks and players, and its files should keep their names (docs/decisions/0009).
  package func rules(on kind: FileSystemKind) -> TargetRules {
    // A profile that is asked for may lie on a disk that counts bytes: then the copy is made later, by somebody else.
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
