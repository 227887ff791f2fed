// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

extension ManifestReader {
  static func storage(_ top: inout MappingReader) -> StoragePolicy {
    var policy = StoragePolicy()
    top.mapping("storage") { map in
      policy.budget = map.optionalSize("budget") ?? policy.budget
      policy.minFree = map.size("min_free")?.bytes ?? policy.minFree
      policy.warnAt = map.share("warn_at") ?? policy.warnAt
      map.mapping("evict") { evict in
        policy.evict.trigger = evict.share("trigger") ?? policy.evict.trigger
        policy.evict.target = evict.share("target") ?? policy.evict.target
        policy.evict.score = evict.choice("score") ?? policy.evict.score
        policy.evict.minAge = evict.duration("min_age") ?? policy.evict.minAge
        if policy.evict.target > policy.evict.trigger {
          evict.context.report(.targetAboveTrigger, at: evict.peek("target") ?? evict.peek("trigger") ?? evict.node)
        }
      }
      policy.orphans = map.choice("orphans") ?? policy.orphans
      policy.maxDelete = map.deleteLimit("max_delete") ?? policy.maxDelete
      policy.onMissing = map.choice("on_missing") ?? policy.onMissing
      map.mapping("trash") { trash in policy.trashKeep = trash.duration("keep") ?? policy.trashKeep }
    }
    return policy
  }

  static func downloads(_ top: inout MappingReader) -> DownloadPolicy {
    var policy = DownloadPolicy()
    top.mapping("downloads") { map in
      policy.concurrency = map.integer("concurrency", 1...64) ?? policy.concurrency
      policy.perHost = map.integer("per_host", 1...64) ?? policy.perHost
      policy.retries = map.integer("retries", 0...100) ?? policy.retries
      map.mapping("backoff") { backoff in
        policy.backoff.initial = backoff.duration("initial") ?? policy.backoff.initial
        policy.backoff.factor = backoff.number("factor", atLeast: 1) ?? policy.backoff.factor
        policy.backoff.max = backoff.duration("max") ?? policy.backoff.max
        backoff.refuse("jitter", unless: "full")
      }
      policy.retryAfterMax = map.duration("retry_after_max") ?? policy.retryAfterMax
      map.mapping("timeouts") { timeouts in
        policy.connectTimeout = timeouts.duration("connect") ?? policy.connectTimeout
        policy.stallTimeout = timeouts.duration("stall") ?? policy.stallTimeout
      }
      policy.maxItemSize = map.size("max_item_size")?.bytes ?? policy.maxItemSize
      map.mapping("partials") { partials in policy.partialsKeep = partials.duration("keep") ?? policy.partialsKeep }
      policy.userAgent = userAgent(&map)
      policy.headers = headers(&map)
      network(&map, &policy)
      refuseTransferKeys(&map)
    }
    return policy
  }

  private static func userAgent(_ map: inout MappingReader) -> String? {
    guard let node = map.peek("user_agent"), let text = map.text("user_agent"), text != "none" else { return nil }
    if text.hasControlCharacters { map.context.report(.badHeaderValue(name: "User-Agent"), at: node) }
    return text
  }

  private static func network(_ map: inout MappingReader, _ policy: inout DownloadPolicy) {
    map.mapping("network") { network in
      if let node = network.peek("allow_private"), case .sequence(let elements) = node.value {
        _ = network.take("allow_private")
        policy.addresses = .allow(elements.compactMap { grant($0, network) })
      } else if let all = network.truth("allow_private") {
        policy.addresses = all ? .allowAll : .forbidPrivate
      }
      network.refuse("metered", unless: "allow")
    }
  }

  private static func grant(_ node: YAMLNode, _ map: MappingReader) -> PrivateGrant? {
    let key = map.path("allow_private")
    guard let text = map.context.text(node, key, .hostOrRange) else { return nil }
    guard let grant = PrivateGrant(text) else {
      map.context.report(.badValue(key: key, value: text, expected: .hostOrRange), at: node)
      return nil
    }
    return grant
  }

  private static func refuseTransferKeys(_ map: inout MappingReader) {
    map.refuse("segments", unless: "1")
    map.refuse("order", unless: "priority")
    map.refuse("bandwidth", unless: "off")
    map.refuse("max_transfer", unless: "none")
    map.refuse("max_duration", unless: "none")
    map.refuse("proxy", unless: "none")
    map.mapping("tls") { tls in
      tls.refuse("min", unless: "1.2")
      tls.refuse("ca_file", unless: "none")
      tls.refuse("pins", unless: "[]")
      tls.refuse("hsts", unless: "false")
    }
  }

  private static func headers(_ map: inout MappingReader) -> [HTTPField] {
    var fields: [HTTPField] = []
    map.mapping("headers") { headers in
      for (name, pair) in headers.entries {
        _ = headers.take(name)
        guard let value = headers.context.text(pair.value, headers.path(name), .text) else { continue }
        if let problem = headerProblem(name, value) {
          headers.context.report(problem, at: pair.key)
        } else {
          fields.append(HTTPField(name: name, value: value))
        }
      }
    }
    return fields
  }

  /// RFC 9110 §5.1 and §5.5; what frames or ranges a message is the job's own affair.
  private static func headerProblem(_ name: String, _ value: String) -> ManifestProblem? {
    let reserved = [
      "host", "content-length", "range", "if-range", "if-none-match", "if-modified-since", "accept-encoding",
      "transfer-encoding", "connection", "te", "upgrade",
    ]
    let isToken =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
    guard isToken else { return .badHeaderName(name) }
    if reserved.contains(name.lowercased()) { return .reservedHeader(name) }
    return value.hasControlCharacters ? .badHeaderValue(name: name) : nil
  }

  static func alternatives(_ top: inout MappingReader) -> AlternativePolicy {
    var policy = AlternativePolicy()
    top.mapping("alternatives") { map in
      policy.max = map.integer("max", 0...20) ?? policy.max
      policy.tolerance = map.duration("tolerance") ?? policy.tolerance
      policy.confidentWithin = map.duration("confident_within") ?? policy.confidentWithin
      policy.avoidOtherVersions = map.truth("avoid_other_versions") ?? policy.avoidOtherVersions
      if policy.confidentWithin > policy.tolerance {
        let place = map.peek("confident_within") ?? map.peek("tolerance") ?? map.node
        map.context.report(.confidenceBeyondTolerance, at: place)
      }
    }
    return policy
  }

  static func checks(_ top: inout MappingReader) -> CheckPolicy {
    var policy = CheckPolicy()
    top.mapping("checks") { map in
      policy.sniff = map.truth("sniff") ?? policy.sniff
      map.refuse("duration", unless: "off")
    }
    return policy
  }

  static func features(_ top: inout MappingReader) -> Features {
    var features = Features()
    top.mapping("features") { map in
      features.retry = map.truth("retry") ?? features.retry
      features.resume = map.truth("resume") ?? features.resume
      features.alternatives = map.truth("alternatives") ?? features.alternatives
      features.eviction = map.truth("eviction") ?? features.eviction
      features.recovery = map.truth("recovery") ?? features.recovery
    }
    return features
  }

  static func report(_ top: inout MappingReader) -> ReportSettings {
    var settings = ReportSettings()
    top.mapping("report") { map in
      if map.peek("json")?.scalarText == "none" {
        _ = map.take("json")
      } else {
        settings.json = map.filePath("json")
      }
      settings.m3u8 = map.truth("m3u8") ?? settings.m3u8
      for key in ["html", "metrics", "ping", "stale_after"] { map.refuse(key, unless: "none") }
    }
    return settings
  }
}
