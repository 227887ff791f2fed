// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// What was found in the state folder.
struct OpenedState {
  var queue: Queue
  /// What was repaired on the way.
  var notes: [RecoveryNote] = []
  /// An earlier run did not come to its end.
  var wasInterrupted = false
  /// The machine was not down since: what was written is on the disk or in its cache.
  var isSameBoot = false
  /// There was neither a marker nor a queue file.
  var isNew = false
}
