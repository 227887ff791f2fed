// SPDX-License-Identifier: Apache-2.0

extension ItemDetails {
  /// Nil if the source states none of them.
  init?(_ entry: ListingEntry, sourceImage: RemoteURL?) {
    self.init()
    (season, number) = (entry.traits.season, entry.number)
    (image, self.sourceImage) = (entry.image, sourceImage)
    (chapters, marks, transcript) = (entry.chapters, entry.marks, entry.transcript)
    if self == Self() { return nil }
  }
}
