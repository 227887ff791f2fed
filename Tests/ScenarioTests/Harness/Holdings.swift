// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport

/// A library with its state inside, as it is on the disk between two runs.
struct Holdings {
  let library: String

  func queueFile() throws -> [UInt8] { try FileBytes.read("\(library)/.syncjob/download_queue.json") }

  /// Files that must not be here: partials that no item of the queue continues, trash, temporary files, an open
  /// journal, and media that no completed item of the queue owns. Paths are relative to the library.
  func strays() throws -> [String] {
    let owned = try ownedPaths().union(items("failed", "queued").compactMap(partialPath))
    return try FileTree.files(library, hidden: true).filter { path in
      guard !owned.contains(path) else { return false }
      guard path.hasPrefix(".syncjob/") else { return !path.hasSuffix(".m3u8") }
      return path.hasSuffix(".tmp") || path == ".syncjob/download_queue.journal"
        || ["partial", "trash"].contains { path.hasPrefix(".syncjob/\($0)/") }
    }
  }

  /// The paths of the completed items in the queue file.
  func ownedPaths() throws -> Set<String> {
    Set(try items("completed").compactMap { $0[path: "path"]?.description })
  }

  /// Completed items whose file is missing or has a size other than the one in the queue file.
  func unfinished() throws -> [String] {
    let sizes = Dictionary(uniqueKeysWithValues: try FileTree.list(library).map { ($0.path, Double($0.size)) })
    return try items("completed").filter { item in
      guard let size = sizes[item[path: "path"]?.description ?? ""] else { return true }
      return item[path: "size"] != .number(size)
    }.map(\.description)
  }

  /// The entries of the queue file for the items in these states.
  private func items(_ states: String...) throws -> [JSONValue] {
    guard case .array(let items)? = try JSONValue(queueFile())[path: "items"] else { return [] }
    return items.filter { item in states.contains { item[path: "state"] == .string($0) } }
  }

  private func partialPath(_ item: JSONValue) -> String? {
    item[path: "partial"].map { ".syncjob/partial/\($0)" }
  }
}
