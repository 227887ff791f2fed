// SPDX-License-Identifier: Apache-2.0

/// The inputs that determine the result of a transfer: all settings in the manifest and the environment except delays
/// and retries. A failure is judged against them.
package struct TransferInputs: Sendable {
  private let manifest: Manifest
  private let largest: ByteCount?
  /// By playlist. Nil if no secret was read.
  private let credentials: [PlaylistName: Credentials]?
  private let environment: ProxyEnvironment?
  private let authOfPlaylists: [PlaylistName: AuthSettings]
  /// The folders whose files the list of a playlist may name.
  private let localRoots: [PlaylistName: [String]]
  /// The formats and options of the playlists whose items are pages.
  private let extractions: [PlaylistName: String]
  /// The places that give licences.
  private let licenses: LicenseSources
  /// A digest of the inputs that all items share.
  private let shared: String

  /// - Parameters:
  ///   - largest: The size of the largest file on the library's file system. Nil for no limit.
  ///   - credentials: The credentials of the playlists in the run.
  ///     Nil if no secret was read, so changed secrets go unnoticed.
  ///   - environment: The proxies in the environment. Nil if they were not read.
  package init(
    _ manifest: Manifest, largest: ByteCount?, credentials: [PlaylistName: Credentials]? = nil,
    environment: ProxyEnvironment? = nil
  ) {
    self.manifest = manifest
    self.largest = largest
    self.credentials = credentials
    self.environment = environment
    authOfPlaylists = manifest.playlists.reduce(into: [:]) { $0[$1.name] = $1.auth }
    localRoots = manifest.playlists.reduce(into: [:]) { $0[$1.name] = $1.source.localRoots.paths }
    extractions = manifest.playlists.reduce(into: [:]) { result, playlist in
      guard let query = playlist.source.extraction, let format = playlist.extractedFormat else { return }
      result[playlist.name] = ([format] + query.arguments).joined(separator: "\u{0}")
    }
    licenses = LicenseSources(manifest)
    var digest = InputDigest()
    digest.addSettings(of: manifest.downloads, manifest.checks, largest: largest)
    shared = String(digest.value, radix: 16)
  }

  /// - Parameters:
  ///   - item: The item as the manifest or its source declares it.
  ///   - playlists: The playlists that name it, in the order of the manifest.
  ///   - isFromSource: True if its URLs come from a source, which may sign them anew at every reading.
  package func mark(of item: Item, in playlists: [PlaylistName], isFromSource: Bool) -> InputMark {
    let urls = candidates(of: item)
    var digest = InputDigest()
    digest.add(shared)
    for url in urls { digest.add(url.scheme.rawValue, isFromSource ? url.identity : url.text) }
    digest.add(item.checksum?.text)
    // Without a licence the mark is that of versions that knew none.
    if let source = licenses.source(of: item, in: playlists) { digest.add("license", source.url.text) }
    if let first = playlists.first, let extraction = extractions[first] { digest.add(extraction) }
    if case .exact(let size)? = item.size { digest.add("\(size.bytes)") }
    // Without local files the mark is that of versions that copied none.
    if urls.contains(where: \.isFile) { for name in playlists { digest.add(localRoots[name.declared] ?? []) } }
    for name in playlists { if let auth = authOfPlaylists[name.declared] { digest.add(auth) } }
    return InputMark(settings: digest.value, secrets: secrets(urls, playlists))
  }

  /// The URLs in the order of trial.
  private func candidates(of item: Item) -> [RemoteURL] {
    guard manifest.features.alternatives || item.main.url.isSearch else { return [item.main.url] }
    return manifest.alternatives.order(of: item).map(\.candidate.url)
  }

  private func secrets(_ urls: [RemoteURL], _ playlists: [PlaylistName]) -> UInt16? {
    guard let credentials else { return nil }
    var digest = InputDigest()
    for field in manifest.downloads.headers { digest.add(field.value) }
    for url in urls {
      digest.add(url.text)
      digest.add(url.login?.exposed)
      digest.add(proxy(for: url)?.text)
    }
    // Without images the mark is that of versions that took none.
    if manifest.asksForImages(playlists) { digest.add("images") }
    for name in playlists where authOfPlaylists[name.declared] != nil {
      // No secrets were read for a playlist outside the run.
      guard let known = credentials[name.declared] else { return nil }
      digest.add(known)
    }
    return digest.shortValue
  }

  private func proxy(for url: RemoteURL) -> ProxyURL? {
    switch manifest.downloads.proxy {
    case .none: nil
    case .environment: environment?.proxy(for: url)
    case .url(let proxy): proxy
    }
  }
}

