// SPDX-License-Identifier: Apache-2.0
internal import SyncCore

/// A reference to a file in a list, as written.
struct ListReference {
  enum Target {
    case url(RemoteURL)
    /// A file of another machine, or one of this machine that a list from a URL names.
    case localFile
    /// A file of this machine outside the folders from which the list may name files.
    case outsideRoots
    case invalid
  }

  enum Syntax {
    /// XSPF and JSPF have URI references.
    case reference
    /// M3U and PLS have URLs, and paths in which every character means itself.
    case path
  }

  let text: String
  let syntax: Syntax

  /// - Parameters:
  ///   - base: The address to which relative references are relative. Nil if there is none.
  ///   - roots: The folders from which the list may name files.
  func target(from base: RemoteURL?, _ roots: LocalRoots) -> Target {
    if isOfOtherMachine { return .localFile }
    let isRelative = !hasScheme(roots)
    do throws(RemoteURL.Problem) {
      guard !isFileURL, !isRelative || base?.isFile == false else {
        guard !roots.isEmpty, let path = filePath(from: base) else { return .localFile }
        let url = try RemoteURL(file: path)
        return roots.contain(url) ? .url(url) : .outsideRoots
      }
      return .url(try RemoteURL(reference: isRelative ? relative : absolute, base: base))
    } catch { return .invalid }
  }

  /// The file that a path means if it is percent-encoded, as VLC writes it. Nil if that is the same file, or none that
  /// the list may name.
  func decodedFile(from base: RemoteURL?, _ roots: LocalRoots) -> RemoteURL? {
    guard syntax == .path, !isFileURL, text.utf8.contains(UInt8(ascii: "%")),
      case .url(let url) = target(from: base, roots), let path = url.filePath
    else { return nil }
    do throws(RemoteURL.Problem) {
      let decoded = try RemoteURL(file: RemoteURL.decoded(path))
      return decoded != url && roots.contain(decoded) ? decoded : nil
    } catch { return nil }
  }

  /// The names of files may have colons. In paths of files, only two slashes make a scheme.
  private func hasScheme(_ roots: LocalRoots) -> Bool {
    RemoteURL.hasScheme(text) && (syntax == .reference || roots.isEmpty || isFileURL || text.contains("://"))
  }

  /// The base that the text declares (XML Base §4.2). Nil for an invalid one. Of a file, only the folder counts.
  func declaredBase(from base: RemoteURL?, _ roots: LocalRoots) -> RemoteURL? {
    let isFile = isFileURL || !RemoteURL.hasScheme(text) && base?.isFile != false
    do throws(RemoteURL.Problem) {
      guard isFile else { return try RemoteURL(reference: text, base: base) }
      guard !roots.isEmpty, let path = filePath(from: base) else { return nil }
      return try RemoteURL(file: path + "-".utf8)
    } catch { return nil }
  }

  private var isFileURL: Bool { text.utf8.count >= 5 && text.prefix(5).lowercased() == "file:" }

  /// True for `C:\` or `C:/`, and `\\server`, from wherever the list came.
  private var isOfOtherMachine: Bool {
    let start = Array(text.utf8.prefix(3))
    guard start.count == 3 else { return false }
    let isLetter = (0x61...0x7A).contains(start[0] | 0x20)
    let isSlash = { (byte: UInt8) in byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/") }
    return isLetter && start[1] == UInt8(ascii: ":") && isSlash(start[2]) || text.hasPrefix("\\\\")
  }

  /// The absolute path of the file that the text names. Nil if the file is on another machine or the path has no base.
  /// No reference to a file has a query: a question mark is part of a name. In a path, so is everything else.
  private func filePath(from base: RemoteURL?) -> [UInt8]? {
    guard isFileURL || syntax == .reference else {
      return absolutePath(text.utf8.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }, from: base)
    }
    let reference = text.utf8.prefix { syntax == .path || $0 != UInt8(ascii: "#") }
    guard let path = Self.withoutAuthority(isFileURL ? reference.dropFirst(5) : reference[...]) else { return nil }
    return absolutePath(RemoteURL.decoded(path), from: base)
  }

  private func absolutePath(_ path: [UInt8], from base: RemoteURL?) -> [UInt8]? {
    if path.first == UInt8(ascii: "/") { return path }
    guard !path.isEmpty, var folder = base?.filePath else { return nil }
    while let last = folder.last, last != UInt8(ascii: "/") { folder.removeLast() }
    return folder + path
  }

  /// The path behind `//` or `//localhost` (RFC 8089 §2). Nil for another host.
  private static func withoutAuthority(_ text: Substring.UTF8View) -> Substring.UTF8View? {
    guard text.starts(with: "//".utf8) else { return text }
    let rest = text.dropFirst(2)
    let host = rest.prefix { $0 != UInt8(ascii: "/") }
    guard host.isEmpty || String(Substring(host)).lowercased() == "localhost" else { return nil }
    return rest[host.endIndex...]
  }

  /// A URL with a space, or with a percent sign without two digits behind it, was not encoded by its writer. A number
  /// sign in it is then part of a name.
  private var absolute: String {
    if syntax == .path, text.utf8.contains(UInt8(ascii: " ")) || hasBarePercentSign {
      return encoded(separatesAtBackslash: false)
    }
    return text.withSpacesEncoded
  }

  /// A number sign in a path is part of a name. So is a percent sign without two digits behind it. Windows writes
  /// backslashes between folders.
  private var relative: String {
    syntax == .path ? encoded(separatesAtBackslash: true) : absolute
  }

  private func encoded(separatesAtBackslash: Bool) -> String {
    let bytes = Array(text.utf8)
    var path: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: " "): path += "%20".utf8
      case UInt8(ascii: "#"): path += "%23".utf8
      case UInt8(ascii: "\\") where separatesAtBackslash: path.append(UInt8(ascii: "/"))
      case UInt8(ascii: "%") where !Self.isEscape(bytes[index...].prefix(3)): path += "%25".utf8
      default: path.append(byte)
      }
    }
    return String(decoding: path, as: UTF8.self)
  }

  private var hasBarePercentSign: Bool {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return false }
    let bytes = Array(text.utf8)
    return bytes.indices.contains { index in
      bytes[index] == UInt8(ascii: "%") && !Self.isEscape(bytes[index...].prefix(3))
    }
  }

  private static func isEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count == 3 && bytes.dropFirst().allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }
}

extension String {
  /// The text with its spaces as `%20`. A space is not allowed in a URL, but lists and feeds name files this way.
  var withSpacesEncoded: String { utf8.contains(0x20) ? replacing(" ", with: "%20") : self }
}
