// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore
package import SyncDisk

/// The reason why an operation on the disk in memory fails.
package struct DiskFault: Error {
  package var cause: FileError.Cause
  package init(_ code: Int32) { cause = .system(ErrnoCode(code)) }
  package init(_ cause: FileError.Cause) { self.cause = cause }
}

/// The nodes of a file system in memory, by number.
package struct MemoryDisk: Sendable {
  /// Names are bytes: two spellings of one letter are two names.
  package typealias Name = [UInt8]

  package enum Kind { case file, folder, link, fifo }

  package struct Node {
    package var kind: Kind
    package var mode: FileMode
    package var bytes: [UInt8] = []
    package var durableBytes: [UInt8] = []
    package var children: [Name: Int] = [:]
    package var durableChildren: [Name: Int] = [:]
    package var modifiedAt: Int64 = 0

    package init(kind: Kind, mode: FileMode, bytes: [UInt8] = []) {
      (self.kind, self.mode, self.bytes) = (kind, mode, bytes)
    }
  }

  package struct Faults {
    package var remaining: Int
    package var code: Int32
  }

  package static let root = 1

  package var nodes: [Int: Node] = [root: Node(kind: .folder, mode: .sharedFolder)]
  package var locks: [Int: ObjectIdentifier] = [:]
  package var faults: Faults?
  package var knowsLinks = true
  /// The modification time for files that are written now, in seconds since 1970.
  package var clock: Int64 = 0
  /// All changes in order. Nil if they are not recorded.
  package var trace: [DiskStep]?
  package var trap: DiskTrap?
  /// The nodes whose flush failed in this run, and the one of them that was flushed again.
  private(set) var failedFlushes: Set<Int> = []
  package private(set) var repeatedFlush: Int?
  private(set) var changeCount = 0
  package var lastNumber = root

  /// Counts a change, or refuses it.
  package mutating func change() throws(DiskFault) {
    if let faults {
      guard faults.remaining > 0 else { throw DiskFault(faults.code) }
      self.faults?.remaining -= 1
    }
    changeCount += 1
  }

  package init() {}

  /// Counts an operation of any kind, or refuses it.
  package mutating func meet(_ operation: FileError.Operation) throws(DiskFault) {
    guard let code = trap?.spring(at: operation) else { return }
    throw DiskFault(code)
  }

  package func afterKill() -> MemoryDisk {
    var disk = self
    disk.locks = [:]
    disk.faults = nil
    disk.trap = nil
    disk.trace = nil
    disk.failedFlushes = []
    disk.repeatedFlush = nil
    return disk
  }

  package func afterPowerCut() -> MemoryDisk {
    var disk = afterKill()
    for number in nodes.keys {
      disk.nodes[number]?.bytes = nodes[number]?.durableBytes ?? []
      disk.nodes[number]?.children = nodes[number]?.durableChildren ?? [:]
    }
    return disk
  }

  // MARK: Looking

  package func node(_ number: Int) throws(DiskFault) -> Node {
    guard let node = nodes[number] else { throw DiskFault(EBADF) }
    return node
  }

  package func folder(_ components: [String], from start: Int) throws(DiskFault) -> Int {
    var current = start
    for component in components {
      guard let next = try node(current).children[Array(component.utf8)] else { throw DiskFault(ENOENT) }
      switch try node(next).kind {
      case .folder: current = next
      case .link: throw DiskFault(ELOOP)
      case .file, .fifo: throw DiskFault(ENOTDIR)
      }
    }
    return current
  }

  package func folder(_ place: FilePlace) throws(DiskFault) -> Int {
    try folder(place.path?.components.map(String.init) ?? [], from: Int(place.root.handle))
  }

  private func parent(_ place: FilePlace) throws(DiskFault) -> (folder: Int, name: Name) {
    guard let path = place.path else { throw DiskFault(EBUSY) }
    return (try folder(place.parent), Array(path.name.utf8))
  }

  private func number(_ place: FilePlace) throws(DiskFault) -> Int {
    guard place.path != nil else { return Int(place.root.handle) }
    let (folder, name) = try parent(place)
    guard let number = try node(folder).children[name] else { throw DiskFault(ENOENT) }
    return number
  }

  package func node(_ place: FilePlace) throws(DiskFault) -> Node { try node(number(place)) }

  package func status(_ place: FilePlace) throws(DiskFault) -> FileStatus { try status(number(place)) }

  package func status(_ number: Int) throws(DiskFault) -> FileStatus { status(try node(number), number) }

  private func status(_ node: Node, _ number: Int) -> FileStatus {
    let kind: FileStatus.Kind =
      switch node.kind {
      case .file: .file
      case .folder: .directory
      case .link: .symbolicLink
      case .fifo: .other
      }
    return FileStatus(
      kind: kind, size: ByteCount(Int64(node.bytes.count)),
      modifiedAt: Timestamp(secondsSince1970: node.modifiedAt),
      identity: .init(device: 1, inode: UInt64(number)), linkCount: linkCount(number), mode: node.mode)
  }

  private func linkCount(_ number: Int) -> Int {
    nodes.values.reduce(0) { $0 + $1.children.values.count { $0 == number } }
  }

  package func list(_ place: FilePlace) throws(DiskFault) -> [DirectoryEntry] {
    let number = try folder(place)
    var entries: [DirectoryEntry] = []
    for (name, child) in try node(number).children.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      entries.append(
        DirectoryEntry(name: String(decoding: name, as: UTF8.self), status: status(try node(child), child)))
    }
    return entries
  }

  // MARK: Changing

  private mutating func add(_ node: Node, _ name: Name, in folder: Int) -> Int {
    lastNumber += 1
    nodes[lastNumber] = node
    trace?.append(.made(lastNumber, node.kind, node.mode))
    rename([NameChange(folder: folder, name: name, node: lastNumber)])
    return lastNumber
  }

  /// Sets and removes names in one step.
  private mutating func rename(_ changes: [NameChange]) {
    for change in changes { nodes[change.folder]?.children[change.name] = change.node }
    trace?.append(.named(changes))
  }

  /// - Parameter isFlushing: True to flush the name of the last existing folder, too.
  package mutating func makeFolders(
    _ components: [String], from start: Int, _ mode: FileMode, flushingLast isFlushing: Bool = false
  ) throws(DiskFault) {
    var current = start
    var last: (folder: Int, name: [UInt8], node: Int)?
    for component in components {
      let name = Array(component.utf8)
      if let next = try node(current).children[name] {
        guard try node(next).kind == .folder else {
          throw DiskFault(try node(next).kind == .link ? ELOOP : ENOTDIR)
        }
        last = (current, name, next)
        current = next
      } else {
        try change()
        if isFlushing, let known = last { flushName(known.folder, known.name, known.node) }
        last = nil
        let made = add(Node(kind: .folder, mode: mode), name, in: current)
        flushName(current, name, made)
        current = made
      }
    }
    if isFlushing, let last { flushName(last.folder, last.name, last.node) }
  }

  private mutating func flushName(_ folder: Int, _ name: [UInt8], _ node: Int) {
    nodes[folder]?.durableChildren[name] = node
    trace?.append(.flushedName(folder: folder, name))
  }

  package mutating func flushFile(_ number: Int) throws(DiskFault) {
    let bytes = try node(number).bytes
    noteFlush(number)
    nodes[number]?.durableBytes = bytes
    trace?.append(.flushedFile(number))
  }

  package mutating func flushFolder(_ place: FilePlace) throws(DiskFault) {
    let number = try folder(place)
    let children = try node(number).children
    noteFlush(number)
    nodes[number]?.durableChildren = children
    trace?.append(.flushedFolder(number))
  }

  /// Bytes whose flush failed may be dropped from memory without having reached the disk, as Linux does.
  package mutating func failFlush(_ number: Int) {
    noteFlush(number)
    failedFlushes.insert(number)
    trace?.append(.failedFlush(number))
  }

  private mutating func noteFlush(_ number: Int) {
    if failedFlushes.contains(number) { repeatedFlush = number }
  }

  package mutating func plant(_ kind: Kind, _ components: [String]) throws(DiskFault) {
    let folder = try folder(Array(components.dropLast()), from: Self.root)
    _ = add(Node(kind: kind, mode: .sharedFile), Array((components.last ?? "").utf8), in: folder)
  }

  package mutating func open(_ place: FilePlace, _ access: FileAccess) throws(DiskFault) -> Int {
    let (folder, name) = try parent(place)
    guard let number = try node(folder).children[name] else {
      switch access {
      case .reading, .writing: throw DiskFault(ENOENT)
      case .creating(let mode), .writingOrCreating(let mode), .locking(let mode):
        try change()
        return add(Node(kind: .file, mode: mode), name, in: folder)
      }
    }
    if case .creating = access { throw DiskFault(EEXIST) }
    switch try node(number).kind {
    case .file: break
    case .link: throw DiskFault(ELOOP)
    case .folder, .fifo: throw DiskFault(.notAFile)
    }
    guard access == .reading || linkCount(number) <= 1 else { throw DiskFault(.hardLinked) }
    return number
  }

  package mutating func write(_ bytes: UnsafeRawBufferPointer, _ number: Int, _ offset: Int) throws(DiskFault) {
    var content = try node(number).bytes
    let end = offset + bytes.count
    if content.count < end { content += Array(repeating: 0, count: end - content.count) }
    content.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[offset..<end]).copyMemory(from: bytes) }
    nodes[number]?.bytes = content
    nodes[number]?.modifiedAt = clock
    trace?.append(.wrote(number, at: offset, Array(bytes)))
  }

  package mutating func truncate(_ number: Int, to length: Int) throws(DiskFault) {
    var node = try node(number)
    node.bytes = Array(node.bytes.prefix(length))
    node.bytes += Array(repeating: 0, count: length - node.bytes.count)
    nodes[number] = node
    trace?.append(.cut(number, to: length))
  }

  package mutating func move(_ source: FilePlace, _ target: FilePlace, _ replacing: Bool) throws(DiskFault) {
    let moved = try number(source)
    let (from, oldName) = try parent(source)
    let (to, newName) = try parent(target)
    if let there = try node(to).children[newName] {
      if !replacing { throw DiskFault(EEXIST) }
      if try node(there).kind == .folder { throw DiskFault(EISDIR) }
      // rename(2): two names of one file stay as they are.
      if there == moved { return }
    }
    try change()
    rename([NameChange(folder: from, name: oldName), NameChange(folder: to, name: newName, node: moved)])
  }

  package mutating func link(_ source: FilePlace, _ target: FilePlace) throws(DiskFault) {
    let number = try number(source)
    let (to, name) = try parent(target)
    guard try node(to).children[name] == nil else { throw DiskFault(EEXIST) }
    try change()
    rename([NameChange(folder: to, name: name, node: number)])
  }

  package mutating func removeFile(_ place: FilePlace) throws(DiskFault) {
    let (folder, name) = try parent(place)
    guard try node(place).kind != .folder else { throw DiskFault(EISDIR) }
    try change()
    rename([NameChange(folder: folder, name: name)])
  }

  package mutating func removeFolder(_ place: FilePlace) throws(DiskFault) {
    let (folder, name) = try parent(place)
    let node = try node(place)
    guard node.kind == .folder else { throw DiskFault(ENOTDIR) }
    guard node.children.isEmpty else { throw DiskFault(ENOTEMPTY) }
    try change()
    rename([NameChange(folder: folder, name: name)])
  }
}
