// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport

/// A catalogue of small media files on many hosts, one in twenty with a fault, all derived from one seed.
struct ManyItems {
  /// The fault of an item.
  enum Trouble {
    case none
    /// The faults of the first requests; the next request is answered.
    case passing([Behaviour])
    /// The URL never works, but one on another host does.
    case replaced(Behaviour)
    /// No URL ever works.
    case fatal(Behaviour, hasAlternative: Bool)
  }

  struct Item {
    let number: Int
    let bytes: [UInt8]
    let trouble: Trouble

    var id: String { "item-\(number)" }
    var path: String { "/\(number).mp3" }
    var otherPath: String { "/other/\(number).mp3" }

    /// True if the server may see these numbers of requests to the item's own URL and to its alternative.
    func mayCost(_ own: Int, _ other: Int, retries: Int) -> Bool {
      switch trouble {
      case .none: (own, other) == (1, 0)
      case .passing(let faults):
        // A slow response is complete, and is not requested again.
        Self.spoiling(faults.prefix { !$0.isHarmless }, then: 1).contains(own) && other == 0
      case .replaced(let fault): Self.lasting(fault, retries).contains(own) && other == 1
      case .fatal(let fault, let hasAlternative):
        Self.lasting(fault, retries).contains(own)
          && (hasAlternative ? Self.lasting(fault, retries).contains(other) : other == 0)
      }
    }

    private static func lasting(_ fault: Behaviour, _ retries: Int) -> ClosedRange<Int> {
      spoiling(Array(repeating: fault, count: fault.isTransient ? retries + 1 : 1)[...], then: 0)
    }

    private static func spoiling(_ faults: ArraySlice<Behaviour>, then rest: Int) -> ClosedRange<Int> {
      // The rest after the first fault's position may be too short for the second fault.
      let harmless = faults.dropFirst().count(where: \.isInMiddle)
      // A reused connection that breaks before a response may have been stale: libcurl repeats the request itself, at
      // most five times, which uses up faults.
      let silent = faults.count(where: \.isSilent)
      return (silent > 0 ? rest + 1 : faults.count - harmless + rest)...(faults.count + 5 * silent + rest)
    }

    var isFatal: Bool { if case .fatal = trouble { true } else { false } }
    var isReplaced: Bool { if case .replaced = trouble { true } else { false } }
    var hasAlternative: Bool { if case .fatal(_, true) = trouble { true } else { isReplaced } }
    var hasTrouble: Bool { if case .none = trouble { false } else { true } }
  }

  let hosts: [String]
  let items: [Item]

  init(count: Int, hosts: Int, seed: UInt64) {
    self.hosts = (1...hosts).map { "127.0.0.\($0)" }
    var random = SplitMix64(seed: seed)
    let start = GeneratedAudio(title: "Many", seconds: 0.25, seed: seed).bytes
    let pool = (0..<(256 << 10)).map { _ in UInt8(truncatingIfNeeded: random.next()) & 0x7F }
    items = (0..<count).map { number in
      let label = Array("item \(number) ".utf8)
      // Most are smaller than the size that is written in one piece, and some are larger.
      let length = number % 100 == 7 ? 150_000 : Int.random(in: 0...6000, using: &random)
      let offset = Int.random(in: 0...(pool.count - length), using: &random)
      return Item(
        number: number, bytes: start + label + pool[offset..<offset + length],
        trouble: Self.trouble(number, size: start.count + label.count + length, &random))
    }
  }

  /// One in twenty has a fault; one in ten of these cannot be fetched at all.
  private static func trouble(_ number: Int, size: Int, _ random: inout SplitMix64) -> Trouble {
    guard Int.random(in: 0..<20, using: &random) == 0 else { return .none }
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return .replaced(lasting(&random))
    case 1: return .fatal(lasting(&random), hasAlternative: false)
    case 2: return .fatal(lasting(&random), hasAlternative: true)
    default:
      let count = Int.random(in: 1...2, using: &random)
      return .passing((0..<count).map { _ in passing(size, &random) })
    }
  }

  private static func lasting(_ random: inout SplitMix64) -> Behaviour {
    let all = [Behaviour.status(404), .status(410), .status(403), .htmlPage, .status(500), .resetAtOnce]
    return all[Int.random(in: all.indices, using: &random)]
  }

  private static func passing(_ size: Int, _ random: inout SplitMix64) -> Behaviour {
    let middle = Int.random(in: 1..<size, using: &random)
    let all = [
      Behaviour.resetAtOnce, .breakOff(after: 0, .reset), .breakOff(after: middle, .reset), .breakOff(after: middle),
      .emptyReply, .headersCutOff, .chunked(complete: false), .status(500), .status(502), .status(503, body: "busy"),
      .status(429, ["Retry-After": "0"]), .status(429, ["Retry-After": "1"]), .status(503, ["Retry-After": "1"]),
      .stall(after: middle, seconds: 0.3), .stall(after: middle), .throttle(bytesPerSecond: size * 4),
    ]
    return all[Int.random(in: all.indices, using: &random)]
  }

  func serve(on server: FaultServer) {
    for item in items {
      server.serve(item.path, Resource(bytes: item.bytes, etag: "\"\(item.number)\""))
      switch item.trouble {
      case .none: break
      case .passing(let faults): server.script(item.path, faults + [.honest])
      case .replaced(let fault):
        server.script(item.path, [fault])
        server.serve(item.otherPath, Resource(bytes: item.bytes))
      case .fatal(let fault, _):
        for path in [item.path, item.otherPath] { server.script(path, [fault]) }
      }
    }
  }

  /// The playlist's items as lines of a manifest.
  func lines(_ server: FaultServer) -> String {
    items.map { item in
      let url = server.url(item.path, host: hosts[item.number % hosts.count])
      let other = server.url(item.otherPath, host: hosts[(item.number + 1) % hosts.count])
      let alternative = item.hasAlternative ? ", alternatives: [{ url: \"\(other)\" }]" : ""
      return "      - { id: \(item.id), title: \(item.id), url: \"\(url)\"\(alternative) }\n"
    }.joined()
  }
}

extension Behaviour {
  /// The connection ends without a response.
  fileprivate var isSilent: Bool { if case .raw([]) = answer { true } else { false } }

  fileprivate var isInMiddle: Bool { (interruption?.after ?? 0) > 0 }

  /// Slow, or silent for less than the time limit: not a fault that a retry is for.
  fileprivate var isHarmless: Bool {
    if case .stall(.some)? = interruption?.1 { return true }
    return rate != nil
  }

  /// True if another try of the same URL is worthwhile.
  fileprivate var isTransient: Bool {
    switch answer {
    case .status(let code, _, _): code >= 500
    case .raw: true
    case .resource: false
    }
  }
}
