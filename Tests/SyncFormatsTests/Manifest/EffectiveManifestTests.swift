// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("the effective manifest reads back to the manifest that it was written from")
struct EffectiveManifestTests {
  @Test("a manifest with everything in it", arguments: 0..<200)
  func roundTrip(seed: Int) throws {
    let manifest = try arbitraryManifest(seed: UInt64(seed))
    let text = EffectiveManifest.text(manifest)
    let reading = ManifestReading(of: text)
    #expect(reading.findings.filter { $0.severity == .error } == [], "\(text)")
    #expect(reading.manifest == manifest, "\(text)")
  }

  @Test("credentials are not printed, and a comment says so")
  func credentials() throws {
    let reading = ManifestReading(
      of: """
        version: 1
        library: { path: a }
        downloads: { headers: { Authorization: Bearer t0p, X-Api-Key: t0p, X-Key: t0p, Accept: text/html } }
        playlists:
          p: { items: [{ url: "https://anna:t0p@h/a", alternatives: [{ url: "http://t0p@h/b" }] }] }
          q: { feed: "HTTPS://anna:t0p@h/f" }
        """)
    let text = EffectiveManifest.text(try #require(reading.manifest))
    #expect(!text.contains("t0p"))
    #expect(text.hasPrefix("# Credentials are shown as ***: this is not the manifest to run.\n"))
    #expect(
      text.contains("    Authorization: \"***\"\n    X-Api-Key: \"***\"\n    X-Key: \"***\"\n    Accept: text/html\n"))
    #expect(text.contains("url: \"https://***@h/a\"") && text.contains("feed: \"https://***@h/f\""))
  }

  @Test("passwords, tokens, arguments of commands and a proxy's user are not printed either")
  func authentication() throws {
    let reading = ManifestReading(
      of: """
        version: 1
        library: { path: a }
        downloads: { proxy: "http://anna:t0p@p:3128" }
        defaults: { auth: { user: anna, password: t0p } }
        playlists:
          p: { feed: f }
          q: { feed: f, auth: { bearer: t0p } }
          r: { feed: f, auth: { user: anna, password_command: [pass, show, t0p], scope: [m.example] } }
          s: { feed: f, auth: {} }
        """)
    let manifest = try #require(reading.manifest)
    let text = EffectiveManifest.text(manifest)
    #expect(!text.contains("t0p"))
    #expect(text.hasPrefix("# Credentials are shown as ***: this is not the manifest to run.\n"))
    #expect(text.contains("  proxy: \"http://***@p:3128\"\n"))
    #expect(text.contains("    auth:\n      user: anna\n      password: \"***\"\n      scope: []\n"))
    #expect(text.contains("      password_command:\n        - pass\n        - \"***\"\n        - \"***\"\n"))
    #expect(manifest.playlists.map { $0.auth != nil } == [true, true, true, false])
  }

  @Test("a relative file is looked for among the service manager's credentials first")
  func credentialsDirectory() throws {
    let reading = ManifestReading(
      of: """
        version: 1
        library: { path: a }
        playlists:
          p: { feed: f, auth: { bearer_file: token, netrc: ~/.netrc, cookies_file: ../c, header_file: /h } }
        """, variables: ["CREDENTIALS_DIRECTORY": "/run/credentials/x"])
    let auth = try #require(reading.manifest?.playlists.first?.auth)
    #expect(auth.login == .bearer(.file(SecretFile("/m/token", credential: "/run/credentials/x/token"))))
    #expect([auth.netrc, auth.cookiesFile, auth.headerFile].map { $0?.paths } == [["/home/u/.netrc"], ["/c"], ["/h"]])
  }

