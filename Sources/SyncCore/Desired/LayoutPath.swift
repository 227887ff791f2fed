// SPDX-License-Identifier: Apache-2.0

/// What a layout's fields stand for.
package struct LayoutFields: Hashable, Sendable {
  package var playlist: String
  package var title: String
  package var artist: String?
  package var album: String?
  package var id: ItemID
  package var position: Int
  package var published: Timestamp?
  package init(playlist: String, item: Item, position: Int) {
    self.playlist = playlist
    title = item.title
    artist = item.artist
    album = item.album
    id = item.id
    self.position = position
    published = item.published
  }
}

extension LayoutTemplate {
  /// The file's place, with every component made legal. A component that turns out empty takes the item's tag.
  /// - Parameter attempt: 0 for the plain name; above it the item's tag, then a number, set names apart.
  package func path(_ fields: LayoutFields, fileExtension: String, naming: FileNaming, attempt: Int = 0) -> LibraryPath
  {
    let tag = fields.id.tag
    let folders = components(fields, fileExtension: fileExtension)
    var names = folders.dropLast().map { naming.fitted(orTag(naming.cleaned($0), tag), reserving: 0, tag: tag) }
    let suffix = attempt == 0 ? "" : attempt == 1 ? " [\(tag)]" : " [\(tag)-\(attempt)]"
    names.append(fileName(folders[folders.count - 1], fileExtension, naming: naming, suffix: suffix, tag: tag))
    guard let path = LibraryPath(names.joined(separator: "/")) else {
      preconditionFailure("cleaned components make a legal path")
    }
    return path
  }

  private func orTag(_ name: String, _ tag: String) -> String { name.isEmpty ? tag : name }

  private func fileName(
    _ component: String, _ fileExtension: String, naming: FileNaming, suffix: String, tag: String
  ) -> String {
    let ending = "." + fileExtension
    let hasEnding = component.hasSuffix(ending)
    let stem = orTag(naming.cleaned(hasEnding ? String(component.dropLast(ending.count)) : component), tag)
    let reserved = suffix.utf8.count + (hasEnding ? ending.utf8.count : 0)
    return naming.fitted(stem, reserving: reserved, tag: tag) + suffix + (hasEnding ? ending : "")
  }

  /// The template's components with fields filled in; a `/` inside a field's value separates nothing.
  private func components(_ fields: LayoutFields, fileExtension: String) -> [String] {
    var components = [""]
    for part in parts {
      switch part {
      case .text(let text):
        let pieces = text.split(separator: "/", omittingEmptySubsequences: false)
        components[components.count - 1] += pieces[0]
        components += pieces.dropFirst().map(String.init)
      case .field(let field):
        let value = value(of: field, fields, fileExtension: fileExtension)
        components[components.count - 1] += value.replacing("/", with: "_")
      }
    }
    return components
  }

  private func value(of field: Field, _ fields: LayoutFields, fileExtension: String) -> String {
    switch field {
    case .playlist: fields.playlist
    case .title: fields.title
    case .artist: fields.artist ?? ""
    case .album: fields.album ?? ""
    case .id: fields.id.text
    case .ext: fileExtension
    case .position(let width): padded(fields.position, width)
    case .published(let format): fields.published.map { CivilTime($0).formatted(format) } ?? ""
    }
  }
}

extension String {
  fileprivate func replacing(_ character: Character, with other: Character) -> String {
    String(map { $0 == character ? other : $0 })
  }
}

extension ItemID {
  /// Eight hexadecimal digits that stand for the id where a name needs to be told from another (FNV-1a, folded).
  package var tag: String { text.fingerprint }
}

extension String {
  /// Eight hexadecimal digits of the FNV-1a hash of the UTF-8 bytes. For names, never for trust.
  package var fingerprint: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    let folded = UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
    let digits = String(folded, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
