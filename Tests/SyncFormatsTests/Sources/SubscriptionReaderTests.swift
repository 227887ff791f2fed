// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("the subscriptions at Nextcloud")
struct SubscriptionReaderTests {
  private func read(_ text: String) -> Listing {
    var reader = SubscriptionReader()
    for byte in text.utf8 { reader.feed([byte]) }
    return reader.finish()
  }

  @Test("each URL is an entry without a title, once; what is not a URL is a flaw")
  func entries() {
    let listing = read(
      #"{"add":["https://h.example/a","http://h.example/b","ftp://h.example/b"," https://h.example/a ",7,"x"],"remove":["https://h.example/c"],"timestamp":1}"#
    )
    #expect(listing.entries.map { $0.url.text } == ["https://h.example/a", "http://h.example/b"])
    #expect(listing.entries.allSatisfy { $0.title == nil })
    #expect(listing.completeness == .whole && listing.flaws.count == 3 && listing.unusable.count == 3)
    #expect(read(#"{"add":[]}"#).completeness == .whole)
  }

  @Test(
    "anything else is not read whole",
    arguments: [
      ("", SourceProblem.empty), ("<!DOCTYPE html><html>", .webPage), ("[]", .notSubscriptions),
      (#"{"add":{}}"#, .notSubscriptions), (#"{"add":["https://h.example/a""#, .notSubscriptions),
      ("{}", .notSubscriptions),
    ])
  func others(_ text: String, _ problem: SourceProblem) {
    #expect(read(text).completeness == .partial(problem) && read(text).entries.isEmpty)
  }
}
