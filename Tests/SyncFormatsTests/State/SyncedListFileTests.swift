// SPDX-License-Identifier: Apache-2.0

import SyncCore
import Testing

@testable import SyncFormats

@Suite("the state file of a synced playlist")
struct SyncedListFileTests {
  private func full() throws -> SyncedList {
    var list = SyncedList(
      server: try #require(PlaylistName("home")), title: "Gym \"1\"",
      local: [.song("tr_1"), .foreign("/music/é.mp3"), .song("tr_1")])
    (list.listID, list.base, list.fate) = ("pl_1", ["tr_1", "tr_2"], .toDelete)
    list.sent = ["tr_2", "tr_2"]
    list.editedAt = Timestamp(secondsSince1970: 1_800_000_000)
    let digest = try #require(SHA256Digest(hex: String(repeating: "a", count: 64)))
    list.file = ListFile(name: "Gym.m3u8", digest: digest, entries: list.local)
    list.nextFile = ListFile(name: "Gym 2.m3u8", digest: digest, entries: [])
    return list
  }

  @Test("is read as it was written")
  func roundTrip() throws {
    let bare = SyncedList(server: try #require(PlaylistName("home")), title: "")
    for list in [try full(), bare] {
      let bytes = SyncedListFile.encode(list)
      #expect(try SyncedListFile.decode(bytes) == list)
      #expect(bytes.count { $0 == UInt8(ascii: "\n") } == 1)
    }
  }

  @Test("with any damage nothing is read from it")
  func damage() throws {
    let bytes = SyncedListFile.encode(try full())
    for length in 0..<bytes.count {
      #expect(throws: QueueFileProblem.self, "\(length)") { try SyncedListFile.decode(Array(bytes.prefix(length))) }
    }
    for index in bytes.indices.dropLast() {
      var changed = bytes
      changed[index] ^= 1
      #expect(throws: QueueFileProblem.self, "\(index)") { try SyncedListFile.decode(changed) }
    }
  }
}
