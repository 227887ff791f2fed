// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport

/// Reads the behaviours of a scenario: `break_off 30000 reset`, `status 503 Retry-After: 1`, several joined by ` + `.
struct BehaviourText {
  enum Problem: Error, Equatable { case unknown(String) }

  /// The gate of the path, for `hold`.
  let gate: Gate

  func read(_ text: String) throws -> Behaviour {
    guard !text.isEmpty else { throw Problem.unknown(text) }
    return try text.split(separator: " + ").reduce(Behaviour.honest) { behaviour, part in
      try add(part.split(separator: " ").map(String.init), to: behaviour)
    }
  }

  private func add(_ words: [String], to behaviour: Behaviour) throws -> Behaviour {
    let rest = words.dropFirst().joined(separator: " ")
    let number = words.count > 1 ? Int(words[1]) : nil
    switch (words.first, number) {
    case ("honest", _): return behaviour
    case ("status", let code?): return answer(code, words.dropFirst(2).joined(separator: " "), behaviour)
    case ("redirect", _): return answer(302, "Location: \(rest)", behaviour)
    case ("break_off", let after?):
      let ending: Behaviour.Ending = words.last == "reset" ? .reset : .close
      return behaviour.with { $0.interruption = (after, .breakOff(ending)) }
    case ("stall", let after?): return behaviour.with { $0.interruption = (after, .stall(seconds: nil)) }
    case ("hold", let after?): return behaviour.with { $0.interruption = (after, .hold(gate)) }
    case ("throttle", _): return try throttle(words, behaviour)
    case ("if_range", _) where rest == "ignored": return behaviour.with { $0.ignoresIfRange = true }
    case ("ranges", _): return try ranges(rest, behaviour)
    case ("content_length", _): return behaviour.with { $0.framing = .announced(rest) }
    case ("chunked", _): return behaviour.with { $0.framing = .chunked(complete: rest != "cut") }
    case ("until_close", _): return behaviour.with { $0.framing = .untilClose }
    case ("header", _): return behaviour.with { $0.headers += headers(rest) }
    case ("other_bytes", let seed?): return behaviour.with { $0.entity = changed(seed, rest) }
    case ("html", _): return behaviour.with { $0.entity = .htmlPage }
    case ("endless", _): return Behaviour.endless().with { $0.entity = endless }
    case ("empty_reply", _): return .emptyReply
    case ("headers_cut", _): return .headersCutOff
    default: throw Problem.unknown(words.joined(separator: " "))
    }
  }

  /// Media according to its first bytes.
  private var endless: Resource {
    Resource(body: GeneratedAudio(title: "Endless", seconds: 1, seed: 1).body(count: .max))
  }

  private func throttle(_ words: [String], _ behaviour: Behaviour) throws -> Behaviour {
    guard words.count == 2, let rate = Double(words[1]), rate > 0 else {
      throw Problem.unknown(words.joined(separator: " "))
    }
    return behaviour.with { $0.rate = rate }
  }

  private func ranges(_ kind: String, _ behaviour: Behaviour) throws -> Behaviour {
    let words = kind.split(separator: " ").map(String.init)
    let ranges: Behaviour.Ranges =
      switch (words.first, words.last) {
      case ("ignored", _): .ignored
      case ("unlabelled", _): .unlabelled
      case ("from_zero", _): .fromZero
      case ("shifted", _): .shifted
      case ("multipart", _): .multipart
      case ("unsatisfiable", let total?): .unsatisfiable(total: Int(total))
      case ("start", let start?): .lying(start: Int(start), total: nil)
      case ("total", let total?): .lying(start: nil, total: total)
      default: throw Problem.unknown("ranges \(kind)")
      }
    return behaviour.with { $0.ranges = ranges }
  }

  private func answer(_ code: Int, _ header: String, _ behaviour: Behaviour) -> Behaviour {
    behaviour.with { $0.answer = .status(code, headers: headers(header), body: []) }
  }

  /// Reads headers written as `Name: value`, separated by ` | `.
  private func headers(_ text: String) -> [HTTPHeader] {
    text.split(separator: " | ").compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return HTTPHeader(String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
    }
  }

  /// `other_bytes SEED SECONDS [ETAG]`: another recording at the same path.
  private func changed(_ seed: Int, _ text: String) -> Resource {
    let words = text.split(separator: " ").map(String.init)
    let seconds = words.count > 1 ? Double(words[1]) ?? 10 : 10
    let audio = GeneratedAudio(title: "Changed", seconds: seconds, seed: UInt64(seed))
    return Resource(bytes: audio.bytes, etag: words.count > 2 ? words[2] : nil)
  }
}
