// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// Reads one inline item.
struct ItemReader {
  let context: ReadingContext
  /// Which of several `urls` is wanted.
  let quality: Quality

  func read(_ node: YAMLNode, place: String) -> Item? {
    guard var map = MappingReader(node, place: place, context: context) else { return nil }
    defer { map.finish() }
    let url = mainURL(&map)
    let id = identifier(&map, url)
    let title = map.text("title")
    let artist = map.text("artist")
    let album = map.text("album")
    let duration = map.duration("duration")
    let size = map.size("size")
    let checksum = map.checksum("checksum")
    let published = map.date("published")
    let priority: Priority? = map.choice("priority")
    let pin = map.truth("pin")
    let alternatives = alternatives(&map)
    map.refuse("license")
    guard let url, let id else { return nil }
    var item = Item(id: id, title: title ?? url.readableStem, main: Candidate(url: url))
    (item.artist, item.album, item.duration, item.published) = (artist, album, duration, published)
    (item.size, item.checksum, item.priority, item.pin) = (size, checksum, priority, pin)
    item.alternatives = alternatives
    return item
  }

  private func mainURL(_ map: inout MappingReader) -> RemoteURL? {
    let byQuality = urls(&map)
    if map.peek("url") != nil { return map.url("url") }
    _ = map.take("url")
    guard let byQuality else {
      context.report(.missingKey("url", place: map.place), at: map.node)
      return nil
    }
    // The wanted quality, else the next lower one, else the lowest above it.
    let ladder: [Quality] = [.low, .normal, .high]
    let wanted = ladder.firstIndex(of: quality) ?? ladder.count - 1
    let order = ladder[...wanted].reversed() + ladder[(wanted + 1)...]
    return order.compactMap { byQuality[$0] }.first
  }

  private func urls(_ map: inout MappingReader) -> [Quality: RemoteURL]? {
    guard map.peek("urls") != nil else {
      _ = map.take("urls")
      return nil
    }
    var urls: [Quality: RemoteURL] = [:]
    map.mapping("urls") { choices in
      for quality in [Quality.low, .normal, .high] { urls[quality] = choices.url(quality.rawValue) }
    }
    return urls
  }

  private func identifier(_ map: inout MappingReader, _ url: RemoteURL?) -> ItemID? {
    guard let node = map.peek("id") else {
      _ = map.take("id")
      return url?.derivedID
    }
    guard let text = map.text("id") else { return nil }
    guard let id = ItemID(text) else {
      context.report(.badItemID(text), at: node)
      return nil
    }
    return id
  }

  private func alternatives(_ map: inout MappingReader) -> [Candidate] {
    guard let node = map.take("alternatives") else { return [] }
    guard case .sequence(let elements) = node.value else {
      context.report(.wrongType(key: map.path("alternatives"), expected: .list, found: node.found), at: node)
      return []
    }
    return elements.enumerated().compactMap { index, element in
      let place = "\(map.path("alternatives"))[\(index + 1)]"
      guard var reader = MappingReader(element, place: place, context: context) else { return nil }
      defer { reader.finish() }
      let (title, duration) = (reader.text("title"), reader.duration("duration"))
      guard reader.peek("url") != nil else {
        _ = reader.take("url")
        context.report(.missingKey("url", place: place), at: element)
        return nil
      }
      return reader.url("url").map { Candidate(url: $0, title: title, duration: duration) }
    }
  }
}

extension RemoteURL {
  /// The file's name without its extension, percent signs decoded; the host when there is none.
  fileprivate var readableStem: String {
    let name = lastPathComponent
    let stem = name.lastIndex(of: ".").map { $0 > name.startIndex ? name[..<$0] : name } ?? name
    return stem.isEmpty ? host : stem.percentDecoded
  }

  /// `night-drive-3fa9c1d2`: readable, and the same whatever stands beside it in the manifest.
  fileprivate var derivedID: ItemID? {
    var slug = ""
    for character in readableStem.lowercased() {
      if character.isASCII, character.isLetter || character.isNumber {
        slug.append(character)
      } else if !slug.hasSuffix("-"), !slug.isEmpty {
        slug.append("-")
      }
    }
    let stem = slug.prefix(48)
    return ItemID(
      stem.isEmpty ? text.fingerprint : "\(stem.hasSuffix("-") ? stem.dropLast() : stem)-\(text.fingerprint)")
  }
}

extension Substring {
  /// `%20` and the like as characters; as it is where that makes no UTF-8.
  fileprivate var percentDecoded: String {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.first {
      if byte == UInt8(ascii: "%"),
        let value = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16),
        rest.count >= 3
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? String(self)
  }
}
