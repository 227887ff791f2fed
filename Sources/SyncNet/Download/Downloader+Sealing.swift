// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk

/// The sealing of a checked file. Unlike tags, it is a promise: a file that cannot be sealed is not published.
extension Downloader {
  func seal(_ file: CheckedFile, _ partial: PartialDownload, of id: ItemID) {
    Task {
      let event = await sealed(file, partial, id)
      // The sealed file of a transfer that was stopped meanwhile is of no use.
      guard transfers.contains(id) else { return publisher.discardSealed(partial) }
      post(event, to: id)
    }
  }

  private func sealed(_ file: CheckedFile, _ partial: PartialDownload, _ id: ItemID) async -> TransferEvent {
    do throws(SealFailure) {
      return .prepared(try await publisher.seal(file, partial, of: id, with: contentKey(of: id)))
    } catch {
      switch error {
      case .noRoom(let lacking): return .roomRefused(.freeSpace(lacking: lacking))
      case .failed(let failure): return .failed(failure, received: partial.received)
      }
    }
  }
}
