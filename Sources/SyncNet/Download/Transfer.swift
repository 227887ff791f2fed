// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore
import SyncDisk
import SyncFormats

/// The transfer of one item: a value in the downloader's table.
struct Transfer {
  @Boxed private(set) var download: PlannedDownload
  var machine: TransferMachine
  /// The number of the current main request, counted from 1. Callbacks of older requests are ignored. Zero if none is
  /// active.
  var request = 0
  var requests = 0
  /// The number of requests that were not redirects.
  var attempts = 0
  /// The latest main request in the loop.
  var running: TransferID?
  /// True if the request waits for the hash to catch up.
  var isPaused = false
  /// The request that goes out when it is the item's turn.
  var next: (url: RemoteURL, range: RangeRequest?)?
  /// The search for the URL of the candidate's file. Nil for candidates that state it.
  var resolution: PageResolution?
  /// The URL of the latest main request.
  var url: RemoteURL
  var trail: CredentialTrail
  /// True if the manifest names the hosts of the candidates, which then may be in a private network.
  private let isDeclared: Bool
  /// True if the first bytes must be those of a known media format. A server may send an error document as a song.
  let mustBeMedia: Bool
  private(set) var writer: PartialWriter?
  /// The further requests for the same file, in parallel with the main one.
  private(set) var workers: RangeWorkers?
  var furtherRequests = 0
  /// True if further requests left a gap, so no more are made.
  var isSingle = false
  /// True if the fetched file turned out to be in its place already.
  var isAdopted = false
  /// The whole partial, open between its check and its publication.
  var body: (any OpenFile)?
  /// True while the whole partial is in memory and nothing of it is written.
  private(set) var isInMemory = false
  var attempt: Attempt?
  private(set) var resumedAt = ByteCount.zero
  private(set) var fetched = ByteCount.zero
  /// The bytes of the partial that are on the disk and not only in the system's cache. The queue may count only on
  /// these.
  var durable: DownloadedRanges
  var checkpoint: Checkpoint
  /// The time of the run at which it began.
  let began: Duration

  init(
    _ download: PlannedDownload, settings: DownloadSettings, began: Duration,
    partialName: @escaping @Sendable (ItemID, RemoteURL) -> String
  ) {
    self.began = began
    checkpoint = Checkpoint(latest: began)
    self.download = download
    trail = settings.trail(of: download.playlists)
    let isOfServer = settings.isOfServer(download)
    isDeclared = !download.isFromSource || isOfServer
    mustBeMedia = settings.mustBeMedia || isOfServer
    url = download.task.candidates[0].candidate.url
    durable = download.task.partial?.presence ?? DownloadedRanges(received: .zero)
    let id = download.id
    machine = TransferMachine(download.task, rules: settings.rules) { partialName(id, $0) }
  }

  var candidate: Int { attempt?.candidate ?? 0 }

  /// The cost of the transfer so far.
  func effort(at now: Duration) -> Effort {
    Effort(fetched: fetched, requests: attempts, seconds: (now - began).inSeconds)
  }

  /// The bytes from the beginning without a gap.
  var received: ByteCount { workers?.segments.received ?? writer?.length ?? .zero }

  var presence: DownloadedRanges? {
    workers.map { DownloadedRanges($0.segments) } ?? writer.map { DownloadedRanges(received: $0.length) }
  }

  /// The request for `url`. Each candidate starts with its own URL. Every other URL on its way is a redirect.
  func request(for url: RemoteURL, _ range: RangeRequest?) -> HTTPRequest {
    let declared = download.task.candidates.map(\.candidate.url)
    let isDeclared = isDeclared && declared.contains { $0.host == url.host }
    let place = machine.task.candidates[candidate].candidate.url
    let media = resolution?.media
    var request = HTTPRequest(
      url: url, isFromSource: !isDeclared, isRedirect: url != media?.url ?? place)
    request.range = range
    // The fields are for the server that was named, and for no other to which it may redirect.
    if let media, media.url.origin == url.origin {
      request.fields = media.fields.filter { $0.name.lowercased() != "user-agent" }
      request.userAgent = media.fields.first { $0.name.lowercased() == "user-agent" }?.value
    }
    return request
  }

  /// Takes the next request.
  private mutating func takeNext() -> (url: RemoteURL, range: RangeRequest?)? {
    guard let next else { return nil }
    self.next = nil
    url = next.url
    requests += 1
    request = requests
    isPaused = false
    return next
  }

  /// Begins the copy of a local file, if that is what comes next.
  /// - Returns: The URL of the file. Nil for a file on a server.
  mutating func takeCopy() -> RemoteURL? {
    guard next?.url.isFile == true, let next = takeNext() else { return nil }
    attempts += 1
    return next.url
  }

  /// Begins the stream in fragments that only yt-dlp can fetch, if that is what comes next.
  /// - Returns: The number of the request. Nil for a file on a server.
  mutating func takeStream() -> Int? {
    guard resolution?.media?.isFragmented == true, resolution?.stream == nil, takeNext() != nil else { return nil }
    attempts += 1
    return request
  }

