// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk

/// A small body that is to be written and checked.
struct SmallBodyCheck: Sendable {
  let id: ItemID
  let partial: PartialDownload
  let body: SmallBody
  let checksum: Checksum?
  let measuring: DurationMeasuring?

  /// Runs away from the network's thread.
  static func write(
    _ group: [SmallBodyCheck], at publisher: Publisher
  ) async -> [(Result<CheckedFile, Failure>, (any OpenFile)?)] {
    group.map { publisher.write($0.body, into: $0.partial, checksum: $0.checksum) }
  }
}

/// How a file's duration is to be measured.
struct DurationMeasuring: Sendable {
  let declared: Duration
  /// True to measure it by the frames alone.
  let isCounting: Bool
}

/// The check of a complete partial and its publication, away from the network's thread.
extension Downloader {
  /// - Parameter measuring: Nil if the duration need not be known.
  func check(_ partial: PartialDownload, _ measuring: DurationMeasuring?, of id: ItemID) {
    let checksum = transfers[id]?.download.task.checksum
    let measuring = tagProblem == nil ? measuring : nil
    if let body = transfers[id]?.takeWhole() {
      smallBodies.add([
        SmallBodyCheck(id: id, partial: partial, body: body, checksum: checksum, measuring: measuring)
      ])
      return writeSmallBodies()
    }
    let digest = transfers[id]?.complete()
    Task {
      let result = await publisher.check(partial, checksum: checksum, digest)
      checked(result, partial, measuring, of: id)
    }
  }

  private func writeSmallBodies() {
    guard let group = smallBodies.begin() else { return }
    Task {
      for (check, (result, file)) in zip(group, await SmallBodyCheck.write(group, at: publisher)) {
        if let file { transfers[check.id]?.wrote(file) }
        checked(result, check.partial, check.measuring, of: check.id)
      }
      smallBodies.end()
      writeSmallBodies()
      pump()
    }
  }

  /// The file with its duration. If none can be measured, the run says so once.
  private func measure(
    _ file: CheckedFile, _ partial: PartialDownload, _ measuring: DurationMeasuring
  ) async -> CheckedFile {
    do throws(TagProblem) {
      return try await publisher.measure(
        file, partial, expecting: measuring.declared, counting: measuring.isCounting)
    } catch {
      if tagProblem == nil { emit(.warned(.durationsUnknown(error))) }
      tagProblem = error
      return file
    }
  }

  private func checked(
    _ result: Result<CheckedFile, Failure>, _ partial: PartialDownload, _ measuring: DurationMeasuring?, of id: ItemID
  ) {
    switch result {
    case .success(let file):
      guard let measuring, publisher.tags != nil else { return apply(.checked(file), to: id) }
      Task { apply(.checked(await measure(file, partial, measuring)), to: id) }
    case .failure(let failure): apply(.failed(failure, received: partial.received), to: id)
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
      for publication in group where publication.isCopy { discardUnusedCopy(publication, results) }
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
    publication.discardCopies(at: publisher)
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
