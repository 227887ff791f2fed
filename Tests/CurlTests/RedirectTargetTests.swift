// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Curl

@Suite("The target of a redirect") struct RedirectTargetTests {
  @Test(
    "is resolved against the URL that was asked for",
    arguments: [
      ("/b", "https://h.example/b"),
      ("b?x", "https://h.example/dir/b?x"),
      ("../b", "https://h.example/b"),
      ("?x", "https://h.example/dir/a?x"),
      ("//other.example/b", "https://other.example/b"),
      ("http://other.example/b c", "http://other.example/b%20c"),
      ("file:///etc/passwd", "file:///etc/passwd"),
      ("ftp://h/x", "ftp://h/x"),
      ("", "https://h.example/dir/a"),
      ("#x", "https://h.example/dir/a"),
    ])
  func resolution(location: String, target: String) {
    #expect(RedirectTarget.resolve(location, against: "https://h.example/dir/a") == target)
  }

  @Test(
    "is written as libcurl writes it, the same document's, too",
    arguments: [("", "http://h.example.."), ("#x", "http://h.example..#y"), (" ", "http://h.example..")])
  func spelling(location: String, base: String) {
    #expect(RedirectTarget.resolve(location, against: base) == "http://h.example../")
  }

  @Test("has its signs told by bytes: an accent behind one is part of the same character")
  func accents() {
    let base = "http://h.example/a#\u{301}b"
    #expect(RedirectTarget.resolve("#\u{301}", against: base) == "http://h.example/a")
    #expect(RedirectTarget.resolve("", against: base) == "http://h.example/a")
  }

  @Test("does not take credentials to another host")
  func credentials() {
    #expect(RedirectTarget.resolve("//o.example/b", against: "http://u:p@h.example/a") == "http://o.example/b")
  }

  @Test("that has no authority cannot be had", arguments: ["data:,x", "http://"])
  func unusable(location: String) {
    #expect(RedirectTarget.resolve(location, against: "https://h.example/") == nil)
  }
}
