// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncDiskTestSupport
import SyncJob
import SyncTestSupport

extension PowerCut {
  /// One possible result of a cut: the fates of the pending steps.
  struct Outcome: CustomStringConvertible {
    let name: String
    let fates: [Int: Fate]

    var description: String {
      "\(name) \(fates.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })"
    }
  }

  /// The extremes, each step alone, torn writes, and random selections of all of these.
  func outcomes(draws: Int, _ chance: inout SplitMix64) -> [Outcome] {
    guard !pending.isEmpty else { return [Outcome(name: "all", fates: [:])] }
    var outcomes = [
      Outcome(name: "all", fates: [:]),
      nothing,
      outcome("names without bytes") { $0.isData ? .dropped : .kept },
      outcome("names with zeros") { $0.length == nil ? .kept : .zeroed(0) },
      outcome("bytes without names") { $0.isData ? .kept : .dropped },
      outcome("both names") { $0.mayBeDoubled ? .doubled : .kept },
    ]
    for alone in pending {
      outcomes.append(outcome("all but \(alone.index)") { $0.index == alone.index ? .dropped : .kept })
      outcomes.append(outcome("only \(alone.index)") { $0.index == alone.index ? .kept : .dropped })
    }
    if let write = pending.last(where: { $0.length != nil }), let length = write.length {
      for count in Set([1, length / 2, length - 1, length / 512 * 512]).sorted() {
        outcomes.append(outcome("torn") { $0.index == write.index ? .torn(count) : .kept })
        outcomes.append(outcome("zero tail") { $0.index == write.index ? .zeroed(count) : .kept })
      }
    }
    for _ in 0..<draws { outcomes.append(draw(&chance)) }
    return outcomes
  }

  /// The outcome in which only flushed steps arrive.
  var nothing: Outcome { outcome("none") { _ in .dropped } }

  /// True if a step is a change of names that is not known to be on the disk.
  func mayLoseName(_ index: Int) -> Bool { pending.contains { $0.index == index && !$0.isData } }

  private func outcome(_ name: String, _ fate: (Pending) -> Fate) -> Outcome {
    var fates: [Int: Fate] = [:]
    for step in pending { fates[step.index] = legal(fate(step), step) }
    return Outcome(name: name, fates: fates)
  }

  private func draw(_ chance: inout SplitMix64) -> Outcome {
    var fates: [Int: Fate] = [:]
    for step in pending {
      let fate: Fate =
        switch Int.random(in: 0..<8, using: &chance) {
        case 0...2: .kept
        case 3...4: .dropped
        case 5: step.length.map { .torn(Int.random(in: 0...$0, using: &chance)) } ?? .kept
        case 6: step.length.map { .zeroed(Int.random(in: 0...$0, using: &chance)) } ?? .dropped
        default: .doubled
        }
      fates[step.index] = legal(fate, step)
    }
    return Outcome(name: "draw", fates: fates)
  }

  private func legal(_ fate: Fate, _ step: Pending) -> Fate {
    switch fate {
    case .dropped where !step.mayBeDropped: .doubled
    case .doubled where !step.mayBeDoubled: .kept
    default: fate
    }
  }
}

extension MemoryDisk {
  /// All files that can be reached, by path.
  func tree() -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    collect(Self.root, "", &found)
    return found
  }

  private func collect(_ folder: Int, _ path: String, _ found: inout [String: [UInt8]]) {
    for (name, child) in nodes[folder]?.children ?? [:] {
      let inner = "\(path)/\(String(decoding: name, as: UTF8.self))"
      guard let node = nodes[child] else { continue }
      if node.kind == .folder { collect(child, inner, &found) } else { found[inner] = node.bytes }
    }
  }

  /// The same for two disks that hold the same files.
  var fingerprint: Int {
    var hasher = Hasher()
    for (path, bytes) in tree().sorted(by: { $0.key < $1.key }) {
      hasher.combine(path)
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
    return hasher.finalize()
  }

  /// Removes files from a folder, as a person might who tidies up.
  mutating func lose(in folder: [String], where isLost: (String) -> Bool) throws {
    let folder = try self.folder(folder, from: Self.root)
    for name in nodes[folder]?.children.keys.map({ $0 }) ?? [] where isLost(String(decoding: name, as: UTF8.self)) {
      nodes[folder]?.children[name] = nil
      nodes[folder]?.durableChildren[name] = nil
    }
  }

  /// Puts a flushed file on the disk, with the folders that lead to it.
  mutating func plant(_ path: String, _ bytes: [UInt8]) throws {
    var components = path.split(separator: "/").map(String.init)
    let name = components.removeLast()
    try makeFolders(components, from: Self.root, .sharedFolder)
    let folder = try folder(components, from: Self.root)
    lastNumber += 1
    var node = Node(kind: .file, mode: .sharedFile, bytes: bytes)
    node.durableBytes = bytes
    nodes[lastNumber] = node
    nodes[folder]?.children[Array(name.utf8)] = lastNumber
    nodes[folder]?.durableChildren[Array(name.utf8)] = lastNumber
  }
}
