// SPDX-License-Identifier: Apache-2.0
import Curl
package import SyncCore
package import SyncDisk

/// The settings that all requests of a run share. They do not change.
package struct DownloadSettings: Sendable {
  package let policy: DownloadPolicy
  package let rules: TransferRules
  package let mask: SecretMask
  /// The secrets that come during the run, which `mask` masks as well.
  package let learnt: LearntSecrets
  package let mustBeMedia: Bool
  package let tags: TagSettings
  package let clock: any WallClock
  /// The inputs that failures of this run depend on.
  package let inputs: TransferInputs
  /// False if the run can do part of its work without a network.
  /// Looks through all URLs of the manifest.
  var mayBeOffline: Bool { !manifest.namesLocalHost && !policy.leadsThroughLocalHost }
  private let manifest: Manifest
  private let userAgent: String
  /// The URLs to which the manifest's headers may be sent, by playlist.
  private let scopes: [PlaylistName: CredentialScope]
  private let credentials: RunCredentials
  /// The hosts of the servers of playlists.
  private let servers: [PlaylistName: String]
  /// The folders whose files the list of a playlist may name.
  private let localRoots: [PlaylistName: LocalRoots]
  private let route: Route
  /// The pages that the manifest names.
  private let pages: [PlaylistName: RemoteURL]
  /// The ways in which the files of playlists are found whose items are pages.
  private let extractions: [PlaylistName: Extraction]
  /// The program that finds them.
  package let ytdlp: YtDlp

  /// - Parameter largest: the size of the largest file that the library's file system takes.
  package init(
    _ manifest: Manifest, largest: ByteCount? = nil, credentials: RunCredentials = RunCredentials(),
    clock: any WallClock, userAgent: String
  ) {
    policy = manifest.downloads
    learnt = LearntSecrets()
    learnt.add(credentials.accounts.values.compactMap(\.secret))
    let known = SecretMask(manifest, credentials.all, proxies: .current)
    mask = credentials.accounts.isEmpty ? known : known.adding(learnt)
    var rules = TransferRules(manifest.downloads, manifest.features, largest: largest)
    rules.mask = mask
    rules.durations = manifest.checks.duration
    self.rules = rules
    mustBeMedia = manifest.checks.sniff
    tags = TagSettings(manifest)
    self.clock = clock
    self.manifest = manifest
    self.userAgent = manifest.downloads.userAgent ?? userAgent
    scopes =
      manifest.downloads.headers.isEmpty
      ? [:] : manifest.playlists.reduce(into: [:]) { $0[$1.name] = $1.credentialScope }
    self.credentials = credentials
    servers = manifest.playlists.reduce(into: [:]) { $0[$1.name] = $1.source.query?.url.host }
    localRoots = manifest.playlists.reduce(into: [:]) { roots, playlist in
      let own = playlist.source.localRoots
      if !own.isEmpty { roots[playlist.name] = own }
    }
    route = Route(manifest.downloads, environment: .current)
    let isSearching = manifest.alternatives.search != nil
    extractions = manifest.playlists.reduce(into: [:]) { result, playlist in
      result[playlist.name] =
        Extraction(playlist)
        ?? (isSearching ? Extraction(format: YtDlpQuery.format(for: playlist.settings.quality)) : nil)
    }
    pages = manifest.playlists.reduce(into: [:]) { $0[$1.name] = $1.source.extraction?.url }
    ytdlp = YtDlp(manifest.downloads, mask: mask)
    inputs = TransferInputs(manifest, largest: largest, credentials: credentials.playlists, environment: .current)
  }

  /// The credentials of the playlists' requests: for each URL, the first playlist whose credentials may go there
  /// counts.
  func trail(of playlists: [PlaylistName]) -> CredentialTrail {
    CredentialTrail(
      playlists.compactMap { credentials.playlists[$0.declared] }, headers: policy.headers,
      scopes: playlists.compactMap { scopes[$0.declared] })
  }

  /// The accounts at OAuth 2 providers.
  var accounts: [TokenSource: OAuthAccount] { credentials.accounts }

  var licenseTrail: CredentialTrail { CredentialTrail([credentials.licenses].compactMap(\.self)) }

  func trail(ofHistory server: MediaServer) -> CredentialTrail {
    CredentialTrail([credentials.histories[server.name]].compactMap(\.self))
  }

  /// The way in which the file of an item is found on a page. Nil if its URL is that of the file, and nothing is
  /// searched for.
  func extraction(of download: PlannedDownload) -> Extraction? {
    download.playlists.first.flatMap { extractions[$0.declared] }
  }

  /// True if the manifest itself names the page.
  func isDeclared(_ page: RemoteURL, by playlist: PlaylistName) -> Bool { pages[playlist] == page }

  /// True if the item comes from a server that the manifest declares, and not from another host that the server names.
  func isOfServer(_ download: PlannedDownload) -> Bool {
    let hosts = Set(download.playlists.compactMap { servers[$0.declared] })
    let places = download.task.candidates.map(\.candidate.url).filter { !$0.isSearch }
    return !hosts.isEmpty && !places.isEmpty && places.allSatisfy { hosts.contains($0.host) }
  }

  /// The folders from which an item of these playlists may be copied.
  func roots(of playlists: [PlaylistName]) -> LocalRoots {
    playlists.compactMap { localRoots[$0.declared] }.reduce(into: LocalRoots()) { $0.add($1) }
  }

  /// The request as libcurl gets it.
  /// - Parameters:
  ///   - url: the URL of the request, perhaps with https.
  ///   - credentials: the part of a trail that goes to this URL, including the manifest's headers.
  func transfer(_ request: HTTPRequest, to url: RemoteURL, credentials: [CredentialField]) -> TransferRequest {
    var transfer = TransferRequest(url: url.requestText(with: credentials))
    transfer.minimumTLS = policy.tls.min == .oneThree ? .tls13 : .tls12
    transfer.caFile = policy.tls.caFile
    transfer.pinnedPublicKeys = policy.tls.pins.map(\.text)
    let headers = credentials.filter { $0.place == .header }.map { HTTPField(name: $0.name, value: $0.value.exposed) }
    transfer.fields = (headers + request.fields).compactMap(Self.field)
    if let body = request.body { transfer.method = .post(body) }
    transfer.isOnFreshConnection = request.isOnce
    if let range = request.range {
      transfer.range = ByteRange(from: range.first.bytes, through: range.end.map { $0.bytes - 1 })
      let condition = (range.condition?.fieldValue).map { HTTPField(name: "If-Range", value: $0) }
      transfer.fields += [condition].compactMap { $0 }.compactMap(Self.field)
    }
    transfer.userAgent = request.userAgent ?? userAgent
    transfer.acceptsCompression = request.acceptsCompression
    transfer.connectTimeout = policy.connectTimeout
    transfer.stallTimeout = policy.stallTimeout
    route.lead(&transfer, to: url, isFromSource: request.isFromSource)
    return transfer
  }

  /// Nil for a field that no request may carry; the manifest's reader and the response parser let none through.
  private static func field(_ field: HTTPField) -> HeaderField? {
    do throws(HeaderField.Problem) { return try HeaderField(sending: field.name, field.value) } catch { return nil }
  }

  /// True if some requests may go through a proxy, which libcurl counts as the single host of them all.
  var mayUseProxy: Bool { route.mayUseProxy }

  /// The failure of the proxy that answered in place of the server; nil for a response of the server.
  func proxyFailure(_ head: ResponseHead, _ sent: RemoteURL) -> Failure? {
    guard let proxy = route.proxy(for: sent), let detail = head.proxyProblem else { return nil }
    return mask.masked(.proxy(proxy.redacted, detail: detail))
  }

  /// The reason why a request for `url`, sent to `sent`, failed.
  func failure(_ error: TransferError, _ url: RemoteURL, sent: RemoteURL) -> Failure {
    mask.masked(Failure(error, url: url, proxy: route.proxy(for: sent), connect: policy.connectTimeout))
  }
}

extension DownloadPolicy {
  /// True if the environment names a proxy on this machine.
  var leadsThroughLocalHost: Bool { proxy == .environment && ProxyEnvironment.current.namesLocalHost }
}
