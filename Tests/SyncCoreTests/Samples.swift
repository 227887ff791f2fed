// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

// Short ways to say values in tables; what is malformed fails the test that says it.

func id(_ text: String) throws -> ItemID { try #require(ItemID(text)) }

func playlistName(_ text: String) throws -> PlaylistName { try #require(PlaylistName(text)) }

func time(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

func path(_ text: String) throws -> LibraryPath { try #require(LibraryPath(text)) }

/// A digest that differs with `seed`.
func digest(_ seed: Int = 0) throws -> SHA256Digest {
  let digits = String(seed, radix: 16)
  return try #require(SHA256Digest(hex: String(repeating: "0", count: 64 - digits.count) + digits))
}

func storedFile(
  _ place: String, size: Int64 = 1000, completedAt: Timestamp, candidate: Int = 0, seed: Int = 0
) throws -> StoredFile {
  StoredFile(
    path: try path(place), size: ByteCount(size), sha256: try digest(seed), completedAt: completedAt,
    candidate: candidate)
}

func item(
  _ name: String, url: String? = nil, duration: Duration? = nil, alternatives: [Candidate] = []
) throws -> Item {
  var item = Item(
    id: try id(name), title: name, main: Candidate(url: try RemoteURL(url ?? "https://media.example.net/\(name).mp3")))
  item.duration = duration
  item.alternatives = alternatives
  return item
}

func candidate(_ url: String, title: String? = nil, duration: Duration? = nil) throws -> Candidate {
  Candidate(url: try RemoteURL(url), title: title, duration: duration)
}

extension Evictable {
  /// A file that ranks by its own score.
  init(
    id: ItemID, size: ByteCount, completedAt: Timestamp, score: Double, isOrphan: Bool = false, account: Int? = nil
  ) {
    self.init(
      id: id, position: 0, size: size,
      rank: Rank(id: id, score: score, size: size, completedAt: completedAt, isOrphan: isOrphan), account: account)
  }
}
