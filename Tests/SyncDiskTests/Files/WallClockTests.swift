// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncDisk
import Testing

@Suite("a clock")
struct WallClockTests {
  static let start = Timestamp(secondsSince1970: 1_800_000_000)

  @Test(
    "never goes back between two looks", arguments: [SystemClock() as any WallClock, ShiftedClock(startingAt: start)])
  func monotonic(_ clock: any WallClock) {
    let first = clock.now()
    #expect(clock.now() >= first)
  }

  @Test("that is shifted starts at the given moment")
  func shifted() {
    let elapsed = ShiftedClock(startingAt: Self.start).now() - Self.start
    #expect(elapsed >= .zero && elapsed < .seconds(60))
  }

  @Test("of the system tells the system's time")
  func system() {
    #expect((SystemClock().now() - Timestamp(secondsSince1970: Int64(time(nil)))).magnitude < .seconds(60))
  }
}

@Suite("error numbers")
struct ErrnoCodeTests {
  @Test("are those of the C library")
  func numbers() {
    let pairs: [(ErrnoCode, Int32)] = [
      (.eperm, EPERM), (.enoent, ENOENT), (.eio, EIO), (.enxio, ENXIO), (.eacces, EACCES), (.ebusy, EBUSY),
      (.eexist, EEXIST), (.exdev, EXDEV), (.enodev, ENODEV), (.enotdir, ENOTDIR), (.eisdir, EISDIR), (.einval, EINVAL),
      (.enfile, ENFILE), (.emfile, EMFILE), (.efbig, EFBIG), (.enospc, ENOSPC), (.erofs, EROFS),
      (.enametoolong, ENAMETOOLONG), (.eloop, ELOOP), (.estale, ESTALE), (.edquot, EDQUOT),
    ]
    for (ours, theirs) in pairs { #expect(ours.code == theirs) }
  }
}
