// SPDX-License-Identifier: Apache-2.0

extension ItemDetails {
  /// Nil if the source states none of them.
  init?(_ entry: ListingEntry) {
    self.init()
    (guid, number) = (entry.guid, entry.number)
    if self == Self() { return nil }
  }
}
