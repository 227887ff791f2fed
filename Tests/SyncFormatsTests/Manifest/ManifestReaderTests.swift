// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("a manifest is read whole, with every default filled in")
struct ManifestReaderTests {
  @Test("the shortest manifest has all the defaults of the contract")
  func defaults() throws {
    let manifest = try read("version: 1\nlibrary: { path: ./library }\nplaylists: { p: { feed: f.xml } }\n")
    var expected = Manifest(name: "car", library: LibrarySettings(path: "/m/library"))
    var playlist = Playlist(
      name: try #require(PlaylistName("p")), source: .listing(.feed, at: .file("/m/f.xml")))
    playlist.select.initial = .count(3)
    expected.playlists = [playlist]
    #expect(manifest == expected)
  }

  @Test("the sync in defaults is for the playlists that can be synced")
  func syncDefaults() throws {
    let manifest = try read(
      """
      version: 1
      library: { path: ./library }
      servers: { home: { type: subsonic, url: "http://m.example", auth: { user: anna, password: x } } }
      defaults: { sync: both, on_conflict: server }
      playlists:
        a: { feed: f.xml }
        b: { subsonic: { server: home, starred: songs } }
        c: { subsonic: { server: home, playlist: Gym } }
        d: { subsonic: { server: home, playlist: "G*" }, merge: classic }
        e: { subsonic: { server: home, playlist: Gym }, sync: pull }
      """)
    #expect(manifest.playlists.map(\.isSynced) == [false, false, true, true, false])
    #expect(manifest.playlists.map(\.sync.onConflict) == [.merge, .merge, .server, .merge, .merge])
    #expect(manifest.playlists[3].sync.merge == .classic)
    #expect(try read(EffectiveManifest.text(manifest)).playlists.map(\.sync) == manifest.playlists.map(\.sync))
  }

  @Test("every default of the contract may be written out, whether this version acts on it or not")
  func writtenDefaults() throws {
    let written = try read(
      """
      version: 1
      library: { path: ./library, state: .syncjob, profile: auto, require_mount: false }
      storage:
        min_free: 256MiB
        warn_at: 80%
        evict: { trigger: 95%, target: 85%, score: balanced, min_age: 24h }
        orphans: evict-first
        max_delete: 25%
        on_missing: refetch
        trash: { keep: 7d }
        budget: none
      downloads:
        concurrency: 3
        per_host: 2
        segments: 1
        order: priority
        bandwidth: off
        retries: 3
        backoff: { initial: 2s, factor: 2, max: 5m, jitter: full }
        retry_after_max: 10m
        timeouts: { connect: 15s, stall: 30s }
        max_transfer: none
        max_duration: none
        max_item_size: 4GiB
        partials: { keep: 7d }
        user_agent: none
        headers: {}
        proxy: env
        network: { allow_private: false, metered: allow }
        tls: { min: "1.2", ca_file: none, pins: [], hsts: true }
      alternatives: { max: 3, tolerance: 30s, confident_within: 5s, avoid_other_versions: true }
      checks: { sniff: true, duration: warn }
      tags: { mode: off, artwork: off }
      features: { retry: true, resume: true, alternatives: true, eviction: true, recovery: true }
      defaults: { quality: source, priority: normal, pin: false }
      playlists:
        p:
          feed: f.xml
          select: { initial: 3, latest: none, since: none, match: {}, exclude: {}, order: newest }
          retain: { keep_last: none, keep_within: none, keep_unplayed: false,
                    drop_played_after: never, drop_after: never, age_basis: published }
          budget: none
          mirror: false
      servers: {}
      history: []
      protect: { mode: none }
      report: { json: none, html: none, metrics: none, ping: none, m3u8: true, stale_after: none }
      hooks: { item: none, run: none, timeout: 60s }
      """)
    let short = try read("version: 1\nlibrary: { path: ./library }\nplaylists: { p: { feed: f.xml } }\n")
    #expect(written == short)
  }

  @Test("a smaller tolerance takes the default of confident_within along")
  func confidence() throws {
    let policy = try read(
      "version: 1\nlibrary: { path: ./l }\nalternatives: { tolerance: 3s }\nplaylists: { p: { feed: f.xml } }\n"
    ).alternatives
    #expect(policy.confidentWithin == .seconds(3))
  }

  @Test("sections that are left empty declare nothing")
  func emptySections() throws {
    let manifest = try read(
      "version: 1\nlibrary: { path: a }\nstorage:\n  # budget: 1GB\nplaylists:\n  p:\n    items:\n")
    #expect(manifest.storage == StoragePolicy())
    #expect(manifest.playlists.map(\.source) == [.items([])])
  }

  @Test("a playlist takes from the defaults what it does not say itself, wherever they stand")
  func inheritance() throws {
    let manifest = try read(
      """
      version: 1
      library: { path: a }
      playlists:
        p: { feed: f, quality: low, select: { latest: none } }
        q: { feed: g }
      defaults: { quality: high, priority: low, pin: true, mirror: true, layout: "{id}.{ext}", select: { initial: 5, latest: 9 } }
      """)
    let (p, q) = (manifest.playlists[0], manifest.playlists[1])
    #expect(p.quality == .low && p.select.latest == nil && p.select.initial == .count(5) && p.pin)
    #expect(q.quality == .high && q.priority == .low && q.select.latest == 9 && q.mirror)
    #expect(q.layout?.text == "{id}.{ext}")
  }

  @Test("keys that begin with x- are ignored everywhere")
  func ignoredKeys() throws {
    let manifest = try read(
      """
      x-a: !ruby 1
      version: 1
      library: { path: a, x-b: [1] }
      downloads: { headers: { X-Real: "1", x-c: [] }, network: { x-d: 1 } }
      playlists: { x-e: 3, p: { x-f: 1, items: [{ url: "https://h/a", x-g: 1 }] } }
      """.replacing("!ruby ", with: ""))
    #expect(manifest.downloads.headers == [HTTPField(name: "X-Real", value: "1")])
    #expect(manifest.playlists.count == 1)
  }

  @Test("words that YAML 1.1 would take for something else are texts where a text is expected")
  func noGuessing() throws {
    let manifest = try read(
      "version: 1\nlibrary: { path: no }\nplaylists: { on: { items: [{ url: \"https://h/a\", id: 1e3, title: 08:30, artist: ~ }] } }"
    )
    #expect(manifest.library.path == "/m/no")
    guard case .inline(.decoded(let items)) = manifest.playlists[0].source else {
      Issue.record("not inline")
      return
    }
    #expect(items.map(\.id.text) == ["1e3"] && items[0].title == "08:30" && items[0].artist == "~")
  }

  @Test("paths begin at the manifest, at home, or at the root")
  func paths() throws {
    let manifest = try read(
      "version: 1\nlibrary: { path: ~/Music/./x/.., state: ../state/ }\nreport: { json: /tmp//r.json }\nplaylists: { p: { feed: ~ } }\n"
    )
    #expect(manifest.library.path == "/home/u/Music")
    #expect(manifest.library.state == "/state")
    #expect(manifest.report.json == "/tmp/r.json")
    #expect(manifest.playlists[0].source == .listing(.feed, at: .file("/home/u")))
  }

  @Test("variables are replaced in values, also in quotes, but not in keys")
  func variables() throws {
    let manifest = try read(
      """
      version: 1
      library: { path: "${NOPE:-lib}/$$x/$y" }
      downloads: { retries: "${SET}", headers: { Authorization: "Bearer ${TOKEN}" } }
      playlists: { p: { title: "${EMPTY:-P}${EMPTY}", feed: f } }
      """)
    #expect(manifest.library.path == "/m/lib/$x/$y")
    #expect(manifest.downloads.retries == 3)
    #expect(manifest.downloads.headers == [HTTPField(name: "Authorization", value: "Bearer hush")])
    #expect(manifest.playlists[0].title == "P")
  }

  @Test("what is wrong behind an alias is told once, at its anchor")
  func findingOnce() {
    let reading = ManifestReading(
      of: """
        version: 1
        library: { path: a }
        x-d: &d { pin: yes, colour: red, budget: few }
        playlists:
          p: { <<: *d, feed: f }
          q: { <<: *d, feed: g }
        """)
    #expect(reading.manifest == nil)
    #expect(
      reading.findings.map(\.mark) == [
        SourceMark(line: 3, column: 16, length: 3), SourceMark(line: 3, column: 21, length: 6),
        SourceMark(line: 3, column: 42, length: 3),
      ])
  }

  private func read(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> Manifest {
    let reading = ManifestReading(of: text)
    #expect(reading.findings.isEmpty, sourceLocation: location)
    return try #require(reading.manifest, sourceLocation: location)
  }
}
