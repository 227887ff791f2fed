// SPDX-License-Identifier: Apache-2.0
import CPosix
import Glibc
import SyncCore
import Synchronization

/// An open file of the real file system.
final class POSIXOpenFile: OpenFile {
  /// -1 once closed.
  private let descriptor: Atomic<Int32>
  private let isLocked = Atomic(false)
  private let path: String

  init(descriptor: Int32, path: String) {
    self.descriptor = Atomic(descriptor)
    self.path = path
  }

  deinit {
    let open = descriptor.exchange(-1, ordering: .relaxed)
    guard open >= 0 else { return }
    unlock(open)
    _ = Glibc.close(open)
  }

  func status() throws(FileError) -> FileStatus { try FileStatus(descriptor: number, path) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) -> Int {
    while true {
      let count = pread(number, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      let code = errno
      if code != EINTR { throw FileError(.read, path, code: ErrnoCode(code)) }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileError) {
    guard let start = bytes.baseAddress else { return }
    var written = 0
    while written < bytes.count {
      let count = pwrite(number, start + written, bytes.count - written, off_t(offset) + written)
      if count > 0 {
        written += count
        continue
      }
      // Zero bytes written without an error: a disk that accepts no byte has no space.
      let code = count == 0 ? ENOSPC : errno
      if code != EINTR { throw FileError(.write, path, code: ErrnoCode(code)) }
    }
  }

  func truncate(to length: ByteCount) throws(FileError) {
    _ = try call(.truncate, path) { ftruncate(number, off_t(length.bytes)) }
  }

  func sync() throws(FileError) {
    // EINTR is not a failure: the wait ended early, but nothing was dropped.
    _ = try call(.sync, path) { fdatasync(number) }
  }

  func reserve(_ length: ByteCount) throws(FileError) -> Bool {
    guard length > .zero else { return true }
    do throws(FileError) {
      _ = try call(.reserve, path) { syncjob_reserve(number, length.bytes) }
      return true
    } catch {
      guard let code = error.code?.code, [EOPNOTSUPP, ENOSYS, EINVAL].contains(code) else { throw error }
      return false
    }
  }

  func clone(_ source: LocalFile) throws(FileError) -> Bool {
    try isSupported(syncjob_clone(number, source.descriptor) == 0)
  }

  func copy(from source: LocalFile, at offset: Int64, count: Int) throws(FileError) -> Int? {
    let copied = syncjob_copy_range(source.descriptor, number, offset, Int64(count))
    // The files of some file systems seem empty to the call.
    return try isSupported(copied > 0) ? Int(copied) : nil
  }

  /// Throws if there is no space. Every other failure may be one of the call or of the source.
  private func isSupported(_ hasWorked: Bool) throws(FileError) -> Bool {
    let code = errno
    if !hasWorked, [ENOSPC, EDQUOT].contains(code) { throw FileError(.write, path, code: ErrnoCode(code)) }
    return hasWorked
  }

  func tryLock() throws(FileError) -> Bool {
    do throws(FileError) {
      _ = try call(.lock, path) { flock(number, LOCK_EX | LOCK_NB) }
      isLocked.store(true, ordering: .relaxed)
      return true
    } catch {
      guard error.code == ErrnoCode(EWOULDBLOCK) else { throw error }
      return false
    }
  }

  func close() throws(FileError) {
    let open = descriptor.exchange(-1, ordering: .relaxed)
    unlock(open)
    // On Linux the descriptor is released even when close(2) fails or is interrupted.
    if open >= 0, Glibc.close(open) != 0, errno != EINTR { throw FileError(.close, path, code: ErrnoCode(errno)) }
  }

  /// Closing is not enough: a program that is being started holds a copy of each descriptor until it is executed, and
  /// flock(2) locks as long as there is a copy.
  private func unlock(_ open: Int32) {
    if isLocked.load(ordering: .relaxed) { _ = flock(open, LOCK_UN) }
  }

  private var number: Int32 { descriptor.load(ordering: .relaxed) }
}
