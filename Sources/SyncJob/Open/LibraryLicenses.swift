// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

extension LibraryView {
  /// This device and the content keys of licences, as the state folder has them. Nil without a state folder.
  func licenseStore() throws(JobError) -> LicenseStore? {
    guard let folder = library.stateFolder else { return nil }
    do throws(StateError) {
      return try LicenseStore(folder, library: queue.libraryID, keys: context.keys)
    } catch { throw .state(error) }
  }

  /// The keys that open sealed files. Nil if there are none.
  func opening() throws(JobError) -> SealSettings? {
    context.opening(queue, contentKeys: try licenseStore()?.keys ?? [:])
  }
}

extension OpenLibrary {
  /// The offline states of all items. Nil if no item needs a licence.
  func offlineStates(at time: Timestamp) -> LibraryStatus.Licenses? {
    let queue = journal.queue
    let licenses = LibraryStatus.Licenses(queue.items, at: max(time, queue.latestTime))
    return licenses.licensed > 0 ? licenses : nil
  }
}
