// SPDX-License-Identifier: Apache-2.0

extension Behaviour {
  /// The resource, with ranges, conditions and keep-alive as RFC 9110 defines them.
  package static let honest = Behaviour()

  package static func status(
    _ code: Int, _ headers: KeyValuePairs<String, String> = [:], body: String = ""
  ) -> Behaviour {
    let headers = [HTTPHeader](headers)
    return Behaviour().with { $0.answer = .status(code, headers: headers, body: Array(body.utf8)) }
  }

  package static func redirect(to location: String, status: Int = 302) -> Behaviour {
    .status(status, ["Location": location])
  }

  package static func breakOff(after bytes: Int, _ ending: Ending = .close) -> Behaviour {
    Behaviour().with { $0.interruption = (bytes, .breakOff(ending)) }
  }

  package static func stall(after bytes: Int, seconds: Double? = nil) -> Behaviour {
    Behaviour().with { $0.interruption = (bytes, .stall(seconds: seconds)) }
  }

  package static func hold(after bytes: Int, _ gate: Gate) -> Behaviour {
    Behaviour().with { $0.interruption = (bytes, .hold(gate)) }
  }

  /// Sends nothing at all until the gate opens.
  package static func holdBack(_ gate: Gate) -> Behaviour { Behaviour().with { $0.gate = gate } }

  package static func throttle(bytesPerSecond: Int) -> Behaviour {
    Behaviour().with { $0.rate = Double(bytesPerSecond) }
  }

  package static func contentLength(_ text: String) -> Behaviour {
    Behaviour().with { $0.framing = .announced(text) }
  }

  package static func contentRange(start: Int? = nil, total: String? = nil) -> Behaviour {
    Behaviour().with { $0.ranges = .lying(start: start, total: total) }
  }

  package static let rangesIgnored = Behaviour().with { $0.ranges = .ignored }
  package static let partialUnlabelled = Behaviour().with { $0.ranges = .unlabelled }
  package static let partialFromZero = Behaviour().with { $0.ranges = .fromZero }
  package static let partialShifted = Behaviour().with { $0.ranges = .shifted }
  package static let ifRangeIgnored = Behaviour().with { $0.ignoresIfRange = true }
  package static let multipart = Behaviour().with { $0.ranges = .multipart }

  package static func unsatisfiable(total: Int? = nil) -> Behaviour {
    Behaviour().with { $0.ranges = .unsatisfiable(total: total) }
  }

  package static func chunked(complete: Bool = true) -> Behaviour {
    Behaviour().with { $0.framing = .chunked(complete: complete) }
  }

  package static let untilClose = Behaviour().with { $0.framing = .untilClose }
  package static let emptyReply = Behaviour().with { $0.answer = .raw([]) }
  /// RST in place of a response.
  package static let resetAtOnce = Behaviour.emptyReply.with { $0.interruption = (0, .breakOff(.reset)) }
  package static let headersCutOff = Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Type: audio/mp")
  package static let htmlPage = Behaviour.entity(.htmlPage)

  package static func raw(_ text: String) -> Behaviour { Behaviour().with { $0.answer = .raw(Array(text.utf8)) } }

  package static func entity(_ resource: Resource) -> Behaviour { Behaviour().with { $0.entity = resource } }

  /// A body that never ends.
  package static func endless(seed: UInt64 = 1, chunked: Bool = false) -> Behaviour {
    Behaviour().with {
      $0.entity = Resource(body: .endless(seed: seed))
      $0.framing = chunked ? .chunked(complete: true) : .untilClose
      $0.ranges = .ignored
    }
  }

  /// Declares that the body is encoded, without encoding it.
  package static func contentEncoding(_ coding: String) -> Behaviour {
    Behaviour().with { $0.headers = [HTTPHeader("Content-Encoding", coding)] }
  }
}
