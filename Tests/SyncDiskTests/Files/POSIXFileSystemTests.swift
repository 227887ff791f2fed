// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncDiskTestSupport
import Testing

@testable import SyncDisk

@Suite("the real file system", .serialized)
struct POSIXFileSystemTests {
  @Test("modes are as asked whatever the umask")
  func modes() throws {
    let work = try FileSystemTwin.real.workshop()
    let before = umask(0)
    defer { umask(before) }
    try work.files.makeFolders(try work.place("d"), mode: .privateFolder)
    try work.files.create(try work.place("d/f"), [1], mode: .privateFile)
    #expect(try work.files.status(of: work.place("d"))?.mode.bits == 0o700)
    #expect(try work.files.status(of: work.place("d/f"))?.mode.bits == 0o600)
  }

  @Test("walking one component at a time reaches the same and refuses the same links")
  func stepwise() throws {
    let work = try FileSystemTwin.real.workshop()
    try work.files.makeFolders(try work.place("a/b"), mode: .sharedFolder)
    try work.plantLink("a/link", "b")
    let walk = PathWalk(work.root)
    close(try walk.openStepwise(LibraryPath("a/b"), .open))
    let error = #expect(throws: FileError.self) { try walk.openStepwise(LibraryPath("a/link"), .open) }
    #expect(error?.code == ErrnoCode(ELOOP))
    let missing = #expect(throws: FileError.self) { try walk.openStepwise(LibraryPath("a/no"), .open) }
    #expect(missing?.isMissing == true)
  }

  @Test("a root may be reached through a link, and is made where it is missing")
  func rootThroughLink() throws {
    let work = try FileSystemTwin.real.workshop()
    let directory = try #require(work.directory).path
    try work.files.makeFolders(try work.place("real"), mode: .sharedFolder)
    try work.plantLink("link", "real")
    let root = try work.files.openRoot("\(directory)/link/new/deep", making: .sharedFolder)
    try work.files.create(FilePlace(root, LibraryPath("f")), [1], mode: .sharedFile)
    #expect(try work.text("real/new/deep/f") == "\u{1}")
  }

  @Test("reserving room leaves the length alone")
  func reserves() throws {
    let work = try FileSystemTwin.real.workshop()
    let file = try work.files.open(try work.place("a"), for: .creating(.sharedFile))
    _ = try file.reserve(ByteCount(1 << 20))
    #expect(try file.status().size == .zero)
  }

  @Test("files that tell no size are read whole")
  func readsProc() throws {
    let files = POSIXFileSystem()
    let root = try files.openRoot("/proc/self", making: nil)
    #expect(try files.read(FilePlace(root, LibraryPath("status")), limit: ByteCount(1 << 20))?.isEmpty == false)
    #expect(BootID.current(files)?.utf8.count == 36)
  }

  @Test("a name that is not UTF-8 is listed as one that leads nowhere")
  func foreignNames() throws {
    let work = try FileSystemTwin.real.workshop()
    let directory = try #require(work.directory).path
    var name = Array("\(directory)/x".utf8CString.dropLast())
    name += [CChar(bitPattern: 0xFF), 0]
    close(open(name, O_CREAT | O_WRONLY, 0o600))
    #expect(try work.files.list(FilePlace(work.root)).map(\.isNameExact) == [false])
    unlink(name)
  }

  @Test("a file that is closed is of no more use")
  func closed() throws {
    let work = try FileSystemTwin.real.workshop()
    let file = try work.files.open(try work.place("a"), for: .creating(.sharedFile))
    try file.close()
    try file.close()
    let error = #expect(throws: FileError.self) { try file.write([1], at: 0) }
    #expect(error?.code == ErrnoCode(EBADF))
  }

  @Test("a lock ends with its file, even if a program that is being started has a copy of the descriptor")
  func lockWithCopy() throws {
    for ending in [{ try $0.close() }, { _ in }] as [(POSIXOpenFile) throws -> Void] {
      let work = try FileSystemTwin.real.workshop()
      let path = try #require(work.directory).path + "/lock"
      let descriptor = open(path, O_CREAT | O_RDWR, 0o600)
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      defer { close(copy) }
      do {
        let file = POSIXOpenFile(descriptor: descriptor, path: path)
        #expect(try file.tryLock())
        try ending(file)
      }
      #expect(try work.files.open(work.place("lock"), for: .locking(.privateFile)).tryLock())
    }
  }

  @Test("errors sort by what can be done about them")
  func codes() {
    func error(_ code: Int32) -> FileError { FileError(.write, "/a", code: ErrnoCode(code)) }
    #expect(error(ENOSPC).isStorageFull && error(EDQUOT).isStorageFull && !error(EIO).isStorageFull)
    #expect(error(EROFS).isReadOnly && error(EXDEV).isOtherFileSystem && error(EACCES).isDenied)
    #expect(error(ENOSPC).failure == .storageFull(ErrnoCode(ENOSPC)))
    #expect(error(EIO).failure == .io(operation: "write", path: "/a", ErrnoCode(EIO)))
    // This file is too large, which is no reason to give up the others.
    #expect(error(EFBIG).failure == .tooLargeForFileSystem(limit: nil))
    #expect(error(EFBIG).failure.disposition == .elsewhere)
  }
}
