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
      ("/é?é", "https://h.example/%C3%A9?%C3%A9"),
      ("", "https://h.example/dir/a"),
      ("#x", "https://h.example/dir/a"),
    ])
  func resolution(location: String, target: String) {
    #expect(RedirectTarget.resolve(Array(location.utf8), against: "https://h.example/dir/a") == target)
  }

  @Test(
    "is written as libcurl writes it, the same document's, too",
    arguments: [("", "http://h.example.."), ("#x", "http://h.example..#y"), (" ", "http://h.example..")])
  func spelling(location: String, base: String) {
    #expect(RedirectTarget.resolve(Array(location.utf8), against: base) == "http://h.example../")
  }

  @Test("has its signs told by bytes: an accent behind one is part of the same character")
  func accents() {
    let base = "http://h.example/a#\u{301}b"
    #expect(RedirectTarget.resolve(Array("#\u{301}".utf8), against: base) == "http://h.example/a")
    #expect(RedirectTarget.resolve([], against: base) == "http://h.example/a")
  }

  @Test("does not take credentials to another host")
  func credentials() {
    #expect(
      RedirectTarget.resolve(Array("//o.example/b".utf8), against: "http://u:p@h.example/a") == "http://o.example/b")
  }

  @Test("keeps bytes that are not UTF-8")
  func undecodable() {
    #expect(RedirectTarget.resolve([0x2F, 0x4C, 0xE9], against: "http://h.example/é/a") == "http://h.example/L%E9")
    #expect(RedirectTarget.resolve([0xE9], against: "http://h.example/é/a") == "http://h.example/%C3%A9/%E9")
  }

  @Test(
    "that has no authority cannot be had",
    arguments: [
      "data:,x", "http://", "http:///other.example/b", "http:/other.example/b", "///other.example/b", "https:x",
    ])
  func unusable(location: String) {
    #expect(RedirectTarget.resolve(Array(location.utf8), against: "https://h.example/") == nil)
  }
}
