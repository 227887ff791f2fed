// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The sentences of `export`.
package enum ExportWords {
  /// The number of names in a sentence.
  private static let listed = 3

  package static let formats = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")

  package static func severalPlaylists(_ format: ExportFormat, _ names: [PlaylistName], flag: String) -> String {
    guard !names.isEmpty else { return "the manifest has no playlist that \(format.rawValue) could hold" }
    return
      "\(format.rawValue) holds one playlist, and there are \(names.count) (\(list(names.map(\.text)))); choose one with"
      + " \(flag), and export each into a file of its own"
  }

  package static func pathsWithout(_ format: ExportFormat, flag: String) -> String {
    "\(flag) is for m3u8, xspf and jspf: \(format.rawValue) does not list the finished files of a playlist"
  }

  package static func wrote(_ exported: Exported, _ format: ExportFormat, to path: String) -> String {
    let noun = format == .opml ? "feed" : "item"
    return "wrote \(exported.entries.counted(noun)) to \(path.quoted)"
  }

  /// One sentence for each kind of omission.
  package static func warnings(_ omissions: [ExportOmission], isVerbose: Bool) -> [String] {
    var (items, searched, feeds): ([String], [String], [String]) = ([], [], [])
    var (files, paths): ([String], [String]) = ([], [])
    for omission in omissions {
      switch omission {
      case .itemWithCredential(let id): items.append(id.printable)
      case .itemWithoutURL(let id): searched.append(id.printable)
      case .feedWithCredential(let name): feeds.append(name.text)
      case .feedInFile(let name): files.append(name.text)
      case .unwritablePath(let id): paths.append(id.printable)
      }
    }
    let limit = isVerbose ? Int.max : listed
    var words: [String] = []
    if !items.isEmpty {
      words.append(
        "\(items.count.counted("item")) left out, whose URLs contain credentials: \(list(items, limit)); --paths exports"
          + " finished files instead")
    }
    if !searched.isEmpty {
      words.append(
        "\(searched.count.counted("item")) left out, which \(searched.count == 1 ? "has" : "have") no URL and"
          + " \(searched.count == 1 ? "is" : "are") searched for: \(list(searched, limit)); --paths exports finished files"
          + " instead")
    }
    if !feeds.isEmpty {
      words.append("\(feeds.count.counted("feed")) left out, whose URLs contain credentials: \(list(feeds, limit))")
    }
    if !files.isEmpty {
      words.append("\(files.count.counted("feed")) left out, which are files and have no URL: \(list(files, limit))")
    }
    if !paths.isEmpty {
      words.append(
        "\(paths.count.counted("item")) left out, whose paths m3u8 cannot hold: \(list(paths, limit)); export xspf")
    }
    return words
  }

  private static func list(_ names: [String], _ limit: Int = listed) -> String {
    let shown = names.prefix(limit).joined(separator: ", ")
    return names.count > limit ? "\(shown) and \(names.count - limit) more" : shown
  }
}
