// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@Suite("a manifest without its playlists")
struct ManifestHeadTests {
  @Test(
    "has every other line",
    arguments: [
      ("playlists:\n  a:\n    - x\n", ""),
      ("version: 1\nplaylists: { a: {} }\nlibrary: { path: x }\n", "version: 1\nlibrary: { path: x }\n"),
      ("a: 1\nplaylists:\n  p:\n\n# remark\n    items:\n\"b\": 2", "a: 1\n\"b\": 2"),
      ("a: 1\r\nplaylists:\r\n  p: 1\r\n\r\nb: 2\r\n", "a: 1\r\nb: 2\r\n"),
    ])
  func cut(_ text: String, _ head: String) throws {
    #expect(try String(decoding: #require(ManifestHead.bytes(of: Array(text.utf8))), as: UTF8.self) == head)
  }

  @Test(
    "is nothing where no line begins with them",
    arguments: ["", "version: 1\n", "{ version: 1, playlists: {} }", " playlists:\n"])
  func absent(_ text: String) {
    #expect(ManifestHead.bytes(of: Array(text.utf8)) == nil)
  }
}
