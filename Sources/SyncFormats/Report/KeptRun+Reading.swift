// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension KeptRun {
  /// Reads the output of `RunReport.json`, of this version or an earlier one.
  package static func decode(_ bytes: [UInt8]) throws(QueueFileProblem) -> KeptRun {
    var cursor = try QueueCursor(document: bytes)
    return try cursor.keptRun()
  }
}

private enum RunField: String, CaseIterable {
  case format, version, name, seconds, outcome, totals, storage, sources, playlists, items, warnings
  case runID = "run_id"
  case startedAt = "started_at"
  case finishedAt = "finished_at"
  case status = "exit_status"
  static let keys = JSONKeys<Self>()
}

private enum TotalField: String, CaseIterable {
  case planned, downloaded, resumed, upgraded, adopted, unchanged, moved, removed, evicted, failed, deferred, recovered
  case pushed
  case cleaned, retries
  case alternativesUsed = "alternatives_used"
  case bytesDownloaded = "bytes_downloaded"
  case bytesResumed = "bytes_resumed"
  case bytesFreed = "bytes_freed"
  static let keys = JSONKeys<Self>()
}

private enum StorageField: String, CaseIterable {
  case budget, used, partial, trash, free
  case trashFiles = "trash_files"
  static let keys = JSONKeys<Self>()
}

private enum SourceField: String, CaseIterable {
  case playlist, location, message, items
  static let keys = JSONKeys<Self>()
}

private enum LineField: String, CaseIterable {
  case id, title, playlist, action, outcome, path, bytes, seconds, attempts, retries, host, error
  case reason = "reason_text"
  case resumed = "bytes_resumed"
  static let keys = JSONKeys<Self>()
}

private enum ErrorField: String, CaseIterable {
  case kind, status, message, temporary, at
  static let keys = JSONKeys<Self>()
}

private enum ListResultField: String, CaseIterable {
  case playlist, pulled, pushed, merged, conflicts
  static let keys = JSONKeys<Self>()

  var direction: KeptRun.ListLine.Direction? { KeptRun.ListLine.Direction(rawValue: rawValue) }
}

private enum ListLineField: String, CaseIterable {
  case title = "song_title"
  case reason = "reason_text"
  static let keys = JSONKeys<Self>()
}

private struct KeptRunDraft {
  var format: String?
  var version: Int?
  var (runID, name): (String?, String?)
  var (startedAt, finishedAt): (Timestamp?, Timestamp?)
  var outcome: RunOutcome?
  var (seconds, status) = (0.0, 0)
  var totals = RunReport.Totals()
  var storage: StorageSummary?
  var sources: [KeptRun.Source] = []
  var lines: [KeptRun.Line] = []
  var lists: [KeptRun.ListLine] = []
  var warnings: [String] = []
}

extension QueueCursor {
  fileprivate mutating func keptRun() throws(QueueFileProblem) -> KeptRun {
    var draft = KeptRunDraft()
    try object(RunField.keys) { cursor, key throws(QueueFileProblem) in
      cursor.owner = .file
      guard case .known(let field) = key else { return try cursor.skip() }
      cursor.field = field.rawValue
      try cursor.read(field, into: &draft)
    }
    try finish()
    guard draft.format != nil else { throw .wrongFormat(found: nil) }
    guard draft.version != nil else { throw missing(RunField.version.rawValue) }
    guard let runID = draft.runID else { throw missing(RunField.runID.rawValue) }
    guard let startedAt = draft.startedAt else { throw missing(RunField.startedAt.rawValue) }
    guard let outcome = draft.outcome else { throw missing(RunField.outcome.rawValue) }
    var run = KeptRun(
      runID: runID, name: draft.name ?? "", startedAt: startedAt, finishedAt: draft.finishedAt ?? startedAt,
      outcome: outcome, status: draft.status)
    (run.seconds, run.totals, run.storage) = (draft.seconds, draft.totals, draft.storage)
    (run.sources, run.lines, run.warnings) = (draft.sources, draft.lines, draft.warnings)
    run.lists = draft.lists
    return run
  }

  private mutating func read(_ field: RunField, into draft: inout KeptRunDraft) throws(QueueFileProblem) {
    switch field {
    case .format:
      draft.format = try string()
      if draft.format != RunReport.format { throw .wrongFormat(found: draft.format) }
    case .version: draft.version = try version(upTo: RunReport.version)
    case .runID: draft.runID = try string()
    case .name: draft.name = try string()
    case .startedAt: draft.startedAt = try timestamp()
    case .finishedAt: draft.finishedAt = try timestamp()
    case .seconds: draft.seconds = try seconds()
    case .outcome: draft.outcome = try parsed { RunOutcome(rawValue: $0) }
    case .status: draft.status = try count()
    case .totals: draft.totals = try totals()
    case .storage: draft.storage = try storage()
    case .sources:
      try array { cursor throws(QueueFileProblem) in draft.sources.append(try cursor.source()) }
    case .playlists:
      try array { cursor throws(QueueFileProblem) in draft.lists += try cursor.listLines() }
    case .items:
      try array { cursor throws(QueueFileProblem) in
        cursor.owner = .item(id: nil, position: draft.lines.count + 1)
        draft.lines.append(try cursor.line())
      }
    case .warnings:
      try array { cursor throws(QueueFileProblem) in draft.warnings.append(try cursor.string()) }
    }
  }

  private mutating func seconds() throws(QueueFileProblem) -> Double { try duration().inSeconds }

