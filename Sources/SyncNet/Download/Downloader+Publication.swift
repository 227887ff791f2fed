// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk

/// The check of a complete partial and its publication, away from the network's thread.
extension Downloader {
  /// Judges a digest computed here at once. Otherwise waits for the digest.
  /// - Parameters:
  ///   - expected: The declared duration, if the real one is to be measured.
  ///   - counting: True to measure it by the frames alone.
  func check(_ partial: PartialDownload, expecting expected: Duration?, counting: Bool, of id: ItemID) {
    let checksum = transfers[id]?.download.task.checksum
    let digest = transfers[id]?.complete()
    let expected = tagProblem == nil ? expected : nil
    if case .known(let digest)? = digest {
      let result = Result { () throws(Failure) in try Publisher.judge(digest, of: partial, checksum) }
      guard let expected, publisher.tags != nil, case .success(let file) = result else {
        return checked(result, partial, of: id)
      }
      Task {
        checked(.success(await measure(file, partial, expecting: expected, counting: counting)), partial, of: id)
      }
      return
    }
    Task {
      var result = await publisher.check(partial, checksum: checksum, digest)
      if let expected, case .success(let file) = result {
        result = .success(await measure(file, partial, expecting: expected, counting: counting))
      }
      checked(result, partial, of: id)
    }
  }

  /// The file with its duration. If none can be measured, the run says so once.
  private func measure(
    _ file: CheckedFile, _ partial: PartialDownload, expecting: Duration, counting: Bool
  ) async -> CheckedFile {
    do throws(TagProblem) {
      return try await publisher.measure(file, partial, expecting: expecting, counting: counting)
    } catch {
      if tagProblem == nil { emit(.warned(.durationsUnknown(error))) }
      tagProblem = error
      return file
    }
  }

  private func checked(_ result: Result<CheckedFile, Failure>, _ partial: PartialDownload, of id: ItemID) {
    switch result {
    case .success(let file): post(.checked(file), to: id)
    case .failure(let failure): post(.failed(failure, received: partial.received), to: id)
    }
  }

  func publish(
    _ partial: PartialDownload, _ file: CheckedFile, candidate: Int, _ confidence: StoredFile.Confidence, of id: ItemID
  ) {
    guard let transfer = transfers[id] else { return }
    transfers[id]?.body = nil
    publications.add(
      Publication(
        download: transfer.download, partial: partial, body: transfer.body, file: file, candidate: candidate,
        confidence: confidence, attempts: transfer.requests))
    publishWaiting()
  }

  func publishWaiting() {
    // After a failure, a folder that could not be flushed must not be flushed again.
    if let storageFailure { return dismissPublications(.publicationStopped(storageFailure)) }
    // After a stop, the next run publishes them.
    if let lastPublication, client.state.time > lastPublication { return dismissPublications(.publicationPutOff) }
    guard let group = publications.begin() else { return }
    Task {
      let results = await publisher.publish(group)
      let received = Dictionary(group.map { ($0.download.id, $0.partial.received) }) { first, _ in first }
      for publication in group where publication.isTagged { discardUnusedCopy(publication, results) }
      for (id, result) in results { published(result, received: received[id] ?? .zero, of: id) }
      // Only now, because one of the results may stop the run before the next group flushes the same folder.
      publications.end()
      publishWaiting()
      pump()
    }
  }

  /// The next attempt makes the copy anew.
  private func discardUnusedCopy(_ publication: Publication, _ results: [(ItemID, PublicationResult)]) {
    guard case .failed? = results.first(where: { $0.0 == publication.download.id })?.1 else { return }
    publisher.discardCopy(of: publication.partial)
  }

  private func published(_ result: PublicationResult, received: ByteCount, of id: ItemID) {
    switch result {
    case .published(let stored): apply(.published(stored), to: id)
    case .adopted(let stored):
      transfers[id]?.isAdopted = true
      apply(.published(stored), to: id)
    case .failed(let failure): apply(.failed(failure, received: received), to: id)
    case .stopped(let failure): apply(.publicationStopped(failure), to: id)
    }
  }

  private func dismissPublications(_ event: TransferEvent) {
    for id in publications.dismiss() { post(event, to: id) }
  }
}
