// SPDX-License-Identifier: Apache-2.0
import SyncCore
package import SyncFormats

extension Queue {
  /// The paths in the library that the items of a journal have before or after each of its records.
  func paths(in changes: some Sequence<QueueChange>) -> Set<LibraryPath> {
    var paths: Set<LibraryPath> = []
    for change in changes {
      switch change {
      case .item(let item):
        paths.formUnion(item.paths)
        paths.formUnion(self[item.id]?.paths ?? [])
      case .itemDropped(let id): paths.formUnion(self[id]?.paths ?? [])
      case .source, .sourceDropped: break
      }
    }
    return paths
  }
}

extension QueueItem {
  /// The places where its file is, was, or is about to be.
  fileprivate var paths: [LibraryPath] {
    let files = [state.lastFile, transfer?.publishing].compactMap(\.self)
    return files.flatMap { [$0.path, $0.movingTo].compactMap(\.self) }
  }
}

/// The file `decisions.json` in the state folder. It is replaced as a whole, so that it holds the decisions before or
/// after a change, whenever the process or the machine stops.
package struct DecisionsStore {
  let folder: StateFolder

  package init(folder: StateFolder) {
    self.folder = folder
  }

  /// A pin takes 50 bytes.
  private static let limit = ByteCount(1 << 28)

  /// Nil when there is no such file.
  package func read() throws(StateError) -> DecisionsFile.Reading? {
    let bytes: [UInt8]?
    do throws(FileError) { bytes = try folder.files.read(folder.place(.decisions), limit: Self.limit) } catch {
      guard error.isOfStranger else { throw .file(error) }
      return DecisionsFile.Reading(decisions: Decisions(), problem: .notOurs(error))
    }
    guard let bytes else { return nil }
    do throws(QueueFileProblem) { return try DecisionsFile.read(bytes) } catch {
      guard case .newerVersion(let found, let known) = error else {
        return DecisionsFile.Reading(decisions: Decisions(), problem: error)
      }
      throw .newerVersion(path: folder.place(.decisions).text, found: found, known: known)
    }
  }

  /// Writes the decisions. They are on the disk when this returns.
  func write(_ decisions: Decisions) throws(FileError) {
    try folder.files.replace(folder.place(.decisions), DecisionsFile.encode(decisions), mode: .privateFile)
  }
}
