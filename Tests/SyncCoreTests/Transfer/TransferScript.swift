// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

/// Drives a machine through events and keeps the resulting actions.
struct TransferScript {
  static let now = Timestamp(secondsSince1970: 1_800_000_000)
  static let main = "https://a.example/x.mp3"
  static let second = "https://b.example/x.mp3"
  static let third = "https://c.example/x.mp3"

  var machine: TransferMachine
  /// The facts that the machine gets with each event, with a jitter of half its range.
  var context = TransferContext(now: now, chance: 0.5)

  init(
    urls: [String] = [main], size: DeclaredSize? = nil, checksum: Checksum? = nil, partial: PartialDownload? = nil,
    retries: Int = 3, segments: Int = 1, maximum: Int64 = 1_000_000, features: Features = .init(),
    needsResolving: Bool = false, preparations: [Preparation] = [], durations: CheckPolicy.OfDuration = .off,
    duration: Duration? = nil, ofFirstCandidate: Duration? = nil
  ) throws {
    let ranked = try urls.enumerated().map { index, url in
      var ranked = RankedCandidate(candidate: try candidate(url), confidence: index > 1 ? .low : .normal)
      ranked.needsResolving = needsResolving
      if index == 0 { ranked.candidate.duration = ofFirstCandidate }
      return ranked
    }
    var downloads = DownloadPolicy()
    downloads.retries = retries
    downloads.segments = segments
    downloads.maxItemSize = ByteCount(maximum)
    var task = TransferTask(
      id: try id("x"), candidates: ranked, declaredSize: size, checksum: checksum, partial: partial)
    task.preparations = preparations
    task.duration = duration
    var rules = TransferRules(downloads, features)
    rules.durations = durations
    machine = TransferMachine(task, rules: rules) { "of \($0.host)" }
  }

  mutating func on(_ event: TransferEvent) -> [TransferAction] { machine.handle(event, context) }

  /// Handles several events and returns the actions of the last one.
  mutating func on(_ events: [TransferEvent]) -> [TransferAction] {
    events.reduce([]) { _, event in on(event) }
  }

  static func head(_ status: Int, _ change: (inout ResponseFacts) -> Void = { _ in }) -> TransferEvent {
    var facts = ResponseFacts(status: status)
    change(&facts)
    return .headReceived(facts)
  }

  /// A success of 1000 bytes with the strong tag "x".
  static let good = head(200) {
    $0.contentLengths = ["1000"]
    $0.etag = "\"x\""
  }

  static func checked() throws -> CheckedFile {
    CheckedFile(size: ByteCount(1000), sha256: try digest(), fileExtension: "mp3")
  }

  static func file() throws -> StoredFile { try storedFile("Mix/x.mp3", completedAt: now) }

  static func partial(
    _ received: Int64, of total: Int64? = 1000, url: String = main, name: String = "of a.example",
    etag: String? = "\"x\""
  ) throws -> PartialDownload {
    PartialDownload(
      name: name, received: ByteCount(received), total: total.map(ByteCount.init),
      validator: etag.flatMap { HTTPValidator(etag: $0) }, url: try RemoteURL(url))
  }

  static func range(_ offset: Int64, of total: Int64? = 1000) -> RangeRequest {
    RangeRequest(
      offset: ByteCount(offset), total: total.map(ByteCount.init), condition: .strongETag("\"x\""),
      comparing: ByteCount(offset / 2))
  }

  /// The response to a request for that range.
  static func rest(of offset: Int64) -> TransferEvent {
    head(206) {
      $0.contentRange = "bytes \(offset / 2)-999/1000"
      $0.etag = "\"x\""
    }
  }
}

extension [TransferAction] {
  /// The only outcome among the actions. Nil if there is none or more than one.
  var outcome: TransferOutcome? {
    let outcomes = compactMap { if case .finish(let outcome) = $0 { outcome } else { nil } }
    return outcomes.count == 1 ? outcomes[0] : nil
  }

  var failure: TransferFailure? {
    if case .failed(let failure)? = outcome { failure } else { nil }
  }

  /// The URL that is requested now.
  var sent: String? {
    for case .send(let url, _) in self { return url.text }
    return nil
  }
}
