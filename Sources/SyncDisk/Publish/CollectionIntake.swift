// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Brings files of a collection into the library: each is a partial first, or is renamed into its place. It is
/// published in the order of every publication, and its item is recorded, before anything is removed from the
/// collection.
package struct CollectionIntake: Sendable {
  private let publisher: Publisher
  private let folder: FileRoot
  private let roots: LocalRoots
  /// True if the first bytes must be those of media.
  private let sniffs: Bool

  /// One file to bring in.
  package struct Order: Sendable {
    package var item: LackingItem
    package var file: CollectionFile
    package var way: CollectionImport.Way
    /// The hash that the file must have. Nil if anything is known only by names and sizes.
    package var sha256: SHA256Digest?

    package init(
      _ item: LackingItem, _ file: CollectionFile, _ way: CollectionImport.Way, sha256: SHA256Digest?
    ) {
      (self.item, self.file, self.way, self.sha256) = (item, file, way, sha256)
    }
  }

  /// The result of one order, and the place of the file if there is one.
  package struct Result: Sendable {
    package var outcome: CollectionImport.Outcome
    package var path: LibraryPath?
  }

  /// A file on its way.
  private struct Prepared {
    var publication: Publication
    /// The status of the file in the collection when it was read.
    var seen: FileStatus
  }

  package init(_ publisher: Publisher, from folder: FileRoot, sniffs: Bool) {
    (self.publisher, self.folder, self.sniffs) = (publisher, folder, sniffs)
    roots = LocalRoots(list: "\(folder.path)/-")
  }

  private var files: any FileSystem { publisher.library.files }

  /// Brings in some files, and publishes them together.
  /// - Returns: One result for each order. An order that was not reached because the task was cancelled is `planned`.
  /// - Throws: The failure that ends the import. What was published before is recorded.
  package func take(_ orders: [Order]) async throws(Failure) -> [Result] {
    var results = orders.map { _ in Result(outcome: .planned) }
    var prepared: [(order: Int, file: Prepared)] = []
    var stop: Failure?
    for (number, order) in orders.enumerated() where stop == nil && !Task.isCancelled {
      do throws(Failure) { prepared.append((number, try await prepare(order))) } catch {
        try give(back: order)
        if Task.isCancelled { break }
        results[number].outcome = .failed(error)
        if error.disposition.next == .stopRun { stop = error }
      }
    }
    for (id, result) in await publisher.publish(prepared.map(\.file.publication)) {
      guard let number = prepared.first(where: { orders[$0.order].item.id == id })?.order else { continue }
      switch result {
      case .published(let stored), .adopted(let stored):
        results[number] = Result(outcome: .done, path: stored.path)
      case .failed(let failure):
        try give(back: orders[number])
        results[number].outcome = .failed(failure)
      case .stopped(let failure): stop = stop ?? failure
      }
    }
    if stop == nil {
      do throws(Failure) { try publisher.journal.sync() } catch { stop = error }
    }
    if let stop { throw stop }
    for (number, file) in prepared where orders[number].way.method == .move && results[number].outcome == .done {
      if let error = clear(orders[number], file, results[number].path) { results[number].outcome = .copiedOnly(error) }
    }
    return results
  }

  // MARK: Before the publication

  private func prepare(_ order: Order) async throws(Failure) -> Prepared {
    try queue(order.item)
    // A sealed file is never the one that was found.
    guard order.way.method != .copy, order.file.isMovable, publisher.sealing == nil else {
      return try await sealed(try await copy(order))
    }
    return try move(order)
  }

  private func sealed(_ copied: Prepared) async throws(Failure) -> Prepared {
    var copied = copied
    do throws(SealFailure) {
      let publication = copied.publication
      copied.publication.file = try await publisher.seal(
        publication.file, publication.partial, of: publication.download.id)
      return copied
    } catch {
      switch error {
      case .failed(let failure): throw failure
      case .noRoom: throw .storageFull(.enospc)
      }
    }
  }

  /// A transfer begins only for an item in the queue.
  private func queue(_ item: LackingItem) throws(Failure) {
    var queued = publisher.journal.item(item.id) ?? item.queued
    if queued.state.name != .queued { queued.requeue() }
    try publisher.journal.apply([.item(queued)])
  }

  /// The item is as before, and no bytes of the file stay.
  private func give(back order: Order) throws(Failure) {
    var item = order.item.queued
    let partial = try partial(order)
    item.updatePartial { $0.name == partial.name ? nil : $0 }
    try publisher.journal.apply([.item(item)])
    publisher.discard(partial)
    publisher.discardSealed(partial)
  }

  private func url(_ order: Order) throws(Failure) -> RemoteURL {
    let path = place(order).text
    do throws(RemoteURL.Problem) { return try RemoteURL(file: path.utf8) } catch {
      throw .localFile(path: path, .notAFile)
    }
  }

  private func place(_ order: Order) -> FilePlace { folder[order.file.path] }

  private func partial(_ order: Order) throws(Failure) -> PartialDownload {
    let url = try url(order)
    return PartialDownload(name: publisher.newPartialName(for: order.item.id, url: url), received: .zero, url: url)
  }

  private func copy(_ order: Order) async throws(Failure) -> Prepared {
    let seen = try status(order)
    let source = try await LocalFile.open(try url(order), below: roots, mayBeImage: sniffs ? false : nil).get()
    let partial = try partial(order)
    try publisher.journal.record(
      [(order.item.id, .downloading(Attempt(candidate: 0, attempts: 1, partial: partial)))], at: publisher.clock.now())
    let place = publisher.place(of: partial)
    let target: any OpenFile
    do throws(FileError) {
      try files.removeFileIfPresent(place)
      target = try files.open(place, for: .creating(.sharedFile))
    } catch { throw error.failure }
    let copy = LocalCopy(source, into: target)
    var count = ByteCount.zero
    while count < source.size {
      guard !Task.isCancelled else { throw .cancelled }
      count = try await copy.advance(from: count).get()
    }
    if let change = source.changeSinceOpened { throw change }
    let digest = try FileDigest.compute(place, in: files, also: order.item.item.checksum?.algorithm)
    return Prepared(publication: try publication(order, partial, digest, target), seen: seen)
  }

  /// The file is renamed when it is published. Until then it stays as it is.
  private func move(_ order: Order) throws(Failure) -> Prepared {
    let place = place(order)
    let seen = try status(order)
    let digest: FileDigest
    do throws(Failure) {
      digest = try FileDigest.compute(place, in: files, also: order.item.item.checksum?.algorithm)
    } catch { throw error.ofOneFile(place) }
    if sniffs, let problem = digest.content.problem(mayBeImage: false) { throw problem }
    guard digest.size == seen.size, try status(order) == seen else {
      throw .localFile(path: place.text, .changed)
    }
    let body: any OpenFile
    do throws(FileError) {
      // Flushed by way of this handle, even if the file may not be written.
      body = try files.open(place, for: .reading)
    } catch { throw error.failure.ofOneFile(place) }
    var publication = try publication(order, try partial(order), digest, body)
    publication.origin = place
    return Prepared(publication: publication, seen: seen)
  }

  private func publication(
    _ order: Order, _ partial: PartialDownload, _ digest: FileDigest, _ body: any OpenFile
  ) throws(Failure) -> Publication {
    let file = try Publisher.judge(digest, of: partial, order.item.item.checksum)
    // It was another file when it was matched.
    if let expected = order.sha256, expected != digest.sha256 {
      throw .localFile(path: place(order).text, .changed)
    }
    let download = order.item.publication
    // The file is none of the item's candidates.
    return Publication(
      download: download, partial: partial, body: body, file: file, candidate: download.task.candidates.count,
      confidence: order.way.rule.confidence, attempts: 1)
  }

  private func status(_ order: Order) throws(Failure) -> FileStatus {
    let place = place(order)
    do throws(FileError) {
      guard let status = try files.status(of: place) else { throw FileError(.examine, place.text, code: .enoent) }
      return status
    } catch { throw error.failure.ofOneFile(place) }
  }

  // MARK: After the publication

  /// Removes a file that was copied or found in the library, unless it has changed since.
  /// - Returns: The reason why it is still there.
  private func clear(_ order: Order, _ file: Prepared, _ path: LibraryPath?) -> FileError? {
    let place = place(order)
    do throws(FileError) {
      if let status = try files.status(of: place) {
        // The file in the library may be this one.
        if let path, try files.status(of: publisher.library.root[path])?.identity == status.identity { return nil }
        guard status == file.seen else { return FileError(.remove, place.text, .replaced) }
        try files.removeFile(place)
      }
      try files.syncFolder(place.parent)
      return nil
    } catch { return error }
  }
}

extension Failure {
  /// A file of the collection that cannot be read says nothing about the library, and does not end the import.
  fileprivate func ofOneFile(_ place: FilePlace) -> Failure {
    if case .io(_, _, let code) = self { .localFile(path: place.text, .unreadable(code)) } else { self }
  }
}
