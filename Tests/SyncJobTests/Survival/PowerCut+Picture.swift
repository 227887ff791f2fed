// SPDX-License-Identifier: Apache-2.0
import SyncDiskTestSupport

extension PowerCut {
  /// The steps before the cut, one per line, with the fate of those that were pending.
  func picture(_ outcome: Outcome) -> String {
    var names = Names(before)
    return steps.enumerated().map { index, step in
      "\(index) \(names.words(step))\(outcome.fates[index].map { " [\($0)]" } ?? "")"
    }.joined(separator: "\n")
  }

  /// The names of nodes.
  private struct Names {
    private var names: [Int: String] = [:]

    init(_ disk: MemoryDisk) {
      for (folder, node) in disk.nodes {
        for (name, child) in node.children { take(NameChange(folder: folder, name: name, node: child)) }
      }
    }

    private mutating func take(_ change: NameChange) {
      if let node = change.node { names[node] = words(change) }
    }

    private func words(_ change: NameChange) -> String {
      "\(change.folder)/\(String(decoding: change.name, as: UTF8.self))"
    }

    private func words(_ node: Int) -> String { "\(node) \(names[node] ?? "")" }

    mutating func words(_ step: DiskStep) -> String {
      switch step {
      case .made(let node, let kind, _): return "make \(kind) \(node)"
      case .wrote(let node, let offset, let bytes):
        let start = String(decoding: bytes.prefix(160).filter { (0x20..<0x7F).contains($0) }, as: UTF8.self)
        return "write \(words(node)) at \(offset): \(bytes.count) \(start)"
      case .cut(let node, let length): return "cut \(words(node)) to \(length)"
      case .named(let changes):
        for change in changes { take(change) }
        return changes.map { "\(words($0)) is \($0.node.map { "\($0)" } ?? "gone")" }.joined(separator: ", ")
      case .flushedFile(let node), .flushedFolder(let node): return "flush \(words(node))"
      case .flushedName(let folder, let name): return "flush the name \(words(NameChange(folder: folder, name: name)))"
      case .failedFlush(let node): return "failed flush of \(words(node))"
      }
    }
  }
}
