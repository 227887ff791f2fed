// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a path in the library")
struct LibraryPathTests {
  @Test("has components, a parent and a name")
  func parts() throws {
    let file = try path("Commute mix/Roads/Night Drive.mp3")
    #expect(file.components == ["Commute mix", "Roads", "Night Drive.mp3"])
    #expect(file.name == "Night Drive.mp3")
    #expect(file.parent == LibraryPath("Commute mix/Roads"))
    #expect(file.parent?.parent?.parent == nil)
    #expect(try path("x.mp3").parent == nil)
    #expect(try path("x.mp3").name == "x.mp3")
  }

  @Test("names that only look like an ascent are legal", arguments: ["...", "..a", "a..", ".a/b", "a./b", "-rf"])
  func legal(text: String) { #expect(LibraryPath(text)?.text == text) }

  @Test(
    "what leaves the library or names nothing is refused",
    arguments: [
      "", "/", "/etc/passwd", "a/", "a//b", ".", "..", "../a", "a/../b", "a/..", "./a", "a/./b", "a\0b",
    ])
  func refused(text: String) { #expect(LibraryPath(text) == nil) }

  @Test(
    "a combining mark behind a separator does not hide it", arguments: ["../\u{301}a", "a/../\u{301}b", "/\u{301}a"])
  func hidden(text: String) { #expect(LibraryPath(text) == nil) }

  @Test("a name that begins with a combining mark has its folder")
  func combining() throws {
    let file = try path("Mix/\u{301}x.mp3")
    #expect(file.parent == LibraryPath("Mix"))
    #expect(Array(file.name.unicodeScalars) == Array("\u{301}x.mp3".unicodeScalars))
    #expect(file.components.count == 2)
  }

  @Test("is ordered by bytes")
  func order() throws {
    #expect(try ["b", "a/b", "a", "B"].map(path).sorted().map(\.text) == ["B", "a", "a/b", "b"])
  }
}
