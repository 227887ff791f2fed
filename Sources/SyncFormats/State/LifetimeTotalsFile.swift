// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The contents of `totals.json` in the state folder, one JSON object on one line. No item depends on it.
package enum LifetimeTotalsFile {
  package static let format = "syncjob-totals"
  package static let version = 1

  package static func encode(_ totals: LifetimeTotals) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", format)
      writer.field("version", version)
      writer.field(TotalsField.downloaded.rawValue, totals.downloaded)
      writer.field(TotalsField.bytesDownloaded.rawValue, totals.bytesDownloaded.bytes)
      writer.field(TotalsField.evicted.rawValue, totals.evicted)
      writer.field(TotalsField.failed.rawValue, totals.failed)
      writer.field(TotalsField.retries.rawValue, totals.retries)
      writer.field(TotalsField.succeededAt.rawValue, totals.succeededAt)
    }
    writer.endLine()
    return writer.bytes
  }

  package static func decode(_ bytes: [UInt8]) throws(QueueFileProblem) -> LifetimeTotals {
    var cursor = QueueCursor(JSONReader(bytes))
    var format: String?
    var totals = LifetimeTotals()
    try cursor.object(TotalsField.keys) { cursor, key throws(QueueFileProblem) in
      if case .known(let field) = key { cursor.field = field.rawValue }
      switch key {
      case .known(.format): format = try cursor.string()
      case .known(.version): guard try cursor.count() == version else { throw .wrongFormat(found: format) }
      case .known(.downloaded): totals.downloaded = try cursor.count()
      case .known(.bytesDownloaded): totals.bytesDownloaded = try cursor.bytes()
      case .known(.evicted): totals.evicted = try cursor.count()
      case .known(.failed): totals.failed = try cursor.count()
      case .known(.retries): totals.retries = try cursor.count()
      case .known(.succeededAt): totals.succeededAt = try cursor.timestamp()
      case .unknown: try cursor.skip()
      }
    }
    try cursor.finish()
    guard format == self.format else { throw .wrongFormat(found: format) }
    return totals
  }
}

private enum TotalsField: String, CaseIterable {
  case format, version, downloaded, evicted, failed, retries
  case bytesDownloaded = "bytes_downloaded"
  case succeededAt = "succeeded_at"
  static let keys = JSONKeys<Self>()
}
