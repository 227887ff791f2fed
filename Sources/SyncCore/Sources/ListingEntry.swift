// SPDX-License-Identifier: Apache-2.0

/// An entry with something to fetch.
package struct ListingEntry: Equatable, Sendable {
  package var guid: String?
  package var title: String?
  /// The entry's author, or the source's if the entry has none.
  package var author: String?
  package var url: RemoteURL
  package var traits = EntryTraits()
  /// The size that the source states, a hint only. Nil if it states none.
  package var length: ByteCount?
  package var published: Timestamp?
  package var duration: Duration?
  package init(url: RemoteURL) { self.url = url }
}

/// An entry with nothing to fetch.
package struct UnusableEntry: Equatable, Sendable {
  package var guid: String?
  package var title: String?
  package var published: Timestamp?
  package var duration: Duration?
  package init() {}
}
