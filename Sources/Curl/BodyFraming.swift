// SPDX-License-Identifier: Apache-2.0

/// The way in which a response marks the end of its body (RFC 9112 §6.3).
package enum BodyFraming: Hashable, Sendable {
  case none
  case length(Int64)
  case chunked
  /// Ends with the stream. The length is set if it was announced.
  case stream(Int64?)
  case untilClose

  /// The announced length of the body in bytes.
  package var length: Int64? {
    switch self {
    case .none: 0
    case .length(let length): length
    case .stream(let length): length
    case .chunked, .untilClose: nil
    }
  }

  /// True if a body without an announced length has an end that differs from a broken connection. libcurl reports a body
  /// without its end as an error.
  package var marksEnd: Bool {
    switch self {
    case .chunked, .stream: true
    case .none, .length, .untilClose: false
    }
  }

  /// Header fields that contradict each other, so the message cannot be read safely.
  struct Contradiction: Error, Equatable {
    let detail: String
  }

  init(version: ResponseHead.Version, status: Int, isReplyToHead: Bool, fields: [HeaderField]) throws(Contradiction) {
    let isMultiplexed = version == .http2 || version == .http3
    let length = try Self.announcedLength(fields)
    let isChunked = try Self.isChunked(fields)
    if isReplyToHead || status == 204 || status == 304 {
      self = .none
    } else if isMultiplexed {
      self = .stream(length)
    } else if isChunked {
      self = .chunked
    } else if let length {
      self = .length(length)
    } else {
      self = .untilClose
    }
  }

  /// Repeated fields are allowed if they agree (RFC 9110 §8.6).
  private static func announcedLength(_ fields: [HeaderField]) throws(Contradiction) -> Int64? {
    var announced: Int64?
    for field in fields where field.isNamed("Content-Length") {
      for text in field.value.split(separator: ",", omittingEmptySubsequences: false) {
        let digits = text.trimmingBlanks
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int64(digits) else {
          throw Contradiction(detail: "Content-Length is not a number")
        }
        guard announced == nil || announced == length else { throw Contradiction(detail: "two lengths") }
        announced = length
      }
    }
    return announced
  }

  /// The request asks for no coding, so the response may use only `chunked` (RFC 9112 §6.1, §7.4).
  private static func isChunked(_ fields: [HeaderField]) throws(Contradiction) -> Bool {
    var codings: [String] = []
    for field in fields where field.isNamed("Transfer-Encoding") {
      codings += field.value.split(separator: ",").map { $0.trimmingBlanks.lowercased() }
    }
    codings.removeAll { $0 == "identity" || $0.isEmpty }
    guard codings.isEmpty || codings == ["chunked"] else { throw Contradiction(detail: "unasked transfer coding") }
    return !codings.isEmpty
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at its ends (`OWS` of RFC 9110 §5.6.3).
  var trimmingBlanks: Substring {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    var rest = Substring(self).drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}
