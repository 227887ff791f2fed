// SPDX-License-Identifier: Apache-2.0

/// Keys of names that people and programs write in many ways.
enum LooseName {
  /// The letters and digits of a text in lower case, with one space between words: `Night_Drive` is `night drive`.
  static func key(_ text: some StringProtocol) -> String {
    var key = ""
    var isInWord = false
    for scalar in String(text).composed.lowercased().unicodeScalars {
      let isOfWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar.isMark
      if isOfWord {
        if !isInWord, !key.isEmpty { key += " " }
        key.unicodeScalars.append(scalar)
      }
      isInWord = isOfWord
    }
    // A name without any letter is compared as it is.
    return key.isEmpty ? String(text) : key
  }

  /// The key of a name, and the same without a number at its beginning: `03 - Night Drive`.
  static func keys(of name: some StringProtocol) -> Set<String> {
    let key = key(name)
    let words = key.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].utf8.count <= 3, words[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return [key]
    }
    return [key, String(words[1])]
  }
}

extension Unicode.Scalar {
  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}

/// The loose names of an item or of a file, which are compared many times: thousands of items may have one title.
struct ComparedNames: Hashable {
  let title: String?
  private let artist: String?
  private let album: String?
  private let duration: Duration?

  init(_ names: MediaNames) {
    (title, artist) = (names.title.map { LooseName.key($0) }, names.artist.map { LooseName.key($0) })
    (album, duration) = (names.album.map { LooseName.key($0) }, names.duration)
  }

  init(_ item: Item) {
    title = LooseName.key(item.title)
    (artist, album) = (item.artist.map { LooseName.key($0) }, item.album.map { LooseName.key($0) })
    duration = item.duration
  }

  /// True if the names in a file are the item's: the title, one more of them, and none that differs.
  func isDescribed(by file: ComparedNames) -> Bool {
    guard file.title == title else { return false }
    let (artist, album, length) = agreement(with: file)
    guard artist != false, length != false else { return false }
    // One recording is on several albums.
    if album == false { return artist == true && length == true }
    return artist == true || album == true || length == true
  }

  /// True if the names in a file are those of something else. A title may be a part of the other.
  func isContradicted(by file: ComparedNames) -> Bool {
    let (artist, _, length) = agreement(with: file)
    if artist == false || length == false { return true }
    guard let found = file.title, let title, found != title else { return false }
    return !found.contains(title) && !title.contains(found)
  }

  /// The difference that keeps a file with these names from being the item's. Nil if there is none.
  func difference(in file: ComparedNames) -> CollectionMatch.Gap? {
    let (artist, album, length) = agreement(with: file)
    if artist == false { return .artist }
    if length == false, let duration, let found = file.duration { return .duration(found, declared: duration) }
    if isContradicted(by: file) { return .title }
    guard let found = file.title, found == title else { return nil }
    return album == false ? .album : .titleAlone
  }

  /// Nil for each that only one of them knows.
  private func agreement(with file: ComparedNames) -> (artist: Bool?, album: Bool?, length: Bool?) {
    func agree(_ own: String?, _ other: String?) -> Bool? {
      guard let own, let other else { return nil }
      return own == other
    }
    let length = duration.flatMap { declared in file.duration.map { !$0.isFar(fromDeclared: declared) } }
    return (agree(artist, file.artist), agree(album, file.album), length)
  }
}
