// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Reads the subscriptions that Nextcloud's GPodder Sync lists, a JSON object whose member `add` has their URLs
/// (https://github.com/thrillfall/nextcloud-gpodder). They have no titles.
package struct SubscriptionReader: ListingReader {
  package static let maximumSize = ByteCount(64 << 20)
  package static let revision = 1

  private var head = DocumentHead()
  private var bytes: [UInt8] = []
  private var isTooLarge = false

  package init(base: RemoteURL? = nil, charset: String? = nil) {}

  package mutating func feed(_ more: ArraySlice<UInt8>) {
    head.take(more)
    let room = Int(Self.maximumSize.bytes) - bytes.count
    if more.count > room { isTooLarge = true }
    bytes += more.prefix(room)
  }

  package consuming func finish() -> Listing {
    if isTooLarge { return Listing(completeness: .partial(.excessive(Self.maximumSize.words))) }
    if head.isBlank { return Listing(completeness: .partial(.empty)) }
    if head.isWebPage(root: nil, tags: ["html"]) { return Listing(completeness: .partial(.webPage)) }
    do throws(JSONError) {
      guard let urls = try JSONValue(parsing: bytes)["add"]?.array else {
        return Listing(completeness: .partial(.notSubscriptions))
      }
      return Self.listing(of: urls)
    } catch { return Listing(completeness: .partial(.notSubscriptions)) }
  }

  private static func listing(of urls: [JSONValue]) -> Listing {
    var listing = Listing(completeness: .whole)
    var known: Set<RemoteURL> = []
    for (index, text) in urls.lazy.map({ $0.string?.collapsed ?? "" }).enumerated() {
      do throws(RemoteURL.Problem) {
        let url = try RemoteURL(reference: text, base: nil)
        guard known.insert(url).inserted else { continue }
        guard listing.entries.count < OutlineBuilder.maximumEntries else {
          listing.completeness = .partial(.excessive("\(OutlineBuilder.maximumEntries) feeds"))
          break
        }
        listing.entries.append(ListingEntry(url: url))
      } catch {
        listing.flaws.append(.badURL(text), entry: index + 1)
        if listing.unusable.count < OutlineBuilder.maximumEntries { listing.unusable.append(UnusableEntry()) }
      }
    }
    return listing
  }
}
