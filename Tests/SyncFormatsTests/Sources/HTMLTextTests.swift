// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncFormats

@Suite("HTML in a title")
struct HTMLTextTests {
  @Test(
    "becomes text",
    arguments: [
      ("Night Drive", "Night Drive"), ("<b>Bold</b> Brief &amp; more", "Bold Brief & more"),
      ("&lt;b&gt;Bold&lt;/b&gt;", "Bold"), ("One<br/>Two<BR>Three", "One Two Three"),
      ("<p class=\"a>b\">One</p><p>Two</p>", "One Two"), ("a<!-- <b> -->b", "ab"),
      ("<![CDATA[<i>In</i>]]> out", "In out"), ("<script>alert('<b>')</script>On", "On"),
      ("<a href='https://a.example/?a=1&amp;b=2'>Link</a>", "Link"), ("<img src=x alt='\"'>Tail", "Tail"),
      ("Caf&eacute; &#8211; &#x1F3A7; &#150; &quot;", "Café – 🎧 – \""), ("a&nbsp;b", "a b"), ("a&#10;b", "a b"),
    ])
  func markup(text: String, expected: String) { #expect(text.withoutMarkup.collapsed == expected) }

  @Test(
    "leaves alone what only looks like it",
    arguments: [
      "I <3 you", "a < b > c", "Vector<Int> in Swift", "x <y", "<", "<b", "</", "<!-- open", "AT&T", "a & b;", "&foo;",
      "&#xD800;", "&#7;", "&#99999999999;", "&;", "1 &lt 2", "<ß>",
    ])
  func text(text: String) { #expect(text.withoutMarkup == text) }

  @Test("that was labelled wrongly shows no control characters")
  func controls() {
    #expect("\u{93}Caf\u{E9}\u{94}\u{85} \u{81}".withoutMarkup == "“Café”… \u{FFFD}")
    #expect("Grüße Â".withoutMarkup == "Grüße Â")
  }

  @Test("without an end costs no more than it is long", .timeLimit(.minutes(1)))
  func endless() {
    for piece in ["<!--", "<b", "<script>", "<![CDATA[", "&", "<a '", "<a \">"] {
      let text = String(repeating: piece, count: 10_000)
      #expect(text.withoutMarkup.utf8.count <= text.utf8.count)
    }
  }
}
