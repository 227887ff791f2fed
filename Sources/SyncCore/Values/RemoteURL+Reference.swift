// SPDX-License-Identifier: Apache-2.0

extension RemoteURL {
  /// Resolves a reference (RFC 3986 §5.2): absolute, `//host/path`, `/path`, `path`, `../path` or `?query`.
  /// - Parameter base: The URL to which the reference may be relative. Nil accepts only an absolute reference.
  package init(reference: String, base: RemoteURL?) throws(Problem) {
    guard let base, !Self.hasScheme(reference) else {
      self = try RemoteURL(reference)
      return
    }
    // A backslash is refused later. Until then it must not look like a path segment.
    let fragment = reference.utf8.firstIndex(of: UInt8(ascii: "#"))
    let text = fragment.map { String(reference[..<$0]) } ?? reference
    self = try RemoteURL(base.target(of: text))
  }

  /// The target of a relative reference without a fragment.
  private func target(of reference: String) -> String {
    if reference.utf8.starts(with: "//".utf8) { return "\(scheme.rawValue):\(reference)" }
    let queryStart = reference.utf8.firstIndex(of: UInt8(ascii: "?")) ?? reference.endIndex
    let (referred, query) = (reference[..<queryStart], reference[queryStart...])
    let root = String(text[..<pathStart])
    if referred.isEmpty { return query.isEmpty ? text : root + path + query }
    let whole = referred.utf8.first == UInt8(ascii: "/") ? String(referred) : folder + referred
    return root + Self.withoutDotSegments(whole) + query
  }

  /// The path up to its last slash.
  private var folder: String { path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "/" }

  /// The position after scheme and authority in `text`.
  private var pathStart: String.Index {
    let authority = text.utf8.dropFirst(scheme.rawValue.utf8.count + 3)
    return authority.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? text.endIndex
  }

  /// Removes dot segments (RFC 3986 §5.2.4) from a path that begins with a slash.
  private static func withoutDotSegments(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (index, segment) in zip(segments.indices, segments) {
      let isLast = index == segments.endIndex - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return "/" + kept.joined(separator: "/")
  }

  /// True if the text begins with `scheme ":"` (RFC 3986 §3.1).
  package static func hasScheme(_ text: String) -> Bool {
    let name = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard name.endIndex != text.endIndex, let first = name.first, isLetter(first) else { return false }
    return name.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