  private mutating func totals() throws(QueueFileProblem) -> RunReport.Totals {
    var totals = RunReport.Totals()
    try object(TotalField.keys) { cursor, key throws(QueueFileProblem) in
      guard case .known(let field) = key else { return try cursor.skip() }
      cursor.field = field.rawValue
      switch field {
      case .planned: totals.planned = try cursor.count()
      case .downloaded: totals.downloaded = try cursor.count()
      case .resumed: totals.resumed = try cursor.count()
      case .upgraded: totals.upgraded = try cursor.count()
      case .adopted: totals.adopted = try cursor.count()
      case .unchanged: totals.unchanged = try cursor.count()
      case .moved: totals.moved = try cursor.count()
      case .removed: totals.removed = try cursor.count()
      case .evicted: totals.evicted = try cursor.count()
      case .pushed: totals.pushed = try cursor.count()
      case .failed: totals.failed = try cursor.count()
      case .deferred: totals.deferred = try cursor.count()
      case .recovered: totals.recovered = try cursor.count()
      case .cleaned: totals.cleaned = try cursor.count()
      case .retries: totals.retries = try cursor.count()
      case .alternativesUsed: totals.alternativesUsed = try cursor.count()
      case .bytesDownloaded: totals.bytesDownloaded = try cursor.bytes()
      case .bytesResumed: totals.bytesResumed = try cursor.bytes()
      case .bytesFreed: totals.bytesFreed = try cursor.bytes()
      }
    }
    return totals
  }

  private mutating func storage() throws(QueueFileProblem) -> StorageSummary? {
    if try read({ json throws(JSONError) in try json.readNullIfPresent() }) { return nil }
    var storage = StorageSummary(budget: nil, used: .zero, partial: .zero, trash: .zero, free: .zero)
    try object(StorageField.keys) { cursor, key throws(QueueFileProblem) in
      guard case .known(let field) = key else { return try cursor.skip() }
      cursor.field = field.rawValue
      switch field {
      case .budget: storage.budget = try cursor.bytes()
      case .used: storage.used = try cursor.bytes()
      case .partial: storage.partial = try cursor.bytes()
      case .trash: storage.trash = try cursor.bytes()
      case .trashFiles: storage.trashFiles = try cursor.count()
      case .free: storage.free = try cursor.bytes()
      }
    }
    return storage
  }

  private mutating func source() throws(QueueFileProblem) -> KeptRun.Source {
    var source = KeptRun.Source(playlist: "", location: "")
    try object(SourceField.keys) { cursor, key throws(QueueFileProblem) in
      guard case .known(let field) = key else { return try cursor.skip() }
      cursor.field = field.rawValue
      switch field {
      case .playlist: source.playlist = try cursor.string()
      case .location: source.location = try cursor.string()
      case .message: source.problem = try cursor.string()
      case .items: source.items = try cursor.count()
      }
    }
    return source
  }

  private mutating func listLines() throws(QueueFileProblem) -> [KeptRun.ListLine] {
    var playlist = ""
    var lines: [KeptRun.ListLine] = []
    try object(ListResultField.keys) { cursor, key throws(QueueFileProblem) in
      guard case .known(let field) = key else { return try cursor.skip() }
      cursor.field = field.rawValue
      guard let direction = field.direction else {
        playlist = try cursor.string()
        return
      }
      try cursor.array { cursor throws(QueueFileProblem) in
        var line = KeptRun.ListLine(playlist: playlist, direction: direction)
        try cursor.object(ListLineField.keys) { cursor, key throws(QueueFileProblem) in
          switch key {
          case .known(.title): line.title = try cursor.string()
          case .known(.reason): line.reason = try cursor.string()
          case .unknown: try cursor.skip()
          }
        }
        lines.append(line)
      }
    }
    return lines
  }

  private mutating func line() throws(QueueFileProblem) -> KeptRun.Line {
    var line = KeptRun.Line()
    var known: Set<LineField> = []
    try object(LineField.keys) { cursor, key throws(QueueFileProblem) in
      guard case .known(let field) = key else { return try cursor.skip() }
      cursor.field = field.rawValue
      switch field {
      case .id: line.id = try cursor.string()
      case .action: line.action = try cursor.parsed { Step.Action(rawValue: $0) }
      case .outcome: line.outcome = try cursor.parsed { KeptRun.Outcome(rawValue: $0) }
      case .title: line.title = try cursor.string()
      case .playlist: line.playlist = try cursor.string()
      case .reason: line.reason = try cursor.string()
      case .path: line.path = try cursor.string()
      case .bytes: line.bytes = try cursor.bytes()
      case .resumed: line.resumed = try cursor.bytes()
      case .seconds: line.seconds = try cursor.seconds()
      case .attempts: line.attempts = try cursor.count()
      case .retries: line.retries = try cursor.count()
      case .host: line.host = try cursor.string()
      case .error: (line.error, line.isTemporary) = try cursor.error()
      }
      known.insert(field)
    }
    for field in [LineField.id, .action, .outcome] where !known.contains(field) { throw missing(field.rawValue) }
    return line
  }

  private mutating func error() throws(QueueFileProblem) -> (ErrorRecord, isTemporary: Bool) {
    var kind: FailureKind?
    var (status, message, isTemporary) = (Int?.none, "", false)
    var time: Timestamp?
    try object(ErrorField.keys) { cursor, key throws(QueueFileProblem) in
      guard case .known(let field) = key else { return try cursor.skip() }
      cursor.field = "error.\(field.rawValue)"
      switch field {
      case .kind: kind = try cursor.parsed { FailureKind(rawValue: $0) }
      case .status: status = try cursor.count()
      case .message: message = try cursor.string()
      case .temporary: isTemporary = try cursor.bool()
      case .at: time = try cursor.timestamp()
      }
    }
    guard let kind else { throw missing("error.kind") }
    guard let time else { throw missing("error.at") }
    return (ErrorRecord(kind: kind, status: status, message: message, at: time), isTemporary)
  }
}
