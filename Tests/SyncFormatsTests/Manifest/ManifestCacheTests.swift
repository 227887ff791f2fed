// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import SyncTestSupport
import Testing

@Suite("the cache of a manifest reads back to the manifest that it was written from, or counts as missing")
struct ManifestCacheTests {
  private let key = SHA256Digest(hex: String(repeating: "ab", count: 32))

  private func decode(_ bytes: [UInt8], _ key: SHA256Digest) -> Manifest? {
    ManifestCache.decode(bytes, key: key) {
      ManifestReading(of: String(decoding: $0, as: UTF8.self)).manifest
    } items: { rows in
      .decoded(rows.decoded() ?? [])
    }
  }

  @Test("a manifest with everything in it", arguments: 0..<200)
  func roundTrip(seed: Int) throws {
    let (key, manifest) = (try #require(key), try arbitraryManifest(seed: UInt64(seed)))
    let bytes = try #require(ManifestCache.encode(manifest, key: key))
    #expect(decode(bytes, key) == manifest)
  }

  @Test("every kind of item, in the order of the manifest")
  func items() throws {
    let key = try #require(key)
    let reading = ManifestReading(
      of: """
        version: 1
        library: { path: a }
        playlists:
          p:
            quality: normal
            items:
              - { url: "http://h/a", license: none }
              - id: b
                title: "\u{1F3B5} $ ü"
                artist: x
                album: y
                url: "https://h:8443/b?c=d"
                duration: 3:45.250
                size: 8.6MB
                checksum: sha1:0123456789abcdef0123456789abcdef01234567
                published: 1969-12-31
                priority: high
                pin: false
                license: { url: "https://l/b" }
                alternatives: [{ url: "http://h/c" }, { url: "http://h/d", title: z, duration: 1 }]
              - { id: e, size: 17, urls: { low: "http://h/l", high: "http://h/h" } }
          q: { items: [{ id: e, urls: { low: "http://h/l", high: "http://h/h" } }] }
          empty: { items: [] }
          news: { feed: "http://h/feed" }
        """)
    let manifest = try #require(reading.manifest, "\(reading.findings)")
    let bytes = try #require(ManifestCache.encode(manifest, key: key))
    #expect(decode(bytes, key) == manifest)
    #expect(manifest.playlists[0].source.inlineItems.count == 3)
  }

  @Test("one of another key, or with any byte changed, cut off or added")
  func damage() throws {
    let key = try #require(key)
    let other = try #require(SHA256Digest(hex: String(repeating: "cd", count: 32)))
    let bytes = try #require(ManifestCache.encode(try arbitraryManifest(seed: 7), key: key))
    #expect(decode(bytes, other) == nil)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 1 << UInt8(index % 8)
      #expect(decode(damaged, key) == nil, "byte \(index)")
      #expect(decode(Array(bytes[..<index]), key) == nil, "cut at \(index)")
    }
    #expect(decode(bytes + [0], key) == nil && decode([], key) == nil)
  }

  @Test("credentials of items are never written")
  func credentials() throws {
    let key = try #require(key)
    for item in [
      "{ url: \"https://anna:t0p@h/a\" }", "{ url: \"http://h/a\", alternatives: [{ url: \"http://t0p@h/b\" }] }",
      "{ id: a, urls: { low: \"http://t0p@h/l\", high: \"http://h/h\" } }",
      "{ url: \"http://h/a\", license: { url: \"http://t0p@h/l\" } }",
    ] {
      let reading = ManifestReading(of: "version: 1\nlibrary: { path: a }\nplaylists: { p: { items: [\(item)] } }\n")
      #expect(ManifestCache.encode(try #require(reading.manifest), key: key) == nil, "\(item)")
    }
  }
}
