// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@Suite("the table of locks")
struct LockTableTests {
  private let table = """
    1: FLOCK  ADVISORY  WRITE 812 08:02:131073 0 EOF
    1: -> FLOCK  ADVISORY  WRITE 900 08:02:131075 0 EOF
    2: POSIX  ADVISORY  WRITE 700 08:02:131074 0 EOF
    3: FLOCK  ADVISORY  WRITE 500 103:10002c:7 0 EOF
    4: FLOCK  ADVISORY  WRITE -1 08:02:131079 0 EOF
    broken
    """

  @Test(
    "tells whether a file is locked, by device and number, or by number and holder",
    arguments: [
      (UInt64(0x802), UInt64(131_073), nil, true), (0x802, 131_074, nil, false), (0x802, 131_075, nil, false),
      (0x803, 131_073, nil, false), (0x803, 131_073, 812, true), (0x803, 131_073, 813, false),
      (UInt64(259) << 8 | 0x2C | UInt64(0x1000) << 20, 7, nil, true), (0x802, 131_079, nil, true),
      (0x802, 1, 812, false),
    ] as [(UInt64, UInt64, Int32?, Bool)])
  func locks(_ device: UInt64, _ inode: UInt64, _ holder: Int32?, _ isLocked: Bool) {
    #expect(LockTable.isLocked(device: device, inode: inode, holder: holder, in: table) == isLocked)
  }
}
