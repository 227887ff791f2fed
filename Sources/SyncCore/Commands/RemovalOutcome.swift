// SPDX-License-Identifier: Apache-2.0

/// The result of a command that removes items, besides the items that are gone.
package struct RemovalOutcome: Equatable, Sendable {
  /// Files that should have been removed and stay.
  package var kept: [ItemID: KeptFile] = [:]
  /// Files that are not in their places. They are removed wherever they are.
  package var displaced: [ItemID: DisplacedFile]

  package init(displaced: [ItemID: DisplacedFile]) { self.displaced = displaced }
}

/// A finished file that is not in its place.
package enum DisplacedFile: Equatable, Sendable {
  /// A person renamed it or moved it inside the library. The file has its present path.
  case found(StoredFile)
  /// It is not in the library, as far as the search reaches.
  case absent
}
