// SPDX-License-Identifier: Apache-2.0

/// Joins the pages of a feed (RFC 5005), the newest first. Pages overlap when an entry is added while they are read, or
/// when an archive repeats one. The first occurrence counts, because it is the newest (RFC 5005 §4).
package struct ListingPages: Sendable {
  /// The first page, with the entries of the others behind its own.
  package private(set) var listing: Listing
  /// The number of entries with each guid.
  private var guids: [String: Int] = [:]
  /// The identities of the URLs.
  private var urls: Set<String> = []
  private var isCounted = false
  /// True if the pages have more entries than are read of one source.
  package private(set) var isFull = false

  package init(_ first: Listing) { listing = first }

  /// Adds a page. Its title and all other facts about the feed are those of the first page.
  package mutating func append(_ page: Listing) {
    let total = [listing, page].map { $0.entries.count + $0.unusable.count }.reduce(0, +)
    guard total <= Listing.maximumEntries else {
      isFull = true
      return end(.partial(.excessive("\(Listing.maximumEntries) entries in all pages")))
    }
    if !isCounted { count(listing.entries) }
    isCounted = true
    let own = Self.guids(of: page.entries)
    for index in page.entries.indices where !isRepeated(page.entries, index, own) {
      listing.entries.append(page.entries[index])
    }
    listing.unusable += page.unusable
    // Lines and numbers are those of another document.
    for note in page.flaws.notes { listing.flaws.append(note) }
    if page.completeness == .followedByContent, listing.completeness == .whole {
      listing.completeness = .followedByContent
    }
    count(page.entries)
  }

  /// Ends the pages before the feed ends.
  package mutating func end(_ completeness: Completeness, _ note: ListingNote? = nil) {
    if listing.completeness.hasEnd { listing.completeness = completeness }
    if let note { listing.flaws.prepend(note) }
  }

  /// Keeps the entries of the last reading that no page has now. An entry that moves from one page to another while they
  /// are read may be in neither, so it counts as missing only if the next reading does not find it either.
  package mutating func hold(_ last: Listing) {
    if !isCounted { count(listing.entries) }
    isCounted = true
    for index in last.entries.indices {
      let isThere = last.entries.guid(at: index).map { guids[$0] != nil } ?? false
      if !isThere, !urls.contains(last.entries.url(at: index).identity) {
        listing.unusable.append(UnusableEntry(last.entries[index]))
      }
    }
  }

  private func isRepeated(_ entries: ListingEntries, _ index: Int, _ own: [String: Int]) -> Bool {
    let hasURL = urls.contains(entries.url(at: index).identity)
    guard let guid = entries.guid(at: index) else { return hasURL }
    guard let earlier = guids[guid] else { return false }
    // A guid that occurs more than once identifies nothing.
    return hasURL || (earlier == 1 && own[guid] == 1)
  }

  private mutating func count(_ entries: ListingEntries) {
    for (guid, number) in Self.guids(of: entries) { guids[guid, default: 0] += number }
    for index in entries.indices { urls.insert(entries.url(at: index).identity) }
  }

  private static func guids(of entries: ListingEntries) -> [String: Int] {
    var guids: [String: Int] = [:]
    for index in entries.indices { if let guid = entries.guid(at: index) { guids[guid, default: 0] += 1 } }
    return guids
  }
}