extension TransferInputs {
  /// The queue for display: a failure whose inputs have changed no longer shows its old message.
  /// - Parameter message: The message that replaces it.
  package func judged(_ queue: Queue, message: String) -> Queue {
    let failed = queue.items.filter { $0.state.name == .failed }
    guard !failed.isEmpty else { return queue }
    let declared = declarations(of: Set(failed.map(\.id)))
    var judged = queue
    for var item in failed {
      guard case .failed(let record) = item.state, let before = record.inputs else { continue }
      let written = declared[item.id]
      let now = mark(
        of: written ?? item.item, in: item.memberships.map(\.playlist), isFromSource: written == nil)
      guard before.differs(from: now, in: record.error.kind) else { continue }
      item.updateFailure { ($0.error.message, $0.isTemporary) = (message, true) }
      judged[item.id] = item
    }
    return judged
  }

  /// The items as the manifest declares them.
  private func declarations(of ids: Set<ItemID>) -> [ItemID: Item] {
    var declared: [ItemID: Item] = [:]
    for playlist in manifest.playlists {
      for item in playlist.source.inlineItems where ids.contains(item.id) && declared[item.id] == nil {
        declared[item.id] = item
      }
    }
    return declared
  }
}

extension InputDigest {
  fileprivate mutating func addSettings(of downloads: DownloadPolicy, _ checks: CheckPolicy, largest: ByteCount?) {
    add("\(downloads.maxItemSize.bytes)", "\(largest?.bytes ?? 0)", "\(checks.sniff)", "\(downloads.addresses)")
    // Without it the mark is that of versions that did not measure durations.
    if checks.duration == .reject { add("duration") }
    add(downloads.tls.min.rawValue, "\(downloads.tls.hsts)")
    add(downloads.tls.caFile)
    for pin in downloads.tls.pins { add(pin.text) }
    switch downloads.proxy {
    case .none: add("direct")
    case .environment: add("environment")
    case .url(let proxy): add("proxy", proxy.redacted)
    }
    add(downloads.userAgent)
    for field in downloads.headers { add(field.name) }
  }

  fileprivate mutating func add(_ folders: [String]) { for folder in folders { add(folder) } }

  fileprivate mutating func add(_ auth: AuthSettings) {
    switch auth.login {
    case .basic(let user, let password)?: add("basic", user, password.kind)
    case .bearer(let token)?: add("bearer", token.kind)
    case .subsonic(let user, let password)?: add("subsonic", user, password.kind)
    case .subsonicKey(let key)?: add("key", key.kind)
    case .listenBrainz(let token)?: add("listenbrainz", token.kind)
    case .oauth(.login(let client), _)?: add("oauth", client.identity)
    case .oauth(.command, _)?: add("oauth", "command")
    case nil: add("none")
    }
    for file in [auth.headerFile, auth.cookiesFile, auth.netrc] { add(file?.path) }
    for host in auth.scope { add(host.text) }
  }

  fileprivate mutating func add(_ credentials: Credentials) {
    for field in credentials.fields where field.place == .header { add(field.name, field.value.exposed) }
    // The parameters are made from the passwords, and differ from run to run.
    if credentials.fields.contains(where: { $0.place == .query }) {
      add("query")
      for password in credentials.passwords { add(password.exposed) }
    }
    for cookie in credentials.cookies { add(cookie.domain, cookie.path, cookie.name, cookie.value.exposed) }
    for entry in credentials.netrc { add(entry.host ?? "", entry.user, entry.password.exposed) }
  }
}

extension SecretSource {
  /// The origin of the secret, without any part of its value.
  fileprivate var kind: String {
    switch self {
    case .written: "written"
    case .file(let file): "file \(file.path)"
    case .command: "command"
    }
  }
}
