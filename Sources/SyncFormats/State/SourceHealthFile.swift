// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The file with the health of the sources, one JSON object on one line. No item depends on it: an unreadable value
/// counts as missing, and only the times shown are lost.
package enum SourceHealthFile {
  package static let format = "syncjob-sources"
  package static let version = 1

  package static func encode(_ healths: [PlaylistName: SourceHealth]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", format)
      writer.field("version", version)
      writer.object("sources") { writer in
        for (name, health) in healths.sorted(by: { $0.key < $1.key }) {
          writer.object(name.text) { writer in writer.members(of: health) }
        }
      }
    }
    writer.endLine()
    return writer.bytes
  }

  package static func decode(_ bytes: [UInt8]) throws(QueueFileProblem) -> [PlaylistName: SourceHealth] {
    var cursor = QueueCursor(JSONReader(bytes))
    return try cursor.sourceHealths()
  }
}

private enum FileField: String, CaseIterable {
  case format, version, sources
  static let keys = JSONKeys<Self>()
}

private enum OutlineField: String, CaseIterable {
  case url, title, folder, position, feedTitle = "feed_title"
  static let keys = JSONKeys<Self>()
}

private enum HealthField: String, CaseIterable {
  case contents, permanent, message, outline
  case succeededAt = "succeeded_at"
  case changedAt = "changed_at"
  case failingSince = "failing_since"
  case unusableSince = "unusable_since"
  case goneFor = "gone_for"
  case movedFrom = "moved_from"
  case movedTo = "moved_to"
  static let keys = JSONKeys<Self>()
}

extension JSONWriter {
  fileprivate mutating func members(of health: SourceHealth) {
    field(HealthField.succeededAt.rawValue, health.succeededAt)
    field(HealthField.changedAt.rawValue, health.changedAt)
    field(HealthField.contents.rawValue, health.contents?.hex)
    field(HealthField.movedFrom.rawValue, health.move?.from.text)
    field(HealthField.movedTo.rawValue, health.move?.to.text)
    if let outline = health.outline {
      object(HealthField.outline.rawValue) { writer in
        writer.field(OutlineField.url.rawValue, outline.url.text)
        writer.field(OutlineField.title.rawValue, outline.title)
        writer.field(OutlineField.folder.rawValue, outline.folder)
        writer.field(OutlineField.position.rawValue, outline.position)
        writer.field(OutlineField.feedTitle.rawValue, outline.feedTitle)
      }
    }
    guard let failure = health.failure else { return }
    field(HealthField.failingSince.rawValue, failure.since)
    field(HealthField.unusableSince.rawValue, failure.unusableSince)
    flag(HealthField.permanent.rawValue, failure.isPermanent)
    field(HealthField.message.rawValue, failure.message)
    field(HealthField.goneFor.rawValue, failure.goneFor?.hex)
  }

  /// Writes the times that reports and the status show.
  mutating func times(of health: SourceHealth) {
    field("last_success_at", health.succeededAt)
    field("last_change_at", health.changedAt)
    field("failing_since", health.failure?.since)
    field("moved_to", health.move?.to.redacted)
  }
}

extension QueueCursor {
  fileprivate mutating func sourceHealths() throws(QueueFileProblem) -> [PlaylistName: SourceHealth] {
    var format: String?
    var healths: [PlaylistName: SourceHealth] = [:]
    try object(FileField.keys) { cursor, key throws(QueueFileProblem) in
      if case .known(let field) = key { cursor.field = field.rawValue }
      switch key {
      case .known(.format): format = try cursor.string()
      case .known(.version):
        guard try cursor.count() == SourceHealthFile.version else { throw .wrongFormat(found: format) }
      case .known(.sources):
        try cursor.read { json throws(JSONError) in try json.beginObject() }
        while let name = try cursor.read({ json throws(JSONError) in try json.nextKey() }) {
          let health = try cursor.sourceHealth()
          if let name = PlaylistName(name) { healths[name] = health }
        }
      case .unknown: try cursor.skip()
      }
    }
    try finish()
    guard format == SourceHealthFile.format else { throw .wrongFormat(found: format) }
    return healths
  }

  /// Nil if the URL is missing or cannot be read.
  private mutating func outline() throws(QueueFileProblem) -> Outline? {
    var url: RemoteURL?
    var (title, folder, feedTitle): (String?, String?, String?)
    var position = 0
    try object(OutlineField.keys) { cursor, key throws(QueueFileProblem) in
      if case .known(let field) = key { cursor.field = field.rawValue }
      switch key {
      case .known(.url):
        let text = try cursor.string()
        do throws(RemoteURL.Problem) { url = try RemoteURL(text) } catch { url = nil }
      case .known(.title): title = try cursor.string()
      case .known(.folder): folder = try cursor.string()
      case .known(.feedTitle): feedTitle = try cursor.string()
      case .known(.position): position = try cursor.count()
      case .unknown: try cursor.skip()
      }
    }
    return url.map { url in
      var outline = Outline(url: url, title: title, folder: folder, position: position)
      outline.feedTitle = feedTitle
      return outline
    }
  }

  private mutating func sourceHealth() throws(QueueFileProblem) -> SourceHealth {
    var health = SourceHealth()
    var (since, unusableSince): (Timestamp?, Timestamp?)
    var (message, isPermanent) = ("", false)
    var goneFor: SHA256Digest?
    var (movedFrom, movedTo): (RemoteURL?, RemoteURL?)
    try object(HealthField.keys) { cursor, key throws(QueueFileProblem) in
      if case .known(let field) = key { cursor.field = field.rawValue }
      switch key {
      case .known(.succeededAt): health.succeededAt = try cursor.timestamp()
      case .known(.changedAt): health.changedAt = try cursor.timestamp()
      case .known(.contents): health.contents = try cursor.parsed { SHA256Digest(hex: $0) }
      case .known(.movedFrom): movedFrom = try cursor.url()
      case .known(.movedTo): movedTo = try cursor.url()
      case .known(.failingSince): since = try cursor.timestamp()
      case .known(.unusableSince): unusableSince = try cursor.timestamp()
      case .known(.permanent): isPermanent = try cursor.bool()
      case .known(.message): message = try cursor.string()
      case .known(.goneFor): goneFor = try cursor.parsed { SHA256Digest(hex: $0) }
      case .known(.outline): health.outline = try cursor.outline()
      case .unknown: try cursor.skip()
      }
    }
    if let movedFrom, let movedTo { health.move = SourceMove(from: movedFrom, to: movedTo) }
    health.failure = since.map {
      SourceFailure(
        since: $0, unusableSince: unusableSince, isPermanent: isPermanent, message: message, goneFor: goneFor)
    }
    return health
  }
}
