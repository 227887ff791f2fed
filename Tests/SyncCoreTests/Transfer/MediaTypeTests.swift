// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the kinds of media")
struct MediaTypeTests {
  @Test("every kind is found by its own extension, in any case")
  func extensions() {
    for type in MediaType.allCases {
      #expect(MediaType(fileExtension: type.fileExtension) == type)
      #expect(MediaType(fileExtension: type.fileExtension.uppercased()) == type)
    }
    #expect(MediaType(fileExtension: "aif") == .aiff)
    for other in ["", "exe", "html", "mp3.exe", "jpg", "pdf", ".mp3"] {
      #expect(MediaType(fileExtension: other) == nil)
    }
  }

  @Test(
    "a media type tells the kind",
    arguments: [
      ("audio/mpeg", .mp3), ("Audio/MPEG; charset=utf-8", .mp3), (" audio/x-m4a ", .m4a),
      ("audio/ogg;codecs=opus", .ogg),
      ("video/mp4", .mp4), ("application/octet-stream", nil), ("text/html", nil), ("", nil), ("image/jpeg", nil),
    ] as [(String, MediaType?)])
  func mediaTypes(text: String, expected: MediaType?) {
    #expect(MediaType(mediaType: text) == expected)
  }
}
