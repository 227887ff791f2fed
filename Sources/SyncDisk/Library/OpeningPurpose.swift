// SPDX-License-Identifier: Apache-2.0

/// The purpose for which a library is opened.
package enum OpeningPurpose {
  /// A run, which can rebuild a lost state.
  case run
  /// Any other command. It refuses a library whose state is lost.
  case edit
  /// As `edit`, to move files back into the library. This works even on a full disk.
  case undo
  /// As `edit`, to delete or remove files. A full disk is the reason for it and does not prevent it.
  case makeRoom
  /// As `edit`. The user confirms that this is the place.
  case initialise
  /// To replace the state by another one, whatever is left of it.
  case restore

  package var namesThePlace: Bool { self == .initialise || self == .restore }
}
