// SPDX-License-Identifier: Apache-2.0

/// The folders whose files a list may name: its own folder, and those that the manifest adds. A list from a URL has none.
package struct LocalRoots: Equatable, Sendable {
  /// Absolute paths without dot segments and without a slash at the end.
  private var folders: [[UInt8]]

  package init() { folders = [] }

  /// - Parameters:
  ///   - list: The absolute path of the list.
  ///   - others: The absolute paths of further folders.
  package init(list: String, others: [String] = []) {
    let folder = list.utf8.prefix(upTo: list.utf8.lastIndex(of: UInt8(ascii: "/")) ?? list.utf8.startIndex)
    folders = ([Array(folder)] + others.map { Array($0.utf8) }).map(Self.withoutSlash)
  }

  /// The folders of both.
  package mutating func add(_ others: LocalRoots) { folders += others.folders.filter { !folders.contains($0) } }

  package var paths: [String] { folders.map { String(decoding: $0, as: UTF8.self) } }

  package var isEmpty: Bool { folders.isEmpty }

  /// A file below a root.
  package struct Place: Equatable, Sendable {
    /// The path of the root.
    package var root: String
    /// The path of the file from there, in the bytes of the file system.
    package var path: [UInt8]
  }

  /// The places of a file below each of the roots that contain it, by name only: a symbolic link may lead elsewhere.
  package func places(of url: RemoteURL) -> [Place] {
    guard let path = url.filePath else { return [] }
    return folders.compactMap { folder in
      let start = folder + [UInt8(ascii: "/")]
      guard path.starts(with: start), path.count > start.count else { return nil }
      return Place(root: String(decoding: start, as: UTF8.self), path: Array(path.dropFirst(start.count)))
    }
  }

  package func contain(_ url: RemoteURL) -> Bool { !places(of: url).isEmpty }

  private static func withoutSlash(_ path: [UInt8]) -> [UInt8] {
    path.last == UInt8(ascii: "/") ? path.dropLast() : path
  }
}