  /// Sends the next request.
  /// - Returns: False if there is none.
  mutating func send(for downloader: Downloader) -> Bool {
    guard let (url, range) = takeNext() else { return false }
    let main = request(for: url, range)
    if !main.isRedirect { attempts += 1 }
    let receiver = RequestReceiver(downloader, .item(download.id), request)
    running = downloader.client.send(main, along: &trail, to: receiver)
    return true
  }

  /// Hands an event to the machine, which returns the actions to perform.
  mutating func handle(_ event: TransferEvent, _ context: TransferContext) -> [TransferAction] {
    var context = context
    context.repeated = writer?.repeated ?? .zero
    return machine.handle(event, context)
  }

  // MARK: Bytes

  /// The recipients of a body.
  struct Intake {
    let writer: PartialWriter
    let workers: RangeWorkers?
    let mayBeImage: Bool
    let mustBeMedia: Bool
  }

  /// Nil for the body of a request that was given up. Mutating, because the table then makes no copy of the transfer.
  mutating func intake(of number: Int) -> Intake? {
    guard number == request, let writer else { return nil }
    return Intake(writer: writer, workers: workers, mayBeImage: download.task.mayBeImage, mustBeMedia: mustBeMedia)
  }

  /// Closes the present body, so that another can begin at `offset`.
  /// - Returns: The partial with the parts that further requests have fetched.
  mutating func makeRoom(for partial: PartialDownload, at offset: ByteCount) -> PartialDownload {
    var partial = partial
    if partial.extents != nil, offset > .zero, workers?.partial.name == partial.name {
      partial.extents = presence?.extents
    }
    close()
    durable = DownloadedRanges(
      received: min(durable.received, offset), extents: partial.extents.map { _ in durable.extents ?? [] })
    return partial
  }

  mutating func receive(
    _ partial: PartialDownload, into writer: PartialWriter, _ rules: TransferRules, _ pool: BufferPool, at now: Duration
  ) {
    self.writer = writer
    resumedAt = partial.presence.size
    checkpoint.restart(at: now)
    guard partial.extents != nil, let total = partial.total else { return }
    workers = RangeWorkers(
      partial, total: total, limit: isSingle ? 1 : rules.segments, retries: rules.retry.retries, pool: pool)
  }

  /// Closes the complete body, and keeps its file open for the publication.
  /// - Returns: The digest of the whole partial. Nil if no byte arrived in this run.
  mutating func complete() -> BodyDigest.Pending? {
    let digest = writer?.finishDigest()
    body = writer?.file
    close()
    return digest
  }

  /// Closes a body that is whole in memory.
  /// - Returns: The body. Nil for any other.
  mutating func takeWhole() -> SmallBody? {
    guard let whole = writer?.takeWhole() else { return nil }
    close()
    isInMemory = true
    return whole
  }

  /// Notes that the body that was in memory is written.
  mutating func wrote(_ file: any OpenFile) { (body, isInMemory) = (file, false) }

  /// - Returns: The bytes of the closed body. Nil if none was open.
  @discardableResult
  mutating func close() -> DownloadedRanges? {
    let presence = presence
    if let presence { fetched += presence.size - resumedAt }
    (writer, workers) = (nil, nil)
    return presence
  }

  /// True if the progress should be made durable now. Returns true once for each such time.
  mutating func takeCheckpoint(at now: Duration) -> Bool {
    guard attempt?.partial != nil, presence?.size ?? .zero > durable.size else { return false }
    return checkpoint.isDue(at: now)
  }

  /// Hands the bytes received so far to the system.
  func writeProgress() throws(Failure) {
    try writer?.flush(isLast: false)
    if let file = writer?.file { try workers?.flush(into: file) }
  }

  /// Hands all bytes to the system and ends the further requests, keeping what they received.
  /// - Returns: The requests that still run.
  func writeAll() throws(Failure) -> [TransferID] {
    try writer?.flush()
    return try dismissWorkers()
  }

  func dismissWorkers() throws(Failure) -> [TransferID] { try workers?.dismiss(into: writer?.file) ?? [] }

  /// The partial with only the bytes that are durable. Nil if there are none, so that the next run reclaims the space.
  func durablePart(of partial: PartialDownload?) -> PartialDownload? {
    guard durable.size > .zero else { return nil }
    return partial.map { partial in
      var kept = partial
      kept.received = durable.received
      kept.extents = partial.extents.map { _ in durable.extents ?? [] }
      return kept
    }
  }
}

extension Attempt {
  /// True if bytes on the disk, or about to be, let a run after a crash continue.
  var isWorthRecording: Bool {
    guard let partial else { return false }
    return partial.received > .zero || partial.total.map { $0 > PartialWriter.smallSize } ?? true
  }

  /// The same attempt, with no more bytes of its partial than are on the disk.
  func counting(_ durable: DownloadedRanges) -> Attempt {
    var attempt = self
    attempt.partial = partial?.counting(durable)
    return attempt
  }
}

/// The time of the run at which progress was last made durable.
struct Checkpoint {
  private static let interval = Duration.seconds(1)

  var isUnderWay = false
  private var latest: Duration

  init(latest: Duration) { self.latest = latest }

  /// Restarts the interval: nothing has been received yet that could be made durable.
  mutating func restart(at now: Duration) { latest = now }

  mutating func isDue(at now: Duration) -> Bool {
    guard !isUnderWay, now - latest >= Self.interval else { return false }
    latest = now
    return true
  }
}
