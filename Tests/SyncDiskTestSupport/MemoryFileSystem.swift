// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore
package import SyncDisk
package import Synchronization

/// A file system in memory: the twin of the real one, with faults on demand. It knows what was flushed, so that it can be
/// asked what a power cut would leave.
package final class MemoryFileSystem: FileSystem {
  package let state: Mutex<MemoryDisk>

  package init(_ disk: MemoryDisk = MemoryDisk()) { state = Mutex(disk) }

  /// The same files after the process was killed: everything that was written is there, and no lock is held.
  package func afterKill() -> MemoryFileSystem { MemoryFileSystem(state.withLock { $0.afterKill() }) }

  /// The same files after a power cut, at its worst: nothing that was not flushed is there.
  package func afterPowerCut() -> MemoryFileSystem { MemoryFileSystem(state.withLock { $0.afterPowerCut() }) }

  /// From now on this many changes succeed; every one behind them fails with that code.
  package func allow(changes: Int, then code: Int32 = EIO) {
    state.withLock { $0.faults = .init(remaining: changes, code: code) }
  }

  /// Changes made so far.
  package var changeCount: Int { state.withLock { $0.changeCount } }

  package func openRoot(_ path: String, making mode: FileMode?) throws(FileError) -> FileRoot {
    let components = path.split(separator: "/").map(String.init)
    let number = try run(.open, path) { disk throws(DiskFault) in
      if let mode { try disk.makeFolders(components, from: MemoryDisk.root, mode) }
      return try disk.folder(components, from: MemoryDisk.root)
    }
    return FileRoot(path: path, handle: Int32(number)) { _ in }
  }

  package func openRoot(_ place: FilePlace, making mode: FileMode?) throws(FileError) -> FileRoot {
    if let mode { try makeFolders(place, mode: mode) }
    let number = try run(.open, place.text) { disk throws(DiskFault) in try disk.folder(place) }
    return FileRoot(path: place.text, handle: Int32(number)) { _ in }
  }

  package func status(of place: FilePlace) throws(FileError) -> FileStatus? {
    do throws(FileError) {
      return try run(.examine, place.text) { disk throws(DiskFault) in try disk.status(place) }
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }

  package func list(
    _ folder: FilePlace, where isMeant: (String) -> Bool
  ) throws(FileError) -> [DirectoryEntry] {
    let entries = try run(.list, folder.text) { disk throws(DiskFault) in try disk.list(folder) }
    return entries.filter { isMeant($0.name) }
  }

  package func makeFolders(_ folder: FilePlace, mode: FileMode) throws(FileError) {
    try run(.makeFolder, folder.text) { disk throws(DiskFault) in
      try disk.makeFolders(
        folder.path?.components.map(String.init) ?? [], from: Int(folder.root.handle), mode, flushingLast: true)
    }
  }

  package func checkWritable(_ folder: FilePlace) throws(FileError) {
    _ = try run(.examine, folder.text) { disk throws(DiskFault) in try disk.folder(folder) }
  }

  package func open(_ place: FilePlace, for access: FileAccess) throws(FileError) -> any OpenFile {
    let operation = if case .creating = access { FileError.Operation.create } else { FileError.Operation.open }
    let number = try run(operation, place.text) { disk throws(DiskFault) in try disk.open(place, access) }
    return MemoryOpenFile(self, number, place.text)
  }

  package func move(_ source: FilePlace, to target: FilePlace, replacing: Bool) throws(FileError) {
    try run(.move, source.text, to: target.text) { disk throws(DiskFault) in
      try disk.move(source, target, replacing)
    }
  }

  package func link(_ source: FilePlace, to target: FilePlace) throws(FileError) -> Bool {
    try run(.link, source.text, to: target.text) { disk throws(DiskFault) in
      guard disk.knowsLinks else { return false }
      try disk.link(source, target)
      return true
    }
  }

  package func removeFile(_ place: FilePlace) throws(FileError) {
    try run(.remove, place.text) { disk throws(DiskFault) in try disk.removeFile(place) }
  }

  package func removeFolder(_ place: FilePlace) throws(FileError) {
    try run(.remove, place.text) { disk throws(DiskFault) in try disk.removeFolder(place) }
  }

  package func syncFolder(_ folder: FilePlace) throws(FileError) {
    try run(.syncFolder, folder.text) { disk throws(DiskFault) in
      do throws(DiskFault) { try disk.meet(.syncFolder) } catch {
        disk.failFlush(try disk.folder(folder))
        throw error
      }
      try disk.change()
      try disk.flushFolder(folder)
    }
  }

  package func space(at root: FileRoot) throws(FileError) -> DiskSpace {
    try run(.measureSpace, root.path) { _ throws(DiskFault) in
      DiskSpace(available: ByteCount(1 << 40), total: ByteCount(1 << 41))
    }
  }

  package func kind(of root: FileRoot) throws(FileError) -> FileSystemKind { .native }

  package func run<Result>(
    _ operation: FileError.Operation, _ path: String, to target: String? = nil,
    _ body: (inout MemoryDisk) throws(DiskFault) -> Result
  ) throws(FileError) -> Result {
    try state.withLock { disk throws(FileError) in
      do throws(DiskFault) {
        // Those that fail half way meet the trap themselves.
        if ![.sync, .syncFolder, .write].contains(operation) { try disk.meet(operation) }
        return try body(&disk)
      } catch { throw FileError(operation, path, to: target, error.cause) }
    }
  }
}

/// An open file in memory.
package final class MemoryOpenFile: OpenFile {
  private let system: MemoryFileSystem
  private let number: Int
  private let path: String
  private let isOpen = Atomic(true)

  package init(_ system: MemoryFileSystem, _ number: Int, _ path: String) {
    self.system = system
    self.number = number
    self.path = path
  }

  deinit { release() }

  package func status() throws(FileError) -> FileStatus {
    try system.run(.examine, path) { disk throws(DiskFault) in try disk.status(number) }
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) -> Int {
    try system.run(.read, path) { disk throws(DiskFault) in
      let bytes = try disk.node(number).bytes
      let range = min(Int(offset), bytes.count)..<min(Int(offset) + buffer.count, bytes.count)
      bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range])) }
      return range.count
    }
  }

  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileError) {
    try system.run(.write, path) { disk throws(DiskFault) in
      do throws(DiskFault) { try disk.meet(.write) } catch {
        // A disk that is full or breaks takes what it can.
        try disk.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2)), number, Int(offset))
        throw error
      }
      try disk.change()
      try disk.write(bytes, number, Int(offset))
    }
  }

  package func truncate(to length: ByteCount) throws(FileError) {
    try system.run(.truncate, path) { disk throws(DiskFault) in
      try disk.change()
      try disk.truncate(number, to: Int(length.bytes))
    }
  }

  package func sync() throws(FileError) {
    try system.run(.sync, path) { disk throws(DiskFault) in
      do throws(DiskFault) { try disk.meet(.sync) } catch {
        disk.failFlush(number)
        throw error
      }
      try disk.change()
      try disk.flushFile(number)
    }
  }

  package func reserve(_ length: ByteCount) throws(FileError) -> Bool {
    try system.run(.reserve, path) { _ throws(DiskFault) in false }
  }

  package func tryLock() throws(FileError) -> Bool {
    try system.run(.lock, path) { disk throws(DiskFault) in
      let me = ObjectIdentifier(self)
      guard disk.locks[number, default: me] == me else { return false }
      disk.locks[number] = me
      return true
    }
  }

  package func close() throws(FileError) {
    release()
    try system.run(.close, path) { _ throws(DiskFault) in }
  }

  private func release() {
    guard isOpen.exchange(false, ordering: .relaxed) else { return }
    let me = ObjectIdentifier(self)
    system.state.withLock { disk in
      if disk.locks[number] == me { disk.locks[number] = nil }
    }
  }
}
