// SPDX-License-Identifier: Apache-2.0

/// The translation of a player's paths into library paths.
package struct PathMapping: Hashable, Sendable {
  /// The absolute directory to which the player's relative paths refer.
  package var musicDirectory: String?
  /// The prefix of the player's paths for this library.
  package var prefix: String?

  package init(musicDirectory: String? = nil, prefix: String? = nil) {
    self.musicDirectory = musicDirectory
    self.prefix = prefix
  }

  /// True if a player's paths may begin with the text. A prefix is not empty and has no `.` or `..` component.
  package static func isPrefix(_ text: String) -> Bool {
    !text.isEmpty && !text.split(separator: "/").contains { $0 == "." || $0 == ".." }
  }

  /// Returns the path in the library, or nil if the file is not in the library.
  /// - Parameter roots: The absolute paths of the library.
  package func libraryPath(of path: String, roots: [String]) -> String? {
    var path = path[...]
    while path.hasPrefix("./") { path = path.dropFirst(2) }
    if let prefix { return path.behind(prefix) }
    let isAbsolute = path.hasPrefix("/")
    guard isAbsolute || musicDirectory != nil else { return String(path) }
    let absolute = isAbsolute ? path : "\(musicDirectory ?? "")/\(path)"[...]
    for root in roots { if let inner = absolute.behind(root) { return inner } }
    return nil
  }
}

extension Substring {
  /// The part after a directory's path. Nil if the path is not in that directory.
  fileprivate func behind(_ directory: String) -> String? {
    // Compares bytes, because a slash before a combining mark would form one character with it.
    var base = Array(directory.utf8)
    while base.last == UInt8(ascii: "/") { base.removeLast() }
    base.append(UInt8(ascii: "/"))
    if base.count == 1, !hasPrefix("/") { return String(self) }
    guard utf8.starts(with: base) else { return nil }
    return String(decoding: utf8.dropFirst(base.count), as: UTF8.self)
  }
}
