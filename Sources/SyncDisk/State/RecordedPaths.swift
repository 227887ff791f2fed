// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

extension Queue {
  /// The paths in the library that the items of a journal have before or after each of its records.
  func paths(in changes: [QueueChange]) -> Set<LibraryPath> {
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
    let files = [state.lastFile, state.announced, upgrade?.state.announced].compactMap(\.self)
    return files.flatMap { [$0.path, $0.movingTo].compactMap(\.self) }
  }
}

extension ItemState {
  /// The file that a run announced before it renamed the file into its place.
  fileprivate var announced: StoredFile? {
    switch self {
    case .downloading(let attempt), .retrying(let attempt, _): attempt.publishing
    default: nil
    }
  }
}