  @Test("what names only one of a thing is quoted when YAML would read it as something else")
  func quoting() throws {
    let reading = ManifestReading(
      of:
        "version: 1\nlibrary: { path: a }\nplaylists: { p: { title: \"a: b # \\e \\\"${SET}$${SET}\\\"\", feed: f } }\n"
    )
    let text = EffectiveManifest.text(try #require(reading.manifest))
    #expect(text.contains(##"title: "a: b # \U0000001B \"3$${SET}\"""##))
  }
}

/// A random manifest, the same for the same seed.
func arbitraryManifest(seed: UInt64) throws -> Manifest {
  var random = SplitMix(state: seed)
  var manifest = Manifest(name: random.text(), library: LibrarySettings(path: "/lib/\(random.pathPart())"))
  if random.coin() { manifest.library.state = "/state/\(random.pathPart())" }
  if random.coin() { manifest.library.layout = .episode }
  manifest.library.profile = random.element(of: LibrarySettings.Profile.allCases)
  manifest.library.requireMount = random.coin()
  manifest.storage.budget = random.coin() ? random.size() : nil
  manifest.storage.minFree = random.size()
  manifest.storage.warnAt = random.share()
  manifest.storage.evict.trigger = .percent(100)
  manifest.storage.evict.target = random.share()
  manifest.storage.evict.score = random.element(of: StoragePolicy.Score.allCases)
  manifest.storage.evict.minAge = random.duration()
  manifest.storage.orphans = random.element(of: StoragePolicy.Orphans.allCases)
  manifest.storage.maxDelete = random.coin() ? .share(random.share()) : .count(random.number(below: 1000))
  manifest.storage.onMissing = random.element(of: StoragePolicy.OnMissing.allCases)
  manifest.storage.trashKeep = random.duration()
  manifest.downloads.concurrency = 1 + random.number(below: 64)
  manifest.downloads.order = random.element(of: DownloadPolicy.Order.allCases)
  manifest.downloads.bandwidth = random.bandwidth()
  manifest.downloads.maxTransfer = random.coin() ? random.size() + ByteCount(1) : nil
  manifest.downloads.maxDuration = random.coin() ? random.duration() + .seconds(1) : nil
  manifest.downloads.backoff.initial = .zero
  manifest.downloads.backoff.factor = 1 + Double(random.number(below: 100)) / 8
  manifest.downloads.backoff.max = random.duration()
  manifest.downloads.retryAfterMax = random.duration()
  manifest.downloads.maxItemSize = random.size() + ByteCount(1)
  manifest.downloads.userAgent = random.coin() ? "agent/1 (+https://x.example/?a)" : nil
  if random.coin() { manifest.downloads.headers = [HTTPField(name: "X-A", value: "a: b \"$x\" # c")] }
  manifest.downloads.proxy =
    random.coin() ? .environment : random.coin() ? .none : .url(try #require(ProxyURL("socks5h://[::1]:1080")))
  manifest.downloads.tls.min = random.element(of: TLSPolicy.Version.allCases)
  manifest.downloads.tls.caFile = random.coin() ? "/ca/\(random.pathPart())" : nil
  manifest.downloads.tls.hsts = random.coin()
  if random.coin() {
    manifest.downloads.tls.pins = [
      try #require(PublicKeyPin("sha256//\(String(repeating: "aB+/", count: 11).dropLast())="))
    ]
  }
  manifest.alternatives.tolerance = .hours(1000)
  manifest.alternatives.confidentWithin = random.duration()
  manifest.checks.sniff = random.coin()
  manifest.checks.duration = random.element(of: CheckPolicy.OfDuration.allCases)
  manifest.report.json = random.coin() ? "/r/\(random.pathPart())" : nil
  manifest.report.m3u8 = random.coin()
  manifest.history = (0..<random.number(below: 4)).map { index in
    let kind = random.element(of: HistorySource.Kind.allCases)
    var source = HistorySource(kind: kind, path: "/h/\(index)/\(random.pathPart())")
    if kind == .scrobblerLog {
      source.timezone = random.coin() ? ZoneName(random.coin() ? "+02:00" : "Europe/Berlin") : nil
    } else if random.coin() {
      source.mapping = random.coin() ? .init(musicDirectory: "/m/\(random.pathPart())") : .init(prefix: random.text())
    }
    return source
  }
  manifest.playlists = try (0..<random.number(below: 4)).map { try arbitraryPlaylist("p\($0)", &random) }
  manifest.servers = try (0..<random.number(below: 3)).map { try arbitraryServer("s\($0)", &random) }
  if random.coin() {
    var auth = AuthSettings()
    auth.login = .basic(user: "a", password: .file(SecretFile("/s/p")))
    let pods = MediaServer(
      name: try #require(PlaylistName("pods")), kind: .gpodder, url: try RemoteURL("https://g.example/x"), auth: auth,
      device: try arbitraryDevice(&random))
    manifest.servers.append(pods)
    let direction = random.element(of: HistoryServer.Direction.allCases)
    let actions = direction == .pull ? .plays : random.element(of: HistoryServer.Actions.allCases)
    manifest.historyServers = [HistoryServer(pods, direction, actions: actions)]
  }
  manifest.playlists += try manifest.servers.filter { $0.kind == .subsonic }.map { server in
    let songs = arbitrarySongs(&random)
    var playlist = Playlist(
      name: try #require(PlaylistName("of-\(server.name)")), source: .server(SubsonicQuery(songs, of: server)))
    if songs.isList, random.coin() {
      playlist.sync.direction = .both
      playlist.sync.merge = random.element(of: ListSyncPolicy.Merge.allCases)
      if playlist.sync.merge == .threeWay {
        playlist.sync.onConflict = random.element(of: ListSyncPolicy.OnConflict.allCases)
      }
    }
    (playlist.auth, playlist.select.initial) = (server.auth, .all)
    return playlist
  }
  return manifest
}

private func arbitraryServer(_ name: String, _ random: inout SplitMix) throws -> MediaServer {
  var auth = arbitraryAuth(&random)
  let file = SecretFile("/s/\(random.pathPart())")
  auth.login = random.coin() ? .subsonic(user: "änna $x", password: .file(file)) : .subsonicKey(.command(["/bin/key"]))
  return MediaServer(
    name: try #require(PlaylistName(name)), kind: .subsonic, url: try RemoteURL("https://m.example/music"), auth: auth)
}

private func arbitrarySongs(_ random: inout SplitMix) -> SubsonicQuery.Songs {
  let text = random.text()
  return random.element(of: [
    ServerPlaylists.isPattern(text) ? .playlists(ServerPlaylists([text])) : .playlist(text),
    .playlists(ServerPlaylists([text, "Run *"])), .starredSongs, .starredAlbums, .albums(.frequent, latest: 3),
    .artist(text), .genre(text),
    .search(text),
  ])
}

private func arbitraryPlaylist(_ name: String, _ random: inout SplitMix) throws -> Playlist {
  let items = try (0..<random.number(below: 5)).map { try arbitraryItem("\(name)-\($0)", &random) }
  let feed: ListingLocation =
    random.coin() ? .file("/f/\(random.pathPart())") : .remote(try RemoteURL("https://h/f?a=1"))
  var playlist = Playlist(
    name: try #require(PlaylistName(name)),
    source: random.coin() ? .items(BoxedArray(items)) : .listing(.feed, at: feed))
  playlist.title = random.coin() ? random.text() : nil
  playlist.quality = random.element(of: Quality.allCases)
  playlist.priority = random.element(of: Priority.allCases)
  playlist.pin = random.coin()
  playlist.layout = random.coin() ? .item : nil
  if playlist.isListing {
    playlist.select.initial = random.coin() ? .all : .count(random.number(below: 10))
    playlist.select.latest = random.coin() ? 1 + random.number(below: 10) : nil
    playlist.select.since =
      random.coin()
      ? random.coin() ? .age(.days(random.number(below: 99))) : .date(Timestamp(secondsSince1970: 1_700_000_000)) : nil
    playlist.select.match = try arbitraryFilter(&random)
    playlist.select.exclude = try arbitraryFilter(&random)
    playlist.select.order = random.coin() ? .oldest : .newest
  }
  playlist.retain.atMost = random.coin() ? 1 + random.number(below: 10) : nil
  playlist.retain.keepLast = random.coin() ? 1 + random.number(below: 10) : nil
  playlist.retain.keepWithin = random.coin() ? .days(random.number(below: 30)) : nil
  playlist.retain.keepUnplayed = random.coin()
  playlist.retain.dropPlayedAfter = random.coin() ? .hours(random.number(below: 99)) : nil
  playlist.retain.dropAfter = random.coin() ? .days(31 + random.number(below: 99)) : nil
  playlist.retain.ageBasis = random.coin() ? .completed : .published
  playlist.mirror = random.coin()
  if random.coin() { playlist.auth = arbitraryAuth(&random) }
  return playlist
}

private func arbitraryFilter(_ random: inout SplitMix) throws -> ItemFilter {
  var filter = ItemFilter()
  if random.coin() {
    filter.titles = try ["*a: b*", "/^#[0-9]+ \\$/i", random.text().filter { $0 != "[" }].map {
      try TitlePattern($0)
    }
  }
  if random.coin() { filter.duration.min = .minutes(random.number(below: 9)) }
  if random.coin() { filter.duration.max = .minutes(9 + random.number(below: 9)) }
  if random.coin() { filter.size.max = random.size() }
  if random.coin() { filter.types = ["full", "bonus", "audio/*"].compactMap { ItemType($0) } }
  if random.coin() { filter.season = ItemFilter.Bounds(min: 2, max: random.coin() ? 2 : nil) }
  filter.isExplicit = random.coin() ? random.coin() : nil
  return filter
}

/// Settings without secrets, because secrets are not written.
private func arbitraryAuth(_ random: inout SplitMix) -> AuthSettings {
  var auth = AuthSettings()
  let file = SecretFile("/s/\(random.pathPart())")
  auth.login = random.coin() ? .basic(user: "änna $x", password: .file(file)) : .bearer(.command(["/bin/token"]))
  if random.coin() { auth.headerFile = file }
  if random.coin() { auth.cookiesFile = file }
  if random.coin() { auth.netrc = file }
  auth.scope = ["a.example", "[::1]:80", "http://b.example"].compactMap { random.coin() ? ScopedHost($0) : nil }
  return auth
}

private func arbitraryItem(_ name: String, _ random: inout SplitMix) throws -> Item {
  let id = try #require(ItemID("\(name) \(random.pathPart())"))
  var item = Item(id: id, title: random.text(), main: Candidate(url: try RemoteURL("https://h:8443/\(name)?q=$1&a=*b")))
  item.artist = random.coin() ? random.text() : nil
  item.album = random.coin() ? random.text() : nil
  item.duration = random.coin() ? random.duration() : nil
  item.published = random.coin() ? Timestamp(secondsSince1970: Int64(random.number(below: 4_000_000_000))) : nil
  item.priority = random.coin() ? .high : nil
  item.pin = random.coin() ? random.coin() : nil
  item.size = random.coin() ? .exact(random.size()) : random.coin() ? .about(random.size()) : nil
  item.checksum = random.coin() ? Checksum(.md5, hex: String(repeating: "a", count: 32)) : nil
  item.alternatives = try (0..<random.number(below: 3)).map {
    Candidate(
      url: try RemoteURL("http://[::1]/\(name)/\($0)"), title: random.coin() ? random.text() : nil,
      duration: random.coin() ? random.duration() : nil)
  }
  return item
}

extension SplitMix {
  /// A text of pieces that have a meaning in YAML, in variables or on terminals.
  fileprivate mutating func text() -> String {
    let pieces = [
      "a", "true", "none", "~", "1e3", "-", "?", ":", ": ", " #", "&a", "*a", "!t", "%", "@", "`", "{", "}", "[", ",",
      "\"", "'", "\\", "$", "${", "$$", "é", "日本", "🎵", "\u{200F}", "\u{2028}", " ", "<<", "|", ">", "=", "0x1",
    ]
    return "t" + (0..<number(below: 6)).map { _ in element(of: pieces) }.joined()
  }

  fileprivate mutating func pathPart() -> String { element(of: ["a", "b c", "$x", "ü", "d.e", "~", "${y}", "#"]) }
  fileprivate mutating func size() -> ByteCount {
    ByteCount((Int64(number(below: 1 << 40)) >> Int64(number(below: 40))) << Int64(number(below: 20)))
  }
  fileprivate mutating func rate() -> ByteRate { ByteRate(max(1024, size().bytes)) }
  fileprivate mutating func bandwidth() -> Bandwidth {
    let entries = (0..<(1 + number(below: 3))).map { index in
      Timetable.Entry(
        weekday: coin() ? element(of: Weekday.allCases) : nil, minute: index * 60 + number(below: 60),
        limit: coin() ? rate() : nil)
    }
    guard coin(), let timetable = Timetable(entries) else { return coin() ? .rate(rate()) : .unlimited }
    return .timetable(timetable)
  }
  fileprivate mutating func share() -> Share { Share(perMille: number(below: 1001)) ?? .percent(1) }
  fileprivate mutating func duration() -> Duration { .milliseconds(number(below: 1_000_000_000)) }
}

private func arbitraryDevice(_ random: inout SplitMix) throws -> GpodderDevice {
  var device: GpodderDevice = random.coin() ? .default : try #require(GpodderDevice("Car_1.x-y"))
  device.caption = random.coin() ? nil : random.text()
  device.kind = random.coin() ? nil : random.element(of: GpodderDevice.Kind.allCases)
  return device
}
