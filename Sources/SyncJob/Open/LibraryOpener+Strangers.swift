// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

extension LibraryOpener {
  /// Renames whatever has the name of a helper of the state folder and cannot be one: a folder, link, pipe or huge file
  /// in the place of `clock`, or anything but a folder in the place of `cache` or `reports`. A run can do without their
  /// contents, so they do not stop it. Nothing is read, followed or deleted.
  func putStrangersAside(_ library: Library) throws(JobError) -> [RecoveryNote] {
    let folder = library.state
    let aside = AsideFiles(folder, now: now)
    var notes: [RecoveryNote] = []
    do throws(FileError) {
      for (name, isOurs) in Self.helpers {
        guard let place = FilePlace(folder.root).child(name), let status = try files.status(of: place), !isOurs(status)
        else { continue }
        notes.append(.strangerPutAside(name: name, keptAside: try aside.keep(named: name)))
      }
      // A flipped bit in the latest time that was seen would let no run expire anything for years.
      if try ClockMark(folder).isDamaged() {
        notes.append(.clockDamaged(keptAside: try aside.keep(.clock)))
        try aside.prune()
      }
    } catch { throw .file(error) }
    return notes
  }

  private static var helpers: [(name: String, isOurs: (FileStatus) -> Bool)] {
    [
      (StateFolder.File.clock.rawValue, { $0.kind == .file && $0.size <= ClockMark.limit }),
      ("cache", { $0.kind == .directory }), ("reports", { $0.kind == .directory }),
    ]
  }
}
