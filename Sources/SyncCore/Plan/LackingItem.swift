// SPDX-License-Identifier: Apache-2.0

/// An item that a playlist selects and that has no file: it waits for one, or could not be fetched.
package struct LackingItem: Sendable {
  /// The record that the queue is to have before anything is done for the item.
  @Boxed package var queued: QueueItem
  @Boxed package var desired: DesiredItem
  /// The file that the item once had, or has lost.
  package let recorded: StoredFile?
  /// The places that its file would get, with and without its tag.
  let places: [LibraryPath]

  init(_ queued: Boxed<QueueItem>, _ desired: Boxed<DesiredItem>, _ naming: FileNaming) {
    _queued = queued
    _desired = desired
    recorded = queued.wrappedValue.lastFile
    let wanted = desired.wrappedValue
    places = [0, 1].map { attempt in
      wanted.layout.path(
        wanted.fields, fileExtension: wanted.item.expectedExtension, naming: naming, attempt: attempt)
    }
  }

  package var id: ItemID { queued.id }
  package var item: Item { desired.item }

  /// The place for a file with that extension, if nothing else is there.
  package func place(_ fileExtension: String, _ naming: FileNaming) -> LibraryPath {
    desired.layout.path(desired.fields, fileExtension: fileExtension, naming: naming)
  }

  /// The names that a file of the item may have.
  var nameKeys: Set<String> {
    let encoded = item.main.url.lastPathComponent
    let url = String(decoding: RemoteURL.decoded(encoded.utf8), as: UTF8.self)
    var names = places.map { String($0.stem.split(separator: "/").last ?? "") } + [item.title]
    if let path = LibraryPath(url), path.parent == nil { names.append(String(path.stem)) }
    if let artist = item.artist { names.append("\(artist) \(item.title)") }
    return Set(names.map { LooseName.key($0) })
  }

  /// The facts that the publication of a file needs. No request brought its bytes, so their quality is not known.
  package var publication: PlannedDownload {
    var fields = desired.fields
    fields.item.urls = nil
    var task = TransferTask(
      id: id, candidates: [RankedCandidate(candidate: item.main, confidence: .normal)], declaredSize: item.size,
      checksum: item.checksum)
    task.duration = item.duration
    return PlannedDownload(
      task: task, priority: .normal, layout: desired.layout, fields: fields, isFromSource: desired.isFromSource,
      playlists: desired.memberships.map(\.playlist), room: .zero, present: .zero)
  }
}

extension Reconciliation {
  /// The items that an import may give a file to, in the order of the manifest.
  package func lacking(_ naming: FileNaming) -> [LackingItem] {
    entries.indices.compactMap { index in
      guard entries[index].isInScope, let desired = entries[index].$desired, entries[index].unselected == nil else {
        return nil
      }
      switch entries[index].need {
      case .fetch, .returning, .adopt, .wait, .coolDown, .skip(.failedForGood), .skip(.missingAndSkipped):
        return LackingItem(entries[index].$queued, desired, naming)
      case .keep, .remove, .skip, .ignore: return nil
      }
    }
  }
}
