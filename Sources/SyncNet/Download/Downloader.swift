// SPDX-License-Identifier: Apache-2.0
import Curl
package import SyncCore
package import SyncDisk
import SyncFormats

/// Carries out the downloads of a plan: a table of transfers, and one function, `apply`, that hands an event to the
/// machine of one of them and performs the resulting actions. Runs on the curl thread, so that the callbacks of libcurl
/// are inside its isolation.
package actor Downloader {
  package nonisolated var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

  let client: HTTPClient
  let publisher: Publisher
  let emit: @Sendable (RunEvent) -> Void
  var queue: RequestQueue
  var room: SpaceReservations
  /// The active transfers. Downloads still waiting for their turn have none, because it would only use memory.
  var transfers = TransferTable()
  /// The number of searches for files that have not returned. The run waits for each, so that it leaves no program
  /// behind.
  var runningSearches = 0
  private var downloads: [PlannedDownload] = []
  /// The downloads whose turn has not come yet, as indices.
  private(set) var waitingTurns: [ItemID: Int] = [:]
  /// The item whose turn it is while it begins. Its first request does not wait in line again.
  private(set) var starting: ItemID?
  var isStopping = false
  /// True while the journal is being flushed.
  private var isFlushing = false
  /// Transfers that could not connect while no other could either.
  var undecided: [(id: ItemID, ending: TransferEnding)] = []
  var storageFailure: Failure?
  /// The limit that the run has reached. If set, nothing more is requested.
  var limit: RunLimit?
  /// The number of blocked hosts at the last check.
  private var knownBreakers = 0
  private var isRefusing = false
  /// The time when the next pause that a host asked for ends.
  private var nextOpening: Duration?
  /// Hosts whose responses to range requests cannot be used.
  var distrustedHosts: Set<String> = []
  /// The reason why no file can be examined in this run.
  var tagProblem: TagProblem?
  /// The reason why no tags are written in this run.
  var writingProblem: TagProblem?
  /// The licences that came, and the reasons why others did not.
  var licenses: Licenses = [:]
  /// The checked files of items whose licence has not come yet.
  var awaitingLicense: [ItemID: (CheckedFile, PartialDownload)] = [:]
  /// Nil until the first picture or document is asked for.
  var attachments: TagAttachments?
  var publications = PublicationQueue()
  /// Complete bodies that are to be written.
  var smallBodies = WorkGroups<SmallBodyCheck>(upTo: PublicationGroup.maximum)
  /// The time after which no further group is published, because whoever stopped the run is waiting.
  var lastPublication: Duration?
  private var finished: CheckedContinuation<Void, Never>?
  /// Created when the first byte is to be kept.
  private(set) lazy var buffers = BufferPool { [weak self] in Task { await self?.resumePaused() } }

  package init(
    client: HTTPClient, publisher: Publisher, room: SpaceReservations, emit: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.client = client
    self.publisher = publisher
    self.room = room
    self.emit = emit
    let policy = client.settings.policy
    queue = RequestQueue(concurrency: policy.concurrency, perHost: policy.perHost)
  }

  var settings: DownloadSettings { client.settings }

  // MARK: The run

  /// Fetches all downloads. Returns when every item has ended, one way or another.
  /// - Parameter failures: Of items that fail before they are asked for.
  package func run(_ downloads: [PlannedDownload], failures: [ItemID: Failure] = [:]) async {
    limitConnections()
    if let limit = client.state.reachedLimit {
      for download in downloads { emit(.deferred(download.id, .limitReached(limit))) }
      return
    }
    if let left = client.state.budget.timeLeft(after: client.state.time) { after(left) { $0.pump() } }
    self.downloads = downloads
    if publisher.library.rules.publishesInOrder { publications.keepOrder(of: downloads) }
    for (index, download) in downloads.enumerated() {
      room.expect(
        download.id, download.present + download.reserved, of: download.playlists.first,
        replacing: download.$replaced?.wrappedValue.size)
      waitingTurns[download.id] = index
    }
    if isStopping {
      dismissWaiting(.stopped)
    } else {
      for download in downloads where !isStopping { line(up: download, failures[download.id]) }
    }
    pump()
    guard !isOver else { return }
    keepJournal()
    await withCheckedContinuation { finished = $0 }
    await attachments?.close()
  }

  private func limitConnections() {
    do throws(TransferError) {
      // Idle connections count too, because a server sees no difference. Behind a proxy libcurl would treat it as the
      // one host of all connections.
      let (total, perHost) = (settings.policy.concurrency, settings.policy.perHost)
      try client.loop.limitConnections(total: total, perHost: settings.mayUseProxy ? total : perHost)
    } catch { preconditionFailure("libcurl refuses limits of connections: \(error)") }
  }

  /// Flushes the journal once a second, so that no record waits longer for the disk, however quiet the transfers are.
  private func keepJournal() {
    after(QueueStore.flushDelay) { downloader in
      guard !downloader.isOver else { return }
      downloader.flushJournal()
      downloader.keepJournal()
    }
  }

  private func flushJournal() {
    guard !isFlushing else { return }
    isFlushing = true
    Task {
      let failure = await publisher.syncJournal()
      isFlushing = false
      if let failure { stop(failure) }
    }
  }

  func record(_ transfer: TransferState, of download: PlannedDownload, told: ByteCount? = nil) throws(Failure) {
    try publisher.record(download, transfer, told: told)
    if publisher.journal.isDue { flushJournal() }
  }

  /// Runs `action` once, after at least `delay`. With a delay of zero it runs after the present event, and outside the
  /// callback of libcurl that delivered it.
  func after(_ delay: Duration, _ action: @escaping @Sendable (isolated Downloader) -> Void) {
    client.loop.after(delay) { [weak self] in self?.assumeIsolated { action($0) } }
  }

  // MARK: Turns

  /// True if every download has ended.
  private var isOver: Bool { transfers.isEmpty && waitingTurns.isEmpty && runningSearches == 0 }

  /// Lets `run` return once every download has ended.
  func endIfOver() {
    guard isOver else { return }
    finished?.resume()
    finished = nil
  }

  /// Adds a download to the waiting line. Without a partial its first candidate is asked first. With a partial the
  /// transfer decides.
  private func line(up download: PlannedDownload, _ failure: Failure?) {
    let id = download.id
    guard download.task.partial == nil, failure == nil else {
      create(id)
      let failure = failure ?? licenseFailure(of: id)
      return apply(failure.map { .failed($0, received: .zero) } ?? .started, to: id)
    }
    let url = download.task.first.candidate.url
    queue.add(.item(id), origin: url.origin, priority: download.priority, isUnderWay: false)
  }

  /// Creates the transfer of a waiting download.
  /// - Returns: False if the download does not wait.
  @discardableResult
  private func create(_ id: ItemID) -> Bool {
    guard let index = waitingTurns.removeValue(forKey: id) else { return false }
    let download = downloads[index]
    transfers[id] = Transfer(
      download, settings: settings, began: client.state.time, partialName: publisher.newPartialName)
    return true
  }

  private func start(_ id: ItemID) {
    starting = id
    apply(licenseFailure(of: id).map { .failed($0, received: .zero) } ?? .started, to: id)
    starting = nil
  }

  /// Ends the downloads that have not begun.
  func dismissWaiting(_ event: TransferEvent) {
    for (id, _) in waitingTurns.sorted(by: { $0.value < $1.value }) {
      create(id)
      apply(event, to: id)
    }
  }

  /// Sends the requests whose turn it is.
  func pump() {
    guard !isStopping else { return }
    keepLimits()
    refuse()
    let time = client.state.time
    while mayAsk, let key = queue.next(at: time, client.state.hosts) { send(key) }
    // Another look when the pause that a host asked for is over.
    guard let opening = queue.nextOpening(after: time, client.state.hosts), opening != nextOpening else { return }
    nextOpening = opening
    after(opening - time) { downloader in
      downloader.nextOpening = nil
      downloader.pump()
    }
  }

  /// False if too many files are waiting for the disk, which also sets the pace.
  private var mayAsk: Bool { !isStopping && limit == nil && !publications.isFull && !smallBodies.isFull }

  private func send(_ key: RequestKey) {
    guard let id = key.item else { return queue.finished(key) }
    if create(id) { start(id) }
    guard transfers.contains(id) else { return queue.finished(key) }
    if case .further(_, let number) = key { return sendFurther(number, of: id) }
    sendMain(of: id)
  }

  /// Looks at the queue again: a response may show that a host serves again. Its body may take long, and others need
  /// not wait for that.
  func lookAgain() {
    guard queue.isProbing else { return }
    after(.zero) { $0.pump() }
  }

  /// Notes the end of a request, so that another may be sent.
  func requestEnded(_ key: RequestKey) {
    queue.finished(key)
    pump()
  }

  /// Refuses every request that waits for a blocked host, so that its transfer goes on without it.
  private func refuse() {
    // Each transfer that ends calls `refuse` again: many that wait for one host would recurse too deeply.
    guard !isRefusing else { return }
    isRefusing = true
    defer { isRefusing = false }
    let state = client.state
    while let (key, origin) = queue.nextRefused(by: state.hosts) {
      state.announceBreaker(of: origin)
      guard let id = key.item else { continue }
      if case .further = key {
        transfers[id]?.workers?.refuse()
        settle(id)
        continue
      }
      if create(id) { start(id) }
      apply(.refused, to: id)
    }
    guard state.hosts.breakers.count > knownBreakers else { return }
    knownBreakers = state.hosts.breakers.count
    let between = transfers.ids.compactMap { id in transfers[id]?.machine.waitsFor.map { (id, $0) } }
    for (id, origin) in between where state.hosts.breakers[origin] != nil {
      state.announceBreaker(of: origin)
      apply(.refused, to: id)
    }
  }
}
