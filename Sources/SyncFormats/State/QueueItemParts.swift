// SPDX-License-Identifier: Apache-2.0
import SyncCore

// The objects and lists inside an item that have fields of their own. Each reader is beside its writer.

// MARK: - Playlists and candidates

private enum MembershipField: String, CaseIterable {
  case name, position
  static let keys = JSONKeys<Self>()
}

private enum CandidateField: String, CaseIterable {
  case url, title, duration
  static let keys = JSONKeys<Self>()
}

extension QueueCursor {
  mutating func memberships() throws(QueueFileProblem) -> [Membership] {
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

  mutating func recordings() throws(QueueFileProblem) -> [RecordingCode] {
    var codes: [RecordingCode] = []
    try array { cursor throws(QueueFileProblem) in codes.append(try cursor.parsed { RecordingCode($0) }) }
    return codes
  }

  mutating func choice() throws(QueueFileProblem) -> ItemChoice {
    var choice = ItemChoice()
    try object(ChoiceField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      case .known(.priority): choice.priority = try cursor.parsed { Priority(rawValue: $0) }
      case .known(.candidate): choice.candidate = try cursor.chosenCandidate()
      case .unknown: try cursor.skip()
      }
    }
    return choice
  }

  /// The item's own URL is chosen by a word, so that the choice outlives a change of that URL.
  private mutating func chosenCandidate() throws(QueueFileProblem) -> ChosenCandidate {
    let text = try string()
    if text == ChosenCandidate.mainWord { return .main }
    do { return .alternative(try RemoteURL(text)) } catch { throw bad }
  }

  mutating func candidates() throws(QueueFileProblem) -> [Candidate] {
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
}

extension JSONWriter {
  mutating func memberships(_ name: String, _ memberships: [Membership]) {
    guard !memberships.isEmpty else { return }
    array(name) { writer in
      for membership in memberships {
        writer.object { writer in
          writer.field(MembershipField.name.rawValue, membership.playlist.text)
          writer.field(MembershipField.position.rawValue, membership.position)
        }
      }
    }
  }

  mutating func recordings(_ name: String, _ codes: [RecordingCode]) {
    guard !codes.isEmpty else { return }
    array(name) { writer in for code in codes { writer.value(code.text) } }
  }

  mutating func choice(_ name: String, _ choice: ItemChoice?) {
    guard let choice else { return }
    object(name) { writer in
      writer.field(ChoiceField.priority.rawValue, choice.priority?.rawValue)
      switch choice.candidate {
      case .main?: writer.field(ChoiceField.candidate.rawValue, ChosenCandidate.mainWord)
      case .alternative(let url)?: writer.field(ChoiceField.candidate.rawValue, url.text)
      case nil: break
      }
    }
  }

  mutating func candidates(_ name: String, _ candidates: [Candidate]) {
    guard !candidates.isEmpty else { return }
    array(name) { writer in
      for candidate in candidates {
        writer.object { writer in
          writer.field(CandidateField.url.rawValue, candidate.url.text)
          writer.field(CandidateField.title.rawValue, candidate.title)
          writer.field(CandidateField.duration.rawValue, candidate.duration)
        }
      }
    }
  }
}

// MARK: - Partials

private enum ValidatorField: String, CaseIterable {
  case etag
  case lastModified = "last_modified"
  static let keys = JSONKeys<Self>()
}

extension QueueCursor {
  /// Reads pairs of offsets. The second offset is not included.
  mutating func extents() throws(QueueFileProblem) -> [Extent] {
    var extents: [Extent] = []
    try array { cursor throws(QueueFileProblem) in
      var bounds: [ByteCount] = []
      try cursor.array { cursor throws(QueueFileProblem) in bounds.append(try cursor.bytes()) }
      guard bounds.count == 2, let extent = Extent(from: bounds[0], to: bounds[1]) else { throw cursor.bad }
      extents.append(extent)
    }
    return extents.merged
  }

  mutating func validator() throws(QueueFileProblem) -> HTTPValidator {
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
}

extension JSONWriter {
  mutating func extents(_ name: String, _ extents: [Extent]?) {
    guard let extents else { return }
    array(name) { writer in
      for extent in extents {
        writer.array { writer in
          writer.value(extent.from.bytes)
          writer.value(extent.to.bytes)
        }
      }
    }
  }

  mutating func validator(_ name: String, _ validator: HTTPValidator?) {
    guard let validator else { return }
    object(name) { writer in
      switch validator {
      case .strongETag(let value), .weakETag(let value): writer.field(ValidatorField.etag.rawValue, value)
      case .lastModified(let value): writer.field(ValidatorField.lastModified.rawValue, value)
      }
    }
  }
}

// MARK: - Failures and tombstones

private enum ErrorField: String, CaseIterable {
  case kind, status, message, at, temporary, inputs
  static let keys = JSONKeys<Self>()
}

private enum RemovalField: String, CaseIterable {
  case cause, at, turn
  static let keys = JSONKeys<Self>()
}

private enum SealedField: String, CaseIterable {
  case sha256, size, key
  static let keys = JSONKeys<Self>()
}

extension QueueCursor {
  mutating func sealed() throws(QueueFileProblem) -> SealedContent {
    var (sha256, size, key): (SHA256Digest?, ByteCount?, KeyID?)
    try object(SealedField.keys) { cursor, name throws(QueueFileProblem) in
      switch name {
      case .known(.sha256): sha256 = try cursor.parsed { SHA256Digest(hex: $0) }
      case .known(.size): size = try cursor.bytes()
      case .known(.key): key = UInt32(exactly: try cursor.count()).map { KeyID($0) }
      case .unknown: try cursor.skip()
      }
    }
    guard let sha256, let size, let key else { throw bad }
    return SealedContent(sha256: sha256, size: size, key: key)
  }

