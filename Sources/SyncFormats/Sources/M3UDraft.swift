// SPDX-License-Identifier: Apache-2.0
internal import SyncCore

/// Reads the lines of M3U. `#EXTINF` describes the next entry, `#EXTART` and `#EXTALB` all entries from there on, and
/// other lines with `#` are comments.
struct M3UDraft {
  private let base: RemoteURL?
  private var draft: ListDraft
  private var problem: SourceProblem?
  private var isExtended = false
  /// The entry that `#EXTINF` has begun.
  private var track: ListTrack?
  /// The text after the comma of `#EXTINF`.
  private var name: String?
  private var size: ByteCount?
  /// The values in force. An artist that is empty says that there is none, and then a name is only a title.
  private var artist: String?
  private var album: String?
  /// True if the next line may name an image.
  private var followsImage = false

  init(_ place: ListPlace) {
    base = place.base
    draft = ListDraft(place)
  }

  var isFull: Bool { draft.isFull }

  var listing: Listing {
    let problem = problem ?? (isExtended ? nil : .notAList(.text))
    return draft.listing(problem.map { .partial($0) } ?? .whole)
  }

  /// - Parameter text: Not empty, without white space around it.
  mutating func take(_ text: String, line: Int) {
    guard problem == nil else { return }
    if text.utf8.first == UInt8(ascii: "#") { return takeTag(text, line) }
    // A text of any other kind would be a list of files that do not exist.
    guard isExtended || text.namesFile else {
      problem = .notAList(.text)
      return
    }
    isExtended = true
    defer { followsImage = false }
    if followsImage, text.namesImage { return }
    takeLocation(text, line)
  }

  private mutating func takeTag(_ text: String, _ line: Int) {
    let end = text.utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    let value = String(text[end...].dropFirst())
    let tag = text[..<end].uppercased()
    switch tag {
    case "#EXTM3U": isExtended = true
    case "#EXTINF": takeInfo(value, line)
    case "#PLAYLIST": draft.title = draft.title ?? value.plain
    case "#EXTART": artist = value.plain ?? ""
    case "#EXTALB": album = value.plain
    case "#EXTBYT": size = Int64(value.collapsed ?? "").flatMap { $0 > 0 ? ByteCount($0) : nil }
    case "#EXTIMG": followsImage = true
    case let tag where tag.hasPrefix("#EXT-X-"): problem = .notAList(.hls(tag: String(tag.prefix(40))))
    default: if tag.hasPrefix("#EXTM3U") { isExtended = true }
    }
  }

  /// `seconds attribute="value" …,name`. A comma within quotes belongs to its value.
  private mutating func takeInfo(_ value: String, _ line: Int) {
    var isQuoted = false
    let comma = value.utf8.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ",") && !isQuoted
    }
    let facts = value[..<(comma ?? value.utf8.firstIndex(of: UInt8(ascii: ",")) ?? value.endIndex)]
    var track = ListTrack(line: line)
    track.duration = Duration(feedText: facts.prefix { $0 != " " && $0 != "\t" })
    self.track = track
    name = String(value[facts.endIndex...].dropFirst()).plain
  }

  private mutating func takeLocation(_ text: String, _ line: Int) {
    var track = self.track ?? ListTrack(line: line)
    if let artist, artist.isEmpty {
      track.title = name
    } else if let artist, let name, name.hasPrefix("\(artist) - ") {
      (track.artist, track.title) = (artist, String(name.dropFirst(artist.count + 3)).collapsed)
    } else {
      track.takeName(name)
      track.artist = track.artist ?? artist
    }
    (track.album, track.size) = (album, size)
    track.add(.init(reference: ListReference(text: text, syntax: .path), base: base, line: line))
    draft.append(track)
    (self.track, name, size) = (nil, nil, nil)
  }
}

extension String {
  /// True if it is a URL, or ends like the name of a file. Only such a line begins a list without `#EXTM3U`.
  fileprivate var namesFile: Bool {
    if contains("://") { return true }
    let path = prefix { $0 != "?" }
    guard let point = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
    let ending = path[point...].utf8.dropFirst()
    return (2...5).contains(ending.count)
      && ending.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
  }

  fileprivate var namesImage: Bool {
    let text = lowercased()
    return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp"].contains { text.hasSuffix($0) }
  }
}
