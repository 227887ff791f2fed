// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a reference to a URL")
struct RemoteURLReferenceTests {
  /// The table of RFC 3986 §5.4, as far as its references lead to http; `;` and `=` have no meaning of their own there.
  @Test(
    "is resolved against its base as RFC 3986 says",
    arguments: [
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
      ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
      ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
      ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
      ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
      ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
      ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
      ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
      ("https://h.example/x", "https://h.example/x"), ("//h.example:81/x?y=1", "http://h.example:81/x?y=1"),
    ])
  func resolved(reference: String, expected: String) throws {
    let base = try RemoteURL("http://anna:secret@a/b/c/d;p?q")
    let url = try RemoteURL(reference: reference, base: base)
    #expect(url.text == expected)
    #expect(!url.hasCredentials)
  }

  @Test(
    "that leads to nothing that can be fetched is refused, with a base and without one",
    arguments: [
      ("file:///etc/passwd", RemoteURL.Problem.unsupportedScheme("file")), ("mailto:a@b", .unsupportedScheme("mailto")),
      ("//", .noHost), ("/a\\b", .illegalCharacter), ("//a:0/", .badPort("0")),
    ])
  func refused(reference: String, problem: RemoteURL.Problem) throws {
    let base = try RemoteURL("http://a.example")
    #expect(throws: problem) { try RemoteURL(reference: reference, base: base) }
    #expect(throws: RemoteURL.Problem.notAbsolute) { try RemoteURL(reference: "/a.mp3", base: nil) }
  }

  @Test("without a path in its base begins at the root")
  func bareHost() throws {
    for base in ["https://a.example", "https://a.example?x=/y/"] {
      #expect(try RemoteURL(reference: "a.mp3", base: RemoteURL(base)).text == "https://a.example/a.mp3")
    }
  }

  @Test("is a URL of at most 8 KiB")
  func length() throws {
    let base = try RemoteURL("http://a.example/")
    let longest = String(repeating: "x", count: RemoteURL.maximumLength - base.text.utf8.count)
    #expect(try RemoteURL(reference: longest, base: base).text.utf8.count == 8192)
    #expect(throws: RemoteURL.Problem.tooLong) { try RemoteURL(reference: longest + "x", base: base) }
  }
}