  mutating func failure() throws(QueueFileProblem) -> FailureFields {
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
    let error = ErrorRecord(kind: kind, status: status, message: message, at: at)
    return FailureFields(error: error, isTemporary: isTemporary, inputs: inputs)
  }

  mutating func removal() throws(QueueFileProblem) -> Removal {
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
}

extension JSONWriter {
  mutating func sealed(_ name: String, _ sealed: SealedContent?) {
    guard let sealed else { return }
    object(name) { writer in
      writer.field(SealedField.sha256.rawValue, sealed.sha256.hex)
      writer.field(SealedField.size.rawValue, sealed.size.bytes)
      writer.field(SealedField.key.rawValue, sealed.key.number)
    }
  }

  mutating func failure(_ name: String, _ failure: FailureFields?) {
    guard let failure else { return }
    object(name) { writer in
      writer.field(ErrorField.kind.rawValue, failure.error.kind.rawValue)
      writer.field(ErrorField.status.rawValue, failure.error.status)
      writer.field(ErrorField.message.rawValue, failure.error.message)
      writer.field(ErrorField.at.rawValue, failure.error.at)
      writer.flag(ErrorField.temporary.rawValue, failure.isTemporary)
      writer.field(ErrorField.inputs.rawValue, failure.inputs?.text)
    }
  }

  mutating func removal(_ name: String, _ removal: Removal?) {
    guard let removal else { return }
    object(name) { writer in
      writer.field(RemovalField.cause.rawValue, removal.cause.rawValue)
      writer.field(RemovalField.at.rawValue, removal.at)
      writer.field(RemovalField.turn.rawValue, removal.turn == 1 ? nil : removal.turn)
    }
  }
}

private enum ChoiceField: String, CaseIterable {
  case priority, candidate
  static let keys = JSONKeys<Self>()
}

extension ChosenCandidate {
  fileprivate static let mainWord = "main"
}

// MARK: - Licences

private enum LicenseField: String, CaseIterable {
  case issuedAt = "issued_at"
  case expiresAt = "expires_at"
  case maxOfflineDevices = "max_offline_devices"
  case allowsExport = "allows_export"
  case qualityLimit = "quality_limit"
  case hasContentKey = "has_content_key"
  case refused
  case lockedFrom = "locked_from"
  static let keys = JSONKeys<Self>()
}

extension QueueCursor {
  mutating func license() throws(QueueFileProblem) -> LicenseRecord {
    var (issuedAt, expiresAt): (Timestamp?, Timestamp?)
    var restrictions = License.Restrictions()
    var record = LicenseRecord()
    var hasContentKey = false
    try object(LicenseField.keys) { cursor, key throws(QueueFileProblem) in
      switch key {
      case .known(.issuedAt): issuedAt = try cursor.timestamp()
      case .known(.expiresAt): expiresAt = try cursor.timestamp()
      case .known(.maxOfflineDevices): restrictions.maxOfflineDevices = try cursor.count()
      case .known(.allowsExport): restrictions.allowsExport = try cursor.bool()
      case .known(.qualityLimit): restrictions.qualityLimit = try cursor.parsed { Quality(rawValue: $0) }
      case .known(.hasContentKey): hasContentKey = try cursor.bool()
      case .known(.lockedFrom):
        let path = try cursor.mediaPath()
        guard !path.isLocked else { throw cursor.bad }
        record.lockedFrom = path
      case .known(.refused): record.refusal = try cursor.parsed { LicenseRefusal(rawValue: $0) }
      case .unknown: try cursor.skip()
      }
    }
    guard (issuedAt == nil) == (expiresAt == nil) else { throw bad }
    if let issuedAt, let expiresAt {
      record.license = License(issuedAt: issuedAt, expiresAt: expiresAt, restrictions: restrictions)
      record.license?.hasContentKey = hasContentKey
    }
    return record
  }
}

extension JSONWriter {
  /// An item that needs a licence has the object, even if it is empty.
  mutating func license(_ name: String, _ record: LicenseRecord?) {
    guard let record else { return }
    object(name) { writer in
      if let license = record.license {
        writer.field(LicenseField.issuedAt.rawValue, license.issuedAt)
        writer.field(LicenseField.expiresAt.rawValue, license.expiresAt)
        writer.field(LicenseField.maxOfflineDevices.rawValue, license.restrictions.maxOfflineDevices)
        if !license.restrictions.allowsExport { writer.field(LicenseField.allowsExport.rawValue, false) }
        writer.flag(LicenseField.hasContentKey.rawValue, license.hasContentKey)
        writer.field(LicenseField.qualityLimit.rawValue, license.restrictions.qualityLimit?.rawValue)
      }
      writer.field(LicenseField.refused.rawValue, record.refusal?.rawValue)
      writer.field(LicenseField.lockedFrom.rawValue, record.lockedFrom?.text)
    }
  }
}
