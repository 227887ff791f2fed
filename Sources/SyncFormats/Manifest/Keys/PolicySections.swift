// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

extension StoragePolicy {
  static let section = Section<StoragePolicy>([
    .value("budget", \.budget, .orNone(.size())),
    .value("min_free", \.minFree, .size()),
    .value("warn_at", \.warnAt, .percentage),
    .section("evict", \.evict, Eviction.section),
    .value("orphans", \.orphans, .choice),
    .value("max_delete", \.maxDelete, .deleteLimit),
    .value("on_missing", \.onMissing, .choice),
    .section("trash", \.self, Section([.value("keep", \.trashKeep, .age)])),
  ])
}

extension StoragePolicy.Eviction {
  static let section = Section<Self>(
    [
      .value("trigger", \.trigger, .percentage), .value("target", \.target, .percentage),
      .value("score", \.score, .choice), .value("min_age", \.minAge, .age),
    ],
    check: { field, policy, context in
      guard policy.target > policy.trigger else { return }
      context.report(.rule(.targetAboveTrigger), of: field, key: "target", "trigger")
    })
}

extension DownloadPolicy {
  static let section = Section<DownloadPolicy>([
    .value("concurrency", \.concurrency, .integer(1...64)),
    .value("per_host", \.perHost, .integer(1...64)),
    .value("segments", \.segments, .integer(1...16)),
    .value("order", \.order, .choice),
    .value("bandwidth", \.bandwidth, .bandwidth),
    .value("retries", \.retries, .integer(0...100)),
    .section("backoff", \.backoff, Backoff.section),
    .value("retry_after_max", \.retryAfterMax, .duration()),
    .section("timeouts", \.self, timeouts),
    .value("max_transfer", \.maxTransfer, .orNone(.size(atLeast: 1))),
    .value("max_duration", \.maxDuration, .orNone(.duration(atLeast: .seconds(1)))),
    .value("max_item_size", \.maxItemSize, .size(atLeast: 1)),
    .section("partials", \.self, Section([.value("keep", \.partialsKeep, .age)])),
    .value("user_agent", \.userAgent, .orNone(.headerValue)),
    .headers,
    .value("proxy", \.proxy, .proxy),
    .section("network", \.self, network),
    .section("tls", \.tls, TLSPolicy.section),
  ])

  private static let network = Section<DownloadPolicy>([
    .value("allow_private", \.addresses, .addresses), .value("metered", \.metered, .choice),
  ])

  private static let timeouts = Section<DownloadPolicy>([
    .value("connect", \.connectTimeout, .duration(atLeast: .milliseconds(1))),
    .value("stall", \.stallTimeout, .duration(atLeast: .seconds(1))),
  ])
}

extension PowerPolicy {
  static let section = Section<PowerPolicy>(
    [
      .optional(Limit.lowBelow.rawValue, \.lowBelow, .percentage),
      .optional(Limit.normalBelow.rawValue, \.normalBelow, .percentage),
      .optional(Limit.prefetchAbove.rawValue, \.prefetchAbove, .percentage),
    ],
    check: { field, policy, context in
      guard let low = policy.lowBelow, let normal = policy.normalBelow, low >= normal else { return }
      context.report(.rule(.lowAboveNormal), of: field, key: Limit.lowBelow.rawValue, Limit.normalBelow.rawValue)
    })
}

extension PlayerSettings {
  static let section = Section<PlayerSettings>([
    .value("program", \.program, .choice), .optional("socket", \.socket, .path), .optional("host", \.host, .text),
    .optional("port", \.port, .integer(1...65535)), .optional("music_directory", \.musicDirectory, .path),
    .value("replay_gain", \.replayGain, .choice), .value("crossfade", \.crossfade, .duration()),
  ])
}

extension TLSPolicy {
  /// No key turns verification off.
  static let section = Section<Self>([
    .value("min", \.min, .tlsVersion), .value("ca_file", \.caFile, .orNone(.path)), .value("pins", \.pins, .pins),
    .value("hsts", \.hsts, .boolean),
  ])
}

extension DownloadPolicy.Backoff {
  static let section = Section<Self>(
    [
      .value("initial", \.initial, .duration()), .value("factor", \.factor, .decimal(1...100)),
      .value("max", \.max, .duration()), .only("jitter", "full"),
    ],
    check: { field, backoff, context in
      guard backoff.initial > backoff.max else { return }
      context.report(.rule(.initialBackoffAboveMax), of: field, key: "initial", "max")
    })
}

