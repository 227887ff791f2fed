// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDiskTestSupport
import SyncJob
import SyncTestSupport

/// A power cut after some steps of a traced run, and every state that it may leave.
///
/// Flushed steps are on the disk. Each write that was not flushed may have arrived, or not, or in part, or only as a
/// length filled with zeros, in any order. Each change of a folder may have arrived or not. Two things are taken for
/// granted, because every file system promises them: a move never loses both names, and a move within a folder is done
/// or not done. The two names that a move between folders may leave are two files, as on FAT.
struct PowerCut {
  enum Fate: Hashable, Sendable {
    case kept, dropped
    /// Only the first bytes of a write arrived.
    case torn(Int)
    /// The first bytes of a write arrived, and zeros behind them.
    case zeroed(Int)
    /// A move left the new name and the old one.
    case doubled
  }

  /// A step that may or may not be on the disk.
  struct Pending {
    let index: Int
    let isData: Bool
    let mayBeDropped: Bool
    let mayBeDoubled: Bool
    /// The number of bytes of a write.
    let length: Int?
  }

  let before: MemoryDisk
  let steps: ArraySlice<DiskStep>
  let pending: [Pending]

  init(before: MemoryDisk, steps: [DiskStep], after count: Int) {
    self.before = before
    self.steps = steps.prefix(count)
    pending = Self.pending(self.steps)
  }

  private static func pending(_ steps: ArraySlice<DiskStep>) -> [Pending] {
    var pending: [Pending] = []
    var flushed = Flushed()
    // From the end, because a later flush covers earlier steps.
    for index in steps.indices.reversed() {
      switch steps[index] {
      case .made: break
      case .flushedFile(let node), .flushedFolder(let node): flushed.nodes.insert(node)
      case .failedFlush(let node): flushed.nodes.remove(node)
      case .flushedName(let folder, let name): flushed.names.insert(.init(folder: folder, name: name))
      case .wrote(let node, _, let bytes) where !flushed.nodes.contains(node):
        pending.append(
          Pending(index: index, isData: true, mayBeDropped: true, mayBeDoubled: false, length: bytes.count))
      case .cut(let node, _) where !flushed.nodes.contains(node):
        pending.append(Pending(index: index, isData: true, mayBeDropped: true, mayBeDoubled: false, length: nil))
      case .wrote, .cut: break
      case .named(let changes):
        if let found = flushed.pending(changes, index) { pending.append(found) }
      }
    }
    return pending.reversed()
  }

  private struct Flushed {
    struct Place: Hashable {
      var folder: Int
      var name: [UInt8]
    }
    var nodes: Set<Int> = []
    var names: Set<Place> = []

    private func covers(_ change: NameChange) -> Bool {
      nodes.contains(change.folder) || names.contains(Place(folder: change.folder, name: change.name))
    }

    func pending(_ changes: [NameChange], _ index: Int) -> Pending? {
      guard let first = changes.first, let last = changes.last else { return nil }
      // If the old name of a move is known to be gone, the new one exists.
      guard !covers(first) else { return nil }
      return Pending(
        index: index, isData: false, mayBeDropped: !covers(last), mayBeDoubled: first.folder != last.folder,
        length: nil)
    }
  }

  /// The disk on which these steps had these fates and all others arrived. Everything on it is flushed.
  func disk(_ fates: [Int: Fate]) -> MemoryDisk {
    var disk = before
    var doubles: [NameChange] = []
    for index in steps.indices {
      let fate = fates[index] ?? .kept
      switch steps[index] {
      case .made(let node, let kind, let mode):
        disk.nodes[node] = .init(kind: kind, mode: mode)
        disk.lastNumber = max(disk.lastNumber, node)
      case .wrote(let node, let offset, let bytes): disk.replay(node, offset, bytes, fate)
      case .cut(let node, let length) where fate == .kept: disk.nodes[node]?.resize(length)
      case .named(let changes) where fate != .dropped:
        for change in fate == .doubled ? changes.suffix(1) : changes[...] {
          disk.nodes[change.folder]?.children[change.name] = change.node
        }
        if fate == .doubled, let moved = changes.last?.node {
          doubles.append(NameChange(folder: changes[0].folder, name: changes[0].name, node: moved))
        }
      case .cut, .named, .flushedFile, .flushedFolder, .flushedName, .failedFlush: break
      }
    }
    for double in doubles where disk.nodes[double.folder]?.children[double.name] == double.node {
      disk.lastNumber += 1
      disk.nodes[disk.lastNumber] = double.node.flatMap { disk.nodes[$0] }
      disk.nodes[double.folder]?.children[double.name] = disk.lastNumber
    }
    disk.nodes = disk.nodes.mapValues { node in
      var node = node
      (node.durableBytes, node.durableChildren) = (node.bytes, node.children)
      return node
    }
    return disk
  }
}

extension MemoryDisk {
  fileprivate mutating func replay(_ node: Int, _ offset: Int, _ bytes: [UInt8], _ fate: PowerCut.Fate) {
    let (arrived, length) =
      switch fate {
      case .kept, .doubled: (bytes.count, bytes.count)
      case .dropped: (0, 0)
      case .torn(let count): (min(count, bytes.count), min(count, bytes.count))
      case .zeroed(let count): (min(count, bytes.count), bytes.count)
      }
    guard length > 0, var content = nodes[node]?.bytes else { return }
    if content.count < offset + length { content += Array(repeating: 0, count: offset + length - content.count) }
    content.withUnsafeMutableBytes { raw in
      bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: raw[offset..<offset + arrived]).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: $0[..<arrived]))
      }
    }
    nodes[node]?.bytes = content
    nodes[node]?.modifiedAt = clock
  }
}

extension MemoryDisk.Node {
  fileprivate mutating func resize(_ length: Int) {
    bytes = Array(bytes.prefix(length))
    bytes += Array(repeating: 0, count: length - bytes.count)
  }
}
