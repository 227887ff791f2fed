// SPDX-License-Identifier: Apache-2.0

/// An item that a playlist selects and that has no file: it waits for one, or could not be fetched.
package struct LackingItem: Sendable {
  /// The record that the queue is to have before anything is done for the item.
  @Boxed package var queued: QueueItem
  @Boxed package var desired: DesiredItem
  /// The file that the item once had, or has lost.
  package let recorded: StoredFile?
  /// The places that its file would get, with and without its tag.
  let places: [LibraryPath]

  init(_ queued: Boxed<QueueItem>, _ desired: Boxed<DesiredItem>, _ naming: FileNaming) {
    _queued = queued
    _desired = desired
    recorded = queued.wrappedValue.lastFile
    let wanted = desired.wrappedValue
    places = [0, 1].map { attempt in
      wanted.layout.path(
        wanted.fields, fileExtension: wanted.item.expectedExtension, naming: naming, attempt: attempt)
    }
  }

  package var id: ItemID { queued.id }
  package var item: Item { desired.item }

  /// The place for a file with that extension, if nothing else is there.
  package func place(_ fileExtension: String, _ naming: FileNaming) -> LibraryPath {
    desired.layout.path(desired.fields, fileExtension: fileExtension, naming: naming)
  }

  /// The names that a file of the item may have.
  var nameKeys: Set<String> {
    let encoded = item.main.url.lastPathComponent
    let url = String(decoding: RemoteURL.decoded(encoded.utf8), as: UTF8.self)
    var names = places.map { String($0.stem.split(separator: "/").last ?? "") } + [item.title]
    if let path = LibraryPath(url), path.parent == nil { names.append(String(path.stem)) }
    if let artist = item.artist { names.append("\(artist) \(item.title)") }
    return Set(names.map { LooseName.key($0) })
  }

  /// The facts that the publication of a file needs. No request brought its bytes, so their quality is not known.
  package var publication: PlannedDownload {
    var fields = desired.fields
    fields.item.urls = nil
    var task = TransferTask(
      id: id, candidates: [RankedCandidate(candidate: item.main, confidence: .normal)], declaredSize: item.size,
      checksum: item.checksum)
    task.duration = item.duration
    return PlannedDownload(
      task: task, priority: .normal, layout: desired.layout, fields: fields, isFromSource: desired.isFromSource,
      playlists: desired.memberships.map(\.playlist), room: .zero, present: .zero)
  }
}

extension Reconciliation {
  /// The items that an import may give a file to, in the order of the manifest.
  package func lacking(_ naming: FileNaming) -> [LackingItem] {
    entries.indices.compactMap { index in
      guard entries[index].isInScope, let desired = entries[index].$desired, entries[index].unselected == nil else {
        return nil
      }
      switch entries[index].need {
      case .fetch, .returning, .adopt, .wait, .coolDown, .skip(.failedForGood), .skip(.missingAndSkipped):
        return LackingItem(entries[index].$queued, desired, naming)
      case .keep, .remove, .skip, .ignore: return nil
      }
    }
  }
}

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

extension Item {
  /// True if the names in a file are the item's: the title, one more of them, and none that differs.
  func isDescribed(by names: MediaNames) -> Bool {
    guard names.title.map(LooseName.key) == LooseName.key(title) else { return false }
    let (artist, album, length) = agreement(with: names)
    guard artist != false, length != false else { return false }
    // One recording is on several albums.
    if album == false { return artist == true && length == true }
    return artist == true || album == true || length == true
  }

  /// True if the names in a file are those of something else. A title may be a part of the other.
  func isContradicted(by names: MediaNames) -> Bool {
    let (artist, _, length) = agreement(with: names)
    if artist == false || length == false { return true }
    guard let found = names.title.map(LooseName.key) else { return false }
    let own = LooseName.key(title)
    return !found.contains(own) && !own.contains(found)
  }

  /// Nil for each that only one of them knows.
  private func agreement(with names: MediaNames) -> (artist: Bool?, album: Bool?, length: Bool?) {
    func agree(_ own: String?, _ other: String?) -> Bool? {
      guard let own, let other else { return nil }
      return LooseName.key(own) == LooseName.key(other)
    }
    let length = duration.flatMap { declared in names.duration.map { !$0.isFar(fromDeclared: declared) } }
    return (agree(artist, names.artist), agree(album, names.album), length)
  }
}