extension AlternativePolicy {
  static let section = Section<AlternativePolicy>(
    [
      .value("max", \.max, .integer(0...100)), .value("tolerance", \.tolerance, .duration()),
      .value("confident_within", \.confidentWithin, .duration()),
      .value("avoid_other_versions", \.avoidOtherVersions, .boolean),
      .value("search", \.search, .orNone(.search)),
    ],
    check: { field, policy, context in
      guard let declared = policy.declaredConfidence, declared > policy.tolerance else { return }
      context.report(.rule(.confidentAboveTolerance), of: field, key: "confident_within", "tolerance")
    })
}

extension CheckPolicy {
  static let section = Section<CheckPolicy>([
    .value("sniff", \.sniff, .boolean),
    .value("duration", \.duration, .choice),
  ])
}

extension TagPolicy {
  static let section = Section<TagPolicy>([
    .value("mode", \.mode, .choice), .value("artwork", \.artwork, .choice), .value("chapters", \.chapters, .choice),
  ])
}

extension Features {
  static let section = Section<Features>([
    .value("retry", \.retry, .boolean), .value("resume", \.resume, .boolean),
    .value("alternatives", \.alternatives, .boolean), .value("eviction", \.eviction, .boolean),
    // The state of an interrupted run is always recovered: otherwise it would be lost.
    .later("recovery", "true"),
  ])
}

extension ReportSettings {
  static let section = Section<ReportSettings>([
    .value("json", \.json, .orNone(.path)),
    .value("html", \.html, .orNone(.path)),
    .value("metrics", \.metrics, .orNone(.path)),
    .value("ping", \.ping, .orNone(.ping)),
    .value("m3u8", \.m3u8, .boolean),
    .value("xspf", \.xspf, .boolean),
    .value("sealed_in_playlists", \.sealedInPlaylists, .boolean),
    .value("stale_after", \.staleAfter, .orNone(.age)),
  ])
}

extension HookSettings {
  static let section = Section<HookSettings>([
    .value("item", \.item, .orNone(.command)), .value("run", \.run, .orNone(.command)),
    .value("timeout", \.timeout, .duration(atLeast: .seconds(1))), .value("on_failure", \.onFailure, .choice),
  ])
}

/// The value of `report.ping` while it is read.
private struct PingDraft: Sendable {
  var url: RemoteURL?
  var file: SecretFile?
  var tellsStart = false

  static let section = Section<PingDraft>(
    [
      .optional("url", \.url, .url), .optional("url_file", \.file, .secretFile),
      .value("start", \.tellsStart, .boolean),
    ], rules: [.oneOf(["url", "url_file"])],
    check: { field, _, context in
      guard case .mapping(let pairs) = field.node.content else { return }
      let found = ["url", "url_file"].filter { !field.lacks($0) }
      if found.isEmpty, field.misspelt.isEmpty {
        context.report(.key(.missing("url", section: field.path)), at: field.node.mark)
      } else if found.count > 1 {
        context.report(.rule(.twoPingURLs), at: pairs.first?.keyMark ?? field.node.mark)
      }
    })

  /// Nil without a URL, which was reported.
  var settings: PingSettings? {
    let address = url.map(PingSettings.Address.url) ?? file.map(PingSettings.Address.file)
    return address.map { PingSettings($0, tellsStart: tellsStart) }
  }

  init() {}

  init(_ settings: PingSettings) {
    switch settings.address {
    case .url(let url): self.url = url
    case .file(let file): self.file = file
    }
    tellsStart = settings.tellsStart
  }
}

extension Codec where Value == PingSettings {
  fileprivate static let ping = Codec(
    .mapping, schema: { PingDraft.section.schema(at: "report.ping", isElement: true) },
    read: { field, context in
      var draft = PingDraft()
      PingDraft.section.read(field, into: &draft, context)
      return draft.settings
    }, write: { PingDraft.section.write(PingDraft($0)) })
}

extension ReadingContext {
  /// Reports a rule between two keys at the first of them that is written.
  func report(_ fact: Finding.Fact, of field: Field, key: String, _ other: String) {
    // A value that could not be read was reported, and says nothing about the other one.
    guard ![key, other].contains(where: { field.node[$0].map { hasFinding(at: $0.mark) } ?? false }) else { return }
    let node = field.node[key] ?? field.node[other] ?? field.node
    report(fact, at: node.mark)
  }
}
