// SPDX-License-Identifier: Apache-2.0

/// An error number of the system, kept as a number until it is put into words.
package struct ErrnoCode: Hashable, Sendable {
  package let code: Int32
  package init(_ code: Int32) { self.code = code }
}

/// Linux's numbers for the errors that have sentences of their own (asm-generic/errno-base.h, errno.h). A test compares
/// them with those of the C library.
extension ErrnoCode {
  package static let eperm = ErrnoCode(1)
  package static let enoent = ErrnoCode(2)
  package static let eio = ErrnoCode(5)
  package static let enxio = ErrnoCode(6)
  package static let eagain = ErrnoCode(11)
  package static let eacces = ErrnoCode(13)
  package static let ebusy = ErrnoCode(16)
  package static let eexist = ErrnoCode(17)
  package static let exdev = ErrnoCode(18)
  package static let enodev = ErrnoCode(19)
  package static let enotdir = ErrnoCode(20)
  package static let eisdir = ErrnoCode(21)
  package static let einval = ErrnoCode(22)
  package static let enfile = ErrnoCode(23)
  package static let emfile = ErrnoCode(24)
  package static let efbig = ErrnoCode(27)
  package static let enospc = ErrnoCode(28)
  package static let erofs = ErrnoCode(30)
  package static let epipe = ErrnoCode(32)
  package static let enametoolong = ErrnoCode(36)
  package static let enolck = ErrnoCode(37)
  package static let enosys = ErrnoCode(38)
  package static let eloop = ErrnoCode(40)
  package static let eilseq = ErrnoCode(84)
  package static let eopnotsupp = ErrnoCode(95)
  package static let enotconn = ErrnoCode(107)
  package static let estale = ErrnoCode(116)
  package static let euclean = ErrnoCode(117)
  package static let edquot = ErrnoCode(122)
}
