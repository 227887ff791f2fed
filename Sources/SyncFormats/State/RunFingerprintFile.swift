// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The file of a fingerprint: a first line with the facts that it depends on, then a line for each folder, `["Roads"]`,
/// followed by one for each of its finished files, `["Paper Boats.mp3",800045]`.
///
/// It is a cache: an unreadable file counts as missing.
package enum RunFingerprintFile {
  package static let format = "syncjob-fingerprint"
  package static let version = 1

  /// - Parameter files: in the order of their paths.
  package static func encode(_ fingerprint: RunFingerprint, files: [(path: LibraryPath, size: ByteCount)]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(files.count * 48 + 1024)
    var writer = JSONWriter()
    func endLine() {
      writer.endLine()
      bytes += writer.bytes
      writer.removeAll()
    }
    writer.head(fingerprint)
    endLine()
    var folder: Substring?
    for (path, size) in files {
      let (parent, name) = path.split
      if parent != folder {
        folder = parent
        writer.array { $0.value(String(parent)) }
        endLine()
      }
      writer.array { writer in
        writer.value(String(name))
        writer.value(size.bytes)
      }
      endLine()
    }
    return bytes
  }
}

extension JSONWriter {
  fileprivate mutating func head(_ fingerprint: RunFingerprint) {
    object { writer in
      writer.field("format", RunFingerprintFile.format)
      writer.field("version", RunFingerprintFile.version)
      writer.field("inputs", fingerprint.inputs.hex)
      writer.field("histories", fingerprint.histories.hex)
      writer.field("queue", fingerprint.queue.hex)
      writer.field("library_id", fingerprint.libraryID)
      writer.field("made_at", fingerprint.madeAt)
      writer.field("unchanged", fingerprint.unchanged)
      writer.field("used", fingerprint.used.bytes)
      writer.object("playlists") { writer in
        for (name, digest) in fingerprint.playlistFiles.sorted(by: { $0.key < $1.key }) {
          writer.field(name, digest.hex)
        }
      }
    }
  }
}

extension LibraryPath {
  /// The folder, empty for the root, and the name.
  fileprivate var split: (Substring, Substring) {
    let name = name
    return (name.startIndex == text.startIndex ? "" : text[..<text.utf8.index(before: name.startIndex)], name)
  }
}

/// Reads the file line by line, so that checking each file needs no list of them.
package struct RunFingerprintReader {
  package enum Line: Equatable, Sendable {
    /// Nil for the library's root.
    case folder(LibraryPath?)
    case file(LibraryPath, ByteCount)
  }

  package let fingerprint: RunFingerprint
  private let bytes: [UInt8]
  private let end: Int
  private var offset: Int

  /// - Parameter range: the part of `bytes` that is the file.
  package init(_ bytes: [UInt8], in range: Range<Int>) throws(QueueFileProblem) {
    self.bytes = bytes
    end = range.upperBound
    let line = Self.lineEnd(bytes, range.lowerBound, end)
    var cursor = QueueCursor(JSONReader(bytes, in: range.lowerBound..<line))
    fingerprint = try cursor.fingerprint()
    offset = min(line + 1, end)
  }

  /// Nil at the end.
  package mutating func next() throws(QueueFileProblem) -> Line? {
    guard offset < end else { return nil }
    let line = Self.lineEnd(bytes, offset, end)
    var cursor = QueueCursor(JSONReader(bytes, in: offset..<line))
    offset = line + 1
    return try cursor.settlementLine()
  }

  private static func lineEnd(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int {
    var position = start
    while position < end, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    return position
  }
}

private enum RunFingerprintField: String, CaseIterable {
  case format, version, inputs, histories, queue, unchanged, used, playlists
  case libraryID = "library_id"
  case madeAt = "made_at"
  static let keys = JSONKeys<Self>()
}

extension QueueCursor {
  fileprivate mutating func fingerprint() throws(QueueFileProblem) -> RunFingerprint {
    var (inputs, histories, queue): (SHA256Digest?, SHA256Digest?, SHA256Digest?)
    var format: String?
    var version: Int?
    var libraryID: String?
    var madeAt: Timestamp?
    var (unchanged, used): (Int?, ByteCount?)
    var playlists: [String: SHA256Digest] = [:]
    try object(RunFingerprintField.keys) { cursor, key throws(QueueFileProblem) in
      if case .known(let field) = key { cursor.field = field.rawValue }
      switch key {
      case .known(.format): format = try cursor.string()
      case .known(.version): version = try cursor.count()
      case .known(.libraryID): libraryID = try cursor.string()
      case .known(.madeAt): madeAt = try cursor.timestamp()
      case .known(.unchanged): unchanged = try cursor.count()
      case .known(.used): used = try cursor.bytes()
      case .known(.playlists):
        try cursor.read { json throws(JSONError) in try json.beginObject() }
        while let name = try cursor.read({ json throws(JSONError) in try json.nextKey() }) {
          playlists[name] = try cursor.parsed { SHA256Digest(hex: $0) }
        }
      case .known(.inputs): inputs = try cursor.parsed { SHA256Digest(hex: $0) }
      case .known(.histories): histories = try cursor.parsed { SHA256Digest(hex: $0) }
      case .known(.queue): queue = try cursor.parsed { SHA256Digest(hex: $0) }
      case .unknown: try cursor.skip()
      }
    }
    try finish()
    guard format == RunFingerprintFile.format, version == RunFingerprintFile.version else {
      throw .wrongFormat(found: format)
    }
    guard let inputs, let histories, let queue, let libraryID, let madeAt, let unchanged, let used else {
      throw missing("inputs")
    }
    return RunFingerprint(
      inputs: inputs, histories: histories, queue: queue, libraryID: libraryID, madeAt: madeAt,
      unchanged: unchanged, used: used, playlistFiles: playlists)
  }

  fileprivate mutating func settlementLine() throws(QueueFileProblem) -> RunFingerprintReader.Line {
    try read { json throws(JSONError) in try json.beginArray() }
    guard try read({ json throws(JSONError) in try json.nextElement() }) else { throw bad }
    let text = try string()
    guard try read({ json throws(JSONError) in try json.nextElement() }) else {
      try finish()
      if text.isEmpty { return .folder(nil) }
      guard let folder = LibraryPath(text) else { throw bad }
      return .folder(folder)
    }
    let size = try bytes()
    guard try !read({ json throws(JSONError) in try json.nextElement() }), let name = LibraryPath(text) else {
      throw bad
    }
    try finish()
    return .file(name, size)
  }
}
