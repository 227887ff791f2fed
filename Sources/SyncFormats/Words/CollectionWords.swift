// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension CollectionMatch.Rule {
  /// The proof, in words behind a file.
  var words: String {
    switch self {
    case .checksum: "same checksum"
    case .recordedHash: "same bytes as its former file"
    case .sizeAndName: "same size and name"
    case .tags: "by its tags"
    case .name: "by its name"
    }
  }
}

extension CollectionMatch.Gap {
  /// The reason, in words behind the file and the item.
  var words: String {
    switch self {
    case .checksum: "its bytes do not have the checksum"
    case .size(let found, let declared): "it has \(found.bytes) bytes instead of \(declared.bytes)"
    case .title: "its tags have another title"
    case .artist: "its tags name another artist"
    case .duration(let found, let declared): "it plays \(found.clockWords) instead of \(declared.clockWords)"
    case .album: "its tags name another album, and not both artist and duration agree"
    case .titleAlone: "its tags have the title, and nothing besides it agrees"
    case .name: "its name has another number or other spaces, and no tag decides"
    }
  }

  /// The name for programs.
  var name: String {
    switch self {
    case .checksum: "checksum"
    case .size: "size"
    case .title: "title"
    case .artist: "artist"
    case .duration: "duration"
    case .album: "album"
    case .titleAlone: "title_alone"
    case .name: "name"
    }
  }
}

/// Sentences about an import of files.
package enum CollectionWords {
  static func doubt(_ doubt: CollectionImport.Doubt) -> String {
    let titles = zip(doubt.items, doubt.titles).map { $0.called($1) }
    // One title for all of them would tell nothing.
    let items = choice(Set(titles).count == 1 && titles.count > 1 ? doubt.items.map(\.text) : titles)
    let files = choice(doubt.files.map(\.text))
    return doubt.files.count > 1 ? "\(items) may be \(files)" : "\(files) may be \(items)"
  }

  /// Names the first of thousands.
  private static func choice(_ names: [String]) -> String {
    let shown = names.count > 5 ? names.prefix(4) : names[...]
    let rest = names.count - shown.count
    return (shown.map(\.quoted) + (rest > 0 ? ["\(rest) others"] : [])).joined(separator: " or ")
  }

  static func nearMiss(_ miss: CollectionImport.NearMiss) -> String {
    "\(miss.file.text.quoted) is nearly \(miss.id.called(miss.title).quoted)"
  }

  static func nearMisses(_ files: Int) -> String {
    "\(files.counted("file")) nearly \(files == 1 ? "fits" : "fit") an item; -v says what keeps "
      + (files == 1 ? "it" : "them") + " from it"
  }

  static let adviceForDoubts = "a checksum in the manifest decides, or import one folder at a time"

  static func copiedOnly(_ error: FileError) -> String { "copied, but still there: \(error.words)" }

  /// The sentences about files and folders that could not be read: the first, and the number of the others.
  static func unread(_ sentences: [String]) -> [String] {
    let shown = sentences.count > 10 ? sentences.prefix(9) : sentences[...]
    let rest = sentences.count - shown.count
    return shown + (rest > 0 ? ["\(rest) other files and folders could not be read; --json names them"] : [])
  }

  static func links(_ count: Int) -> String {
    "\(count.counted("symbolic link")) \(count == 1 ? "was" : "were") not followed"
  }

  static func unnamed(_ count: Int) -> String {
    count == 1
      ? "1 name in the collection is not UTF-8 and was passed over"
      : "\(count) names in the collection are not UTF-8 and were passed over"
  }

  static func unmatched(_ count: Int, in folder: String) -> String {
    "\(count.counted("other media file")) in \(folder.quoted) \(count == 1 ? "matches" : "match") no item that lacks its file"
  }

  static func lacking(_ count: Int) -> String {
    "\(count.counted("item")) still \(count == 1 ? "lacks its file" : "lack their files")"
  }

  static func noTags(_ problem: TagProblem) -> String {
    "no file was matched by its tags, because \(problem.words): \(problem.advice)"
  }

  static func stopped(_ failure: Failure) -> String {
    "the import stopped: \(failure.words); what was imported before is safe, and nothing was taken from the collection "
      + "that is not in the library"
  }
}
