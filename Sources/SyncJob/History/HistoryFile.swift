// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore
import SyncDisk
import SyncFormats

/// The file of one history: its kind and its contents.
struct HistoryFile {
  let source: HistorySource
  /// True if the file may be a pipe, for which the program waits. Only a person can mean that.
  let mayBePipe: Bool

  /// The path that identifies a counter, whatever links lead to it.
  var place: String { Self.resolved(source.path) }

  static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(validatingCString: resolved) ?? path
  }

  /// - Parameter body: Receives the records one by one.
  func read(_ body: (HeardRecord) -> Void) throws(HistoryProblem) -> HistoryRemarks {
    switch source.kind {
    case .scrobblerLog:
      let zone = try source.timezone.map { zone throws(HistoryProblem) in try ZoneDatabase.rules(of: zone) } ?? .utc
      return try ScrobblerLog.read(try pieces(), zone: zone) { body(.listening($0)) }
    case .listens: return HistoryRemarks(passedOver: try ListenLines.read(try pieces()) { body(.listening($0)) })
    case .mpdStickers, .mpdcron:
      try checkDatabase()
      let database = try Self.database(source.path, expected: source.kind)
      return HistoryRemarks(passedOver: try database.read { body(.counter($0)) })
    }
  }

  /// The kind of a file for which none is given.
  static func kind(of path: String) throws(HistoryProblem) -> HistorySource.Kind {
    let content = HistoryProblem.FileContent(head: try head(path))
    switch content {
    case .scrobblerLog: return .scrobblerLog
    case .jsonLines: return .listens
    case .database: return try database(path, expected: nil).kind
    case .nothing, .scrobblerLines, .otherScrobblerLog, .other: throw .unknownKind(content)
    }
  }

  /// The time limit for one database on a slow disk. A view without an end is stopped long before by its steps.
  private static let timeout = Duration.seconds(60)

  /// Reading ends early if the run is being stopped.
  private static func database(_ path: String, expected: HistorySource.Kind?) throws(HistoryProblem) -> PlayerDatabase {
    let stopwatch = Stopwatch()
    return try PlayerDatabase(reading: path, expected: expected) { !Task.isCancelled && stopwatch.elapsed < timeout }
  }

  /// Checks the kind of the file first, because SQLite has messages for a damaged file but few for another kind of
  /// file.
  private func checkDatabase() throws(HistoryProblem) {
    let content = HistoryProblem.FileContent(head: try Self.head(source.path))
    guard case .database = content else { throw .wrongKind(found: content, expected: source.kind) }
  }

  private func pieces() throws(HistoryProblem) -> TextPieces {
    if !mayBePipe { _ = try Self.head(source.path) }
    let pieces: InputPieces
    do throws(FileError) { pieces = try InputFile(source.path).pieces() } catch { throw Self.problem(error) }
    return TextPieces { () throws(HistoryProblem) in
      do throws(FileError) { return try pieces.next() } catch { throw Self.problem(error) }
    }
  }

  /// The first bytes of a plain file.
  private static func head(_ path: String) throws(HistoryProblem) -> [UInt8] {
    var facts = stat()
    guard stat(path, &facts) == 0 else { throw problem(FileError(.open, path, code: ErrnoCode(errno))) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw problem(FileError(.open, path, code: ErrnoCode(errno))) }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: HistoryProblem.FileContent.headLength)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else { throw problem(FileError(.read, path, code: ErrnoCode(errno))) }
    return Array(buffer[..<count])
  }

  private static func problem(_ error: FileError) -> HistoryProblem {
    error.isMissing ? .missing : .unreadable(error)
  }
}

extension [HistorySource] {
  /// A text that changes with any of the files. It includes the part of a database that is not in its file yet.
  var fingerprint: String {
    var text = ""
    for path in flatMap({ [$0.path, "\($0.path)-wal"] }) {
      var facts = stat()
      if stat(path, &facts) == 0 {
        text += "\(facts.st_dev) \(facts.st_ino) \(facts.st_size) \(facts.st_mtim.tv_sec) \(facts.st_mtim.tv_nsec)"
      }
      text += "\n"
    }
    return text
  }
}

/// The time zones of this machine.
package enum ZoneDatabase {
  private static let folder = "/usr/share/zoneinfo"

  /// True if `name` is known, or if there is no database to check it.
  package static func knows(_ name: ZoneName) -> Bool {
    name.fixedOffset != nil || kind(of: folder) != S_IFDIR || kind(of: "\(folder)/\(name.text)") == S_IFREG
  }

  static func rules(of name: ZoneName) throws(HistoryProblem) -> ZoneRules {
    if let offset = name.fixedOffset { return ZoneRules(offset: offset) }
    let bytes: [UInt8]
    // A path in the database is often a link, so it is opened like a path that a person named.
    do throws(FileError) {
      bytes = try InputFile("\(folder)/\(name.text)", limit: ByteCount(Int64(ZoneFile.maximumSize))).read()
    } catch {
      throw .unknownZone(name.text)
    }
    guard let rules = ZoneFile.read(bytes) else { throw .badZone(name.text) }
    return rules
  }

  /// Nil if nothing exists there. Links are followed.
  private static func kind(of path: String) -> mode_t? {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts.st_mode & S_IFMT : nil
  }
}
