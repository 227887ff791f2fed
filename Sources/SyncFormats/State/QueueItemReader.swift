// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension QueueCursor {
  /// Reads the next value as an item.
  /// - Parameter position: The position counted from 1, for the error about an item without an id.
  mutating func queueItem(position: Int) throws(QueueFileProblem) -> QueueItem {
    let outer = owner
    defer { owner = outer }
    owner = .item(id: nil, position: position)
    field = "items"
    var draft = QueueItemDraft()
    try object(QueueItemField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      case .known(let field):
        cursor.field = field.name
        draft.present.insert(field)
        try cursor.read(field, into: &draft)
        if field == .id { cursor.owner = .item(id: draft.id?.text, position: position) }
      case .unknown(let name): draft.unknownFields.append(try cursor.unknown(name))
      }
    }
    return try item(draft)
  }

  private mutating func read(_ field: QueueItemField, into draft: inout QueueItemDraft) throws(QueueFileProblem) {
    switch field {
    case .id: draft.id = try parsed { ItemID($0) }
    case .state: draft.state = try parsed { ItemState.Name(rawValue: $0) }
    case .playlists: draft.memberships = try memberships()
    case .title: draft.title = try string()
    case .artist: draft.artist = try string()
    case .album: draft.album = try string()
    case .duration: draft.duration = try duration()
    case .published: draft.published = try timestamp()
    case .priority: draft.priority = try parsed { Priority(rawValue: $0) }
    case .pin: draft.pin = try bool()
    case .pinned: draft.pinned = try bool()
    case .declaredSize: draft.size = .exact(try bytes())
    case .approximateSize: draft.size = .about(try bytes())
    case .checksum: draft.checksum = try parsed { Checksum($0) }
    case .url: draft.url = try url()
    case .candidates: draft.candidates = try candidates()
    case .matchedBy: draft.matchedBy = try parsed { IdentityRule(rawValue: $0) }
    case .queuedAt: draft.queuedAt = try timestamp()
    case .knownSince: draft.knownSince = try timestamp()
    case .updatedAt: draft.updatedAt = try timestamp()
    case .playCount: draft.plays.count = try count()
    case .lastPlayedAt: draft.plays.lastPlayedAt = try timestamp()
    case .playPosition: draft.playPosition = try duration()
    case .playPositionAt: draft.playPositionAt = try timestamp()
    // A field of the line, not of the item.
    case .crc: _ = try string()
    default: try readState(field, into: &draft)
    }
  }

  /// Reads the fields that depend on the state.
  private mutating func readState(_ field: QueueItemField, into draft: inout QueueItemDraft) throws(QueueFileProblem) {
    switch field {
    case .candidate: draft.candidate = try count()
    case .attempts: draft.attempts = try count()
    case .bytesReceived: draft.received = try bytes()
    case .bytesTotal: draft.total = try bytes()
    case .validator: draft.validator = try validator()
    case .partial: draft.partial = try parsed { !$0.contains("/") && LibraryPath($0) != nil ? $0 : nil }
    case .partialURL: draft.partialURL = try url()
    case .extents: draft.extents = try extents()
    case .publishing: draft.publishing = try storedFile()
    case .error: (draft.error, draft.isTemporary, draft.inputs) = try error()
    case .requested: draft.isRequested = try bool()
    case .deferred: draft.isDeferred = try bool()
    case .nextAttemptAt: draft.nextAttemptAt = try timestamp()
    case .cancelledAt: draft.cancelledAt = try timestamp()
    case .removed: draft.removal = try removal()
    case .upgrade: draft.upgrade = try upgrade()
    case .lost: draft.lostFile = try storedFile()
    default: try readFile(field, into: &draft.file)
    }
  }

  private mutating func readFile(_ field: QueueItemField, into file: inout StoredFileDraft) throws(QueueFileProblem) {
    switch field {
    case .path: file.path = try mediaPath()
    case .movingTo: file.movingTo = try mediaPath()
    case .size: file.size = try bytes()
    case .sha256: file.sha256 = try parsed { SHA256Digest(hex: $0) }
    case .verifiedBy: file.verifiedBy = try parsed { Checksum($0) }
    case .quality: file.quality = try parsed { Quality(rawValue: $0) }
    case .confidence: file.confidence = try parsed { StoredFile.Confidence(rawValue: $0) }
    case .completedAt: file.completedAt = try timestamp()
    default: try skip()
    }
  }

  private mutating func upgrade() throws(QueueFileProblem) -> Upgrade {
    var draft = QueueItemDraft()
    try object(QueueItemField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      // An upgrade inside an upgrade would make the nesting unlimited. Only the item itself has a lost file.
      case .known(.upgrade), .known(.lost), .unknown: try cursor.skip()
      case .known(let field):
        draft.present.insert(field)
        try cursor.read(field, into: &draft)
      }
    }
    return try upgrade(draft)
  }

  /// Reads a path. Only media is moved, replaced and removed, never syncjob's own files, however a file system spells
  /// their folder.
  private mutating func mediaPath() throws(QueueFileProblem) -> LibraryPath {
    let path = try libraryPath()
    guard path.text.utf8.first != UInt8(ascii: ".") || path.components.first?.lowercased() != ".syncjob" else {
      throw bad
    }
    return path
  }

  private mutating func memberships() throws(QueueFileProblem) -> [Membership] {
    var memberships: [Membership] = []
    try array { cursor throws(QueueFileProblem) in
      var name: PlaylistName?
      var position: Int?
      try cursor.object(MembershipField.keys) { cursor, key throws(QueueFileProblem) in
        switch key {
        case .known(.name): name = try cursor.parsed { PlaylistName($0) }
        case .known(.position): position = try cursor.count()
        case .unknown: try cursor.skip()
        }
      }
      guard let name, let position else { throw cursor.bad }
      memberships.append(Membership(playlist: name, position: position))
    }
    return memberships
  }

  private mutating func candidates() throws(QueueFileProblem) -> [Candidate] {
    var candidates: [Candidate] = []
    try array { cursor throws(QueueFileProblem) in
      var url: RemoteURL?
      var title: String?
      var duration: Duration?
      try cursor.object(CandidateField.keys) { cursor, key throws(QueueFileProblem) in
        switch key {
        case .known(.url): url = try cursor.url()
        case .known(.title): title = try cursor.string()
        case .known(.duration): duration = try cursor.duration()
        case .unknown: try cursor.skip()
        }
      }
      guard let url else { throw cursor.bad }
      candidates.append(Candidate(url: url, title: title, duration: duration))
    }
    guard !candidates.isEmpty else { throw bad }
    return candidates
  }

  /// Reads pairs of offsets. The second offset is not included.
  private mutating func extents() throws(QueueFileProblem) -> [Extent] {
    var extents: [Extent] = []
    try array { cursor throws(QueueFileProblem) in
      var bounds: [ByteCount] = []
      try cursor.array { cursor throws(QueueFileProblem) in bounds.append(try cursor.bytes()) }
      guard bounds.count == 2, let extent = Extent(from: bounds[0], to: bounds[1]) else { throw cursor.bad }
      extents.append(extent)
    }
    return extents.merged
  }

  private mutating func validator() throws(QueueFileProblem) -> HTTPValidator {
    var validator: HTTPValidator?
    try object(ValidatorField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      case .known(.etag): validator = HTTPValidator(anyETag: try cursor.string())
      case .known(.lastModified): validator = .lastModified(try cursor.string())
      case .unknown: try cursor.skip()
      }
    }
    guard let validator else { throw bad }
    return validator
  }

  private mutating func error() throws(QueueFileProblem) -> (ErrorRecord, isTemporary: Bool, InputMark?) {
    var kind: FailureKind?
    var status: Int?
    var message = ""
    var at: Timestamp?
    var isTemporary = false
    var inputs: InputMark?
    try object(ErrorField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      case .known(.kind): kind = try cursor.parsed { FailureKind(rawValue: $0) }
      case .known(.status): status = try cursor.count()
      case .known(.message): message = try cursor.string()
      case .known(.at): at = try cursor.timestamp()
      case .known(.temporary): isTemporary = try cursor.bool()
      case .known(.inputs): inputs = try cursor.parsed { InputMark($0) }
      case .unknown: try cursor.skip()
      }
    }
    guard let kind, let at else { throw bad }
    return (ErrorRecord(kind: kind, status: status, message: message, at: at), isTemporary, inputs)
  }

  private mutating func removal() throws(QueueFileProblem) -> Removal {
    var cause: Removal.Cause?
    var at: Timestamp?
    var turn = 1
    try object(RemovalField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      case .known(.cause): cause = try cursor.parsed { Removal.Cause(rawValue: $0) }
      case .known(.at): at = try cursor.timestamp()
      case .known(.turn): turn = max(1, try cursor.count())
      case .unknown: try cursor.skip()
      }
    }
    guard let cause, let at else { throw bad }
    return Removal(cause: cause, at: at, turn: turn)
  }

  mutating func storedFile() throws(QueueFileProblem) -> StoredFile {
    var draft = StoredFileDraft()
    var candidate = 0
    try object(QueueItemField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      case .known(.candidate): candidate = try cursor.count()
      case .known(let field): try cursor.readFile(field, into: &draft)
      case .unknown: try cursor.skip()
      }
    }
    guard case .success(let file) = draft.file(candidate: candidate) else { throw bad }
    return file
  }
}

private enum MembershipField: String, CaseIterable {
  case name, position
  static let keys = JSONKeys<Self>()
}

private enum CandidateField: String, CaseIterable {
  case url, title, duration
  static let keys = JSONKeys<Self>()
}

private enum ValidatorField: String, CaseIterable {
  case etag
  case lastModified = "last_modified"
  static let keys = JSONKeys<Self>()
}

private enum ErrorField: String, CaseIterable {
  case kind, status, message, at, temporary, inputs
  static let keys = JSONKeys<Self>()
}

private enum RemovalField: String, CaseIterable {
  case cause, at, turn
  static let keys = JSONKeys<Self>()
}
