// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

extension LibraryOpener {
  /// Reads the decisions of a person, for a command that changes nothing.
  func seeDecisions(_ library: Library, _ opened: LoadedQueue?, _ state: inout OpenedState) throws(JobError) {
    guard let folder = library.stateFolder else { return }
    do throws(StateError) {
      guard let decided = try DecisionsStore(folder: folder).read() else { return }
      state.decisions = decided.decisions
      if let problem = decided.problem {
        state.notes.append(.decisionsDamaged(problem: problem.words, keptAside: nil))
      }
    } catch { throw .state(error) }
    guard opened?.recovery.isLossy ?? false else { return }
    for item in state.decisions.restored(in: state.queue) { state.queue[item.id] = item }
  }
}
