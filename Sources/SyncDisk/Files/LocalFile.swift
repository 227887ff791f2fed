// SPDX-License-Identifier: Apache-2.0
import CPosix
import Glibc
package import SyncCore

/// An open file of this machine that a list names: a regular file below one of the roots of the list. The check and the
/// opening are one system call, so that a link that is exchanged later does not lead out of the root.
package final class LocalFile: Sendable {
  /// Open until the last reference is gone.
  let descriptor: Int32
  /// For display.
  package let path: String
  package let size: ByteCount
  private let opened: FileStatus

  /// Never waits for a FIFO, and opens no device.
  package init(_ url: RemoteURL, below roots: LocalRoots) throws(Failure) {
    let path = String(decoding: url.filePath ?? [], as: UTF8.self)
    self.path = path
    var failure = Failure.localFile(path: path, .outsideRoots)
    for place in roots.places(of: url) {
      do throws(Failure) {
        (descriptor, opened) = try Self.open(place, path)
        size = opened.size
        return
      } catch { failure = error }
    }
    throw failure
  }

  /// The size of a regular file, without a look at the roots. Nil if there is none.
  package static func size(of url: RemoteURL) -> ByteCount? {
    var facts = stat()
    guard let path = url.filePath, stat(path.map { CChar(bitPattern: $0) } + [0], &facts) == 0,
      facts.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return ByteCount(exactly: Int64(facts.st_size))
  }

  deinit { close(descriptor) }

  private static func open(_ place: LocalRoots.Place, _ path: String) throws(Failure) -> (Int32, FileStatus) {
    do throws(FileError) {
      let root = try call(.open, place.root) { syncjob_open_root(place.root) }
      defer { close(root) }
      let name = place.path.map { CChar(bitPattern: $0) } + [0]
      // A handle cannot be read, and has no effect on a device.
      let handle = try call(.open, path) { syncjob_open_within(root, name, 1) }
      defer { close(handle) }
      let found = try FileStatus(descriptor: handle, path)
      guard found.kind == .file else { throw FileError(.open, path, .notAFile) }
      let file = try call(.open, path) { syncjob_open_within(root, name, 0) }
      let status: FileStatus
      do throws(FileError) { status = try FileStatus(descriptor: file, path) } catch {
        close(file)
        throw error
      }
      guard status.kind == .file, status.identity == found.identity else {
        close(file)
        throw FileError(.open, path, .notAFile)
      }
      return (file, status)
    } catch {
      switch error.code {
      case .exdev?: throw .localFile(path: path, .outsideRoots)
      case let code?: throw .localFile(path: path, .unreadable(code))
      case nil: throw .localFile(path: path, .notAFile)
      }
    }
  }

  /// The first bytes, up to that many.
  private func beginning(_ count: Int) throws(Failure) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    var length = 0
    while length < count {
      let read = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[length...]), at: Int64(length))
      if read == 0 { break }
      length += read
    }
    return Array(buffer[..<length])
  }

  /// Reads up to `buffer.count` bytes. Zero at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Failure) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      let code = errno
      if code != EINTR { throw .localFile(path: path, .unreadable(ErrnoCode(code))) }
    }
  }

  /// The failure of a copy of a file that is not as it was when it was opened.
  package var changeSinceOpened: Failure? {
    let status: FileStatus
    do throws(FileError) { status = try FileStatus(descriptor: descriptor, path) } catch {
      return .localFile(path: path, .unreadable(error.code ?? .eio))
    }
    let isSame =
      status.size == opened.size && status.modifiedAt == opened.modifiedAt
      && status.modifiedNanoseconds == opened.modifiedNanoseconds
    return isSame ? nil : .localFile(path: path, .changed)
  }

  /// Opens a file to be copied. Call this away from the network's thread, because a disk takes its time.
  /// - Parameter mayBeImage: True if the file may be an image. Nil if it may be anything.
  package static func open(
    _ url: RemoteURL, below roots: LocalRoots, mayBeImage: Bool?
  ) async -> Result<LocalFile, Failure> {
    do throws(Failure) { return .success(try examined(url, roots, mayBeImage)) } catch { return .failure(error) }
  }

  /// As `open`, at once.
  static func examined(
    _ url: RemoteURL, _ roots: LocalRoots, _ mayBeImage: Bool?
  ) throws(Failure) -> LocalFile {
    let file = try LocalFile(url, below: roots)
    guard file.size > .zero else { throw .localFile(path: file.path, .empty) }
    guard let mayBeImage else { return file }
    let beginning = try file.beginning(SniffedContent.length)
    guard case .notMedia(let found)? = SniffedContent(beginning.span).problem(mayBeImage: mayBeImage) else {
      return file
    }
    throw .localFile(path: file.path, .notMedia(found: found))
  }
}
