// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Curl

@Suite("The bytes of a URL") struct URLOctetsTests {
  @Test(
    "outside ASCII are percent-encoded, but not in the authority",
    arguments: [
      ("http://h.example/é?q=é#é", "http://h.example/%C3%A9?q=%C3%A9#%C3%A9"),
      ("http://h.example?é", "http://h.example?%C3%A9"), ("/é?é=日", "/%C3%A9?%C3%A9=%E6%97%A5"),
      ("é:1", "%C3%A9:1"), ("?é", "?%C3%A9"), ("http://bücher.example:81/ü", "http://bücher.example:81/%C3%BC"),
      ("//bücher.example/ü", "//bücher.example/%C3%BC"), ("http://ü:ö@h.example/ä", "http://ü:ö@h.example/%C3%A4"),
      ("http://h.example/%c3%a9?a=%ff&b=+ c", "http://h.example/%c3%a9?a=%ff&b=+ c"), ("", ""),
    ])
  func encoding(url: String, encoded: String) { #expect(URLOctets(url.utf8).encoded == encoded) }

  @Test("that are not UTF-8 are encoded as they are")
  func undecodable() {
    #expect(URLOctets([0x2F, 0x4C, 0xE9]).encoded == "/L%E9")
    #expect(URLOctets([0x2F, 0xE9, 0x3F, 0xC3, 0xA9, 0xFF]).encoded == "/%E9?%C3%A9%FF")
  }

  @Test(
    "name no host where the authority is empty or missing",
    arguments: [
      ("http:///x", true), ("https:///x", true), ("HTTP:////x", true), ("http:/x", true), ("http:x", true),
      ("http://", true), ("http://?x", true), ("http://#x", true), ("///x", true), ("//", true),
      ("////h.example/x", true),
      ("http://h.example", false), ("http://h.example/x", false), ("//h.example/x", false), ("/x", false), ("x", false),
      ("?http:///x", false), ("", false), ("file:///etc/passwd", false), ("data:,x", false), ("x/http:///y", false),
    ])
  func hosts(url: String, lacksHost: Bool) { #expect(URLOctets(url.utf8).lacksHost == lacksHost) }
}
