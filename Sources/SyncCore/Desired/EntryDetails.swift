// SPDX-License-Identifier: Apache-2.0

extension ItemDetails {
  /// Nil if the source states none of them.
  init?(_ entry: ListingEntry, sourceImage: RemoteURL?) {
    self.init()
    (guid, number) = (entry.guid, entry.number)
    (image, self.sourceImage) = (entry.image, sourceImage)
    (chapters, marks) = (entry.chapters, entry.marks)
    if self == Self() { return nil }
  }
}
