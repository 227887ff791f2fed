// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the place of a library")
struct FileSystemKindTests {
  @Test(
    "is told by the magic number",
    arguments: [
      (UInt32(0x4D44), FileSystemKind.fat), (0x2011_BAB0, .exfat), (0x7366_746E, .ntfs), (0x5346_544E, .ntfs),
      (0xFF53_4D42, .smb), (0xFE53_4D42, .smb), (0x517B, .smb), (0xEF53, .native), (0x5846_5342, .native),
      (0x0102_1994, .native), (0x6573_5546, .native), (0, .native),
    ])
  func magic(number: UInt32, kind: FileSystemKind) { #expect(FileSystemKind(magic: number) == kind) }

  @Test(
    "decides what `auto` means; a profile that is asked for decides itself",
    arguments: [
      (LibrarySettings.Profile.auto, FileSystemKind.native, true, FileNaming.Unit.bytes, false, false),
      (.auto, .fat, true, .utf16, true, true), (.auto, .exfat, true, .utf16, false, true),
      (.auto, .ntfs, true, .utf16, false, false), (.auto, .smb, true, .utf16, false, false),
      (.posix, .native, false, .bytes, false, false), (.fat, .native, true, .bytes, true, true),
      (.exfat, .native, true, .bytes, false, true), (.smb, .native, true, .bytes, false, false),
      (.fat, .smb, true, .utf16, true, true),
    ])
  func rules(
    profile: LibrarySettings.Profile, kind: FileSystemKind, isPortable: Bool, unit: FileNaming.Unit, isFAT: Bool,
    isOrdered: Bool
  ) {
    let rules = profile.rules(on: kind)
    #expect(rules.naming == FileNaming(isPortable: isPortable, unit: unit))
    #expect(rules.maximumFileSize == (isFAT ? ByteCount(4_294_967_295) : nil))
    #expect(rules.publishesInOrder == isOrdered)
  }

  @Test("that folds case has no two names that differ by it, whatever the profile")
  func folded() { #expect(LibrarySettings.Profile.posix.rules(on: .exfat).naming.foldsCase) }
}
