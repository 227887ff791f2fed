// SPDX-License-Identifier: Apache-2.0
internal import SyncCore
internal import XML

/// Builds a list from the events of an XSPF document, version 0 or 1. Extensions are skipped.
final class XSPFBuilder: XMLHandler {
  private(set) var root: XMLName?
  private(set) var draft: ListDraft
  private var track: ListTrack?
  /// The field being read, its line, and its text so far. Its element is at `fieldDepth`.
  private var reading: (field: Element, line: Int, text: FeedText)?
  private var fieldDepth = 0
  /// The bases of relative references: the document's own address, then each `xml:base` with the depth of its element.
  private var bases: [(depth: Int, url: RemoteURL?)]
  /// The depth of the element being read: 1 is the root, 2 the title and the `trackList`, 3 a track, 4 its fields.
  private var depth = 0

  private enum Element: String { case title, creator, album, duration, location, identifier }

  init(_ place: ListPlace) {
    draft = ListDraft(place)
    bases = [(0, place.base)]
  }

  func start(_ name: XMLName, _ attributes: [XMLAttribute], line: Int) {
    depth += 1
    if depth == 1 { root = name }
    guard reading == nil else { return }
    takeBase(attributes)
    guard name.isOfXSPF else { return }
    if depth == 3, name.local == "track" {
      track = ListTrack(line: line)
    } else if depth == (track == nil ? 2 : 4), let field = Element(rawValue: name.local) {
      (reading, fieldDepth) = ((field, line, FeedText()), depth)
    }
  }

  func end() {
    if let ended = reading, fieldDepth == depth {
      reading = nil
      take(ended.field, ended.text, ended.line)
    }
    if depth == 3, let ended = track {
      draft.append(ended)
      track = nil
    }
    if bases[bases.count - 1].depth == depth { bases.removeLast() }
    depth -= 1
  }

  func text(_ bytes: Span<UInt8>) { reading?.text.append(bytes) }

  /// The first of several texts of one element counts, except for locations.
  private func take(_ field: Element, _ text: FeedText, _ line: Int) {
    guard var track else {
      if field == .title { draft.title = draft.title ?? text.plain }
      return
    }
    switch field {
    case .title: track.title = track.title ?? text.plain
    case .creator: track.artist = track.artist ?? text.plain
    case .album: track.album = track.album ?? text.plain
    case .identifier: track.takeIdentifier(text.collapsed)
    case .duration: track.duration = track.duration ?? text.collapsed.flatMap { Duration(listMilliseconds: $0) }
    case .location:
      guard let written = text.collapsed else { return }
      let base = bases[bases.count - 1].url
      track.add(
        .init(reference: ListReference(text: written, syntax: .reference), base: base, line: line))
    }
    self.track = track
  }

  /// Resolved against the surrounding base (XML Base §4.2). An invalid one leaves relative references without a base.
  private func takeBase(_ attributes: [XMLAttribute]) {
    guard let text = attributes.first(where: { $0.name.local == "base" && $0.name.prefix == "xml" })?.value.collapsed
    else { return }
    let reference = ListReference(text: text, syntax: .reference)
    bases.append((depth, reference.declaredBase(from: bases[bases.count - 1].url, draft.roots)))
  }
}

extension XMLName {
  /// True without a namespace, which some programs forget.
  fileprivate var isOfXSPF: Bool { namespace.map { $0.hasPrefix("http://xspf.org/ns/") } ?? (prefix == nil) }
}

extension Duration {
  /// Reads the milliseconds of XSPF and JSPF. Nil for zero, which means that the duration is unknown, and for more than a
  /// year.
  init?(listMilliseconds text: String) {
    guard let number = Int64(text), (1...31_536_000_000).contains(number) else { return nil }
    self = .milliseconds(number)
  }
}
