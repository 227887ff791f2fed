// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension UndoResult.Obstacle {
  package var words: String {
    switch self {
    case .taken: "another file is in its place"
    case .takenBy(let id): "\(id.text.quoted) has its file in this place now"
    case .obstructed: "something that is not a folder is in the way of its folder"
    case .changed(let id): "it is not what \(id.text.quoted) had here when it was removed"
    case .hasItAgain(let id, let path): "\(id.text.quoted) has the same file already: \(path.text.printable)"
    case .unknown: "no item that is marked as removed has this path and these contents (after retry an item is not)"
    case .missing: "it is not in the trash any more: that was emptied, or somebody took it"
    case .expired(let keep): "it is not in the trash any more: storage.trash.keep is \(keep.spanWords)"
    case .refused: "it may not be moved; check who owns the folders and who may write there"
    case .otherFileSystem:
      "its folder is on another file system than the trash; copy it yourself, or unmount the folder"
    }
  }

  /// The name in JSON.
  package var name: String {
    switch self {
    case .taken: "taken"
    case .takenBy: "taken_by_item"
    case .obstructed: "obstructed"
    case .changed: "changed"
    case .hasItAgain: "has_it_again"
    case .unknown: "unknown"
    case .missing: "missing"
    case .expired: "expired"
    case .refused: "refused"
    case .otherFileSystem: "other_file_system"
    }
  }

  /// The item that the reason concerns.
  package var item: ItemID? {
    switch self {
    case .takenBy(let id), .changed(let id), .hasItAgain(let id, _): id
    case .taken, .obstructed, .unknown, .missing, .expired, .refused, .otherFileSystem: nil
    }
  }
}
