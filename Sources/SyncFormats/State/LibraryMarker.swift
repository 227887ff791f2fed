// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The marker of a library, `library.json`. It shows that the directory is the library, and not the empty mount point
/// of its disk.
package struct LibraryMarker: Hashable, Sendable {
  package static let format = "syncjob-library"
  package static let version = 1

  /// 128 random bits in hexadecimal.
  package let id: String
  package let createdAt: Timestamp
  /// The name of the manifest that the library was marked for; nil in older markers, which do not hold it.
  package var manifest: String?
  /// A value that only the library's keys open. Nil if nothing was sealed yet.
  package var keyCheck: [UInt8]?

  /// Nil unless `id` has 32 lower-case hexadecimal digits.
  package init?(id: String, createdAt: Timestamp) {
    guard id.utf8.count == 32, id.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else { return nil }
    self.id = id
    self.createdAt = createdAt
  }

  /// Makes a unique marker.
  package init(createdAt: Timestamp, using generator: inout some RandomNumberGenerator) {
    var id = ""
    for _ in 0..<2 {
      let digits = String(generator.next(), radix: 16)
      id += String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
    self.id = id
    self.createdAt = createdAt
  }

  /// One line of JSON that ends with a check of itself.
  package func encode() -> [UInt8] { encoded(isSealed: true) }

  /// - Parameter isSealed: False for the form of older versions, which has no check.
  private func encoded(isSealed: Bool) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", Self.format)
      writer.field("version", Self.version)
      writer.field("id", id)
      writer.field("created_at", createdAt)
      writer.field("manifest", manifest)
      writer.field("key_check", keyCheck.map(Base64.encoded))
    }
    if isSealed { writer.sealLine(from: 0) }
    writer.endLine()
    return writer.bytes
  }

  package static func decode(_ bytes: [UInt8]) throws(QueueFileProblem) -> LibraryMarker {
    guard bytes.contains(where: { ![0x00, 0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { throw .blank }
    do throws(QueueFileProblem) { return try marker(of: bytes) } catch {
      guard case .newerVersion = error else { throw error }
      // A damaged digit looks like a later version, but its check is right with the known one in its place.
      guard let mended = VersionField.saying(version, in: bytes), Self.isChecked(mended) else { throw error }
      throw .wrongSeal
    }
  }

  private static func marker(of bytes: [UInt8]) throws(QueueFileProblem) -> LibraryMarker {
    var cursor = QueueCursor(JSONReader(bytes))
    guard try cursor.read({ json throws(JSONError) in try json.peekKind() }) == .object else {
      throw .wrongFormat(found: nil)
    }
    let marker = try cursor.libraryMarker()
    guard isChecked(bytes) || marker.encoded(isSealed: false) == bytes else { throw .wrongSeal }
    return marker
  }

  private static func isChecked(_ bytes: [UInt8]) -> Bool {
    let end = (bytes.lastIndex(of: UInt8(ascii: "}")) ?? -1) + 1
    return end > 0 && LineCheck.isWhole(bytes, 0..<end)
  }
}

private enum MarkerField: String, CaseIterable {
  case format, version, id, manifest
  case createdAt = "created_at"
  case keyCheck = "key_check"
  static let keys = JSONKeys<Self>()
}

extension QueueCursor {
  fileprivate mutating func libraryMarker() throws(QueueFileProblem) -> LibraryMarker {
    var format: String?
    var version: Int?
    var id: String?
    var createdAt: Timestamp?
    var manifest: String?
    var keyCheck: [UInt8]?
    try object(MarkerField.keys) { cursor, key throws(QueueFileProblem) in
      if case .known(let field) = key { cursor.field = field.rawValue }
      switch key {
      case .known(.format):
        format = try cursor.string()
        if format != LibraryMarker.format { throw .wrongFormat(found: format) }
      case .known(.version):
        let found = try cursor.count()
        if found > LibraryMarker.version { throw .newerVersion(found: found, known: LibraryMarker.version) }
        version = found
      case .known(.id): id = try cursor.string()
      case .known(.createdAt): createdAt = try cursor.timestamp()
      case .known(.manifest): manifest = try cursor.string()
      case .known(.keyCheck): keyCheck = Base64.decoded(try cursor.string()[...])
      case .unknown: try cursor.skip()
      }
    }
    try finish()
    guard format != nil else { throw .wrongFormat(found: nil) }
    guard version != nil else { throw missing("version") }
    guard let id else { throw missing("id") }
    guard let createdAt else { throw missing("created_at") }
    guard var marker = LibraryMarker(id: id, createdAt: createdAt) else { throw .badField(.file, field: "id") }
    (marker.manifest, marker.keyCheck) = (manifest, keyCheck)
    return marker
  }
}
