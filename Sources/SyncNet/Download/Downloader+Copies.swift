// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk

/// A local file in place of a response. To the machine it is a response with a length and without a validator, so that
/// a copy is never continued. No byte of it counts for the limits of the network.
extension Downloader {
  /// Copies a local file. Called when it is the item's turn.
  func copy(_ url: RemoteURL, of id: ItemID) {
    guard let transfer = transfers[id] else { return requestEnded(.item(id)) }
    let (number, roots) = (transfer.request, settings.roots(of: transfer.download.playlists))
    let mayBeImage = transfer.mustBeMedia ? transfer.download.task.mayBeImage : nil
    Task {
      let source = await LocalFile.open(url, below: roots, mayBeImage: mayBeImage)
      await copy(source, number, of: id)
      // Otherwise the slot was returned when the next request was sent.
      if (transfers[id]?.requests ?? number) == number { requestEnded(.item(id)) }
      judgeUndecided()
    }
  }

  private func copy(_ source: Result<LocalFile, Failure>, _ number: Int, of id: ItemID) async {
    guard isCopying(id, number) else { return }
    switch source {
    case .failure(let failure): endCopy(.failed(failure, received: .zero), of: id)
    case .success(let file):
      var facts = ResponseFacts(status: 200)
      facts.contentLengths = ["\(file.size.bytes)"]
      apply(.headReceived(facts), to: id)
      guard isCopying(id, number), let writer = transfers[id]?.writer else { return }
      await copy(file, into: writer, number, of: id)
    }
  }

  private func copy(_ file: LocalFile, into writer: PartialWriter, _ number: Int, of id: ItemID) async {
    let copy: LocalCopy
    do throws(Failure) { copy = LocalCopy(file, into: try writer.openForCopy()) } catch {
      return endCopy(.failed(error, received: .zero), of: id)
    }
    while writer.length < file.size {
      let part = await copy.advance(from: writer.length)
      guard isCopying(id, number) else { return }
      switch part {
      case .success(let received): writer.copied(received)
      case .failure(let failure): return endCopy(.failed(failure, received: writer.length), of: id)
      }
      emit(.progressed(id, received: writer.length, total: file.size))
      if let limit = exceededLimit, writer.length < file.size { return endCopy(.limitReached(limit), of: id) }
      keepPace(id)
      // It may have failed to write.
      guard isCopying(id, number) else { return }
    }
    if let failure = file.changeSinceOpened { return endCopy(.failed(failure, received: writer.length), of: id) }
    endCopy(.bodyEnded(received: writer.length), of: id)
  }

  /// False once the transfer has ended or was stopped.
  private func isCopying(_ id: ItemID, _ number: Int) -> Bool { transfers[id]?.request == number }

  private func endCopy(_ event: TransferEvent, of id: ItemID) {
    transfers[id]?.request = 0
    apply(event, to: id)
  }
}
