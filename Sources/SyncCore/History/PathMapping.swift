// SPDX-License-Identifier: Apache-2.0

/// How the paths of a player lead into the library.
package struct PathMapping: Hashable, Sendable {
  /// The directory that the player's relative paths begin at; absolute.
  package var musicDirectory: String?
  /// What the player's paths of this library begin with.
  package var prefix: String?

  package init(musicDirectory: String? = nil, prefix: String? = nil) {
    self.musicDirectory = musicDirectory
    self.prefix = prefix
  }

  /// Whether the paths of a player may begin with it: they never go up, nor stay where they are.
  package static func isPrefix(_ text: String) -> Bool {
    !text.isEmpty && !text.split(separator: "/").contains { $0 == "." || $0 == ".." }
  }

  /// The path in the library; nil when it is none there.
  /// - Parameter roots: the absolute paths that the library has.
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
  /// What follows a directory's path; nil when it does not lie there.
  fileprivate func behind(_ directory: String) -> String? {
    // By bytes: a slash before a combining mark would be one character with it.
    var base = Array(directory.utf8)
    while base.last == UInt8(ascii: "/") { base.removeLast() }
    base.append(UInt8(ascii: "/"))
    if base.count == 1, !hasPrefix("/") { return String(self) }
    guard utf8.starts(with: base) else { return nil }
    return String(decoding: utf8.dropFirst(base.count), as: UTF8.self)
  }
}
