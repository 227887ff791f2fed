// SPDX-License-Identifier: Apache-2.0

/// The response of the fault server to one request: its contents, the framing of its body, and the point where it
/// breaks off. The factories name the usual faults; `with` combines them, as in `.breakOff(after: 10, .reset).with {
/// $0.ranges = .ignored }`.
package struct Behaviour: Sendable {
  package enum Answer: Sendable {
    /// The resource of the path, or `entity`.
    case resource
    case status(Int, headers: [HTTPHeader], body: [UInt8])
    /// These bytes in place of a response, then the end of the connection; no bytes for an empty reply.
    case raw([UInt8])
  }

  package enum Ranges: Sendable {
    case honest
    /// 200 with everything, and no `Accept-Ranges`.
    case ignored
    /// 206 with the requested bytes, but a `Content-Range` with another start or total.
    case lying(start: Int?, total: String?)
    /// 206 with the requested bytes and no `Content-Range`.
    case unlabelled
    /// 206 whose `Content-Range` and body begin at 0, whatever was requested.
    case fromZero
    /// 206 whose `Content-Range` is as requested, with bytes from the beginning of the resource.
    case shifted
    /// 206 `multipart/byteranges` with one part.
    case multipart
    /// 416 `bytes */total`; nil for the true total.
    case unsatisfiable(total: Int?)
  }

  package enum Framing: Sendable {
    case contentLength
    /// `Content-Length` with that text: too long, too short, negative, not a number.
    case announced(String)
    /// `Transfer-Encoding: chunked`; if incomplete, the connection closes after the last whole chunk.
    case chunked(complete: Bool)
    /// No length: the end of the connection ends the body.
    case untilClose
  }

  package enum Ending: Sendable {
    /// FIN.
    case close
    /// RST, after the client's side has acknowledged what was sent.
    case reset
  }

  package enum Interruption: Sendable {
    case breakOff(Ending)
    /// Silence until the client leaves, the server stops or the time is over; then the rest follows. Nil for no limit.
    case stall(seconds: Double?)
    /// Silence until the test opens the gate; then the rest follows.
    case hold(Gate)
  }

  package var answer = Answer.resource
  /// Replaces the path's resource: an entity that changed.
  package var entity: Resource?
  package var ranges = Ranges.honest
  /// True to answer `Range` as if `If-Range` held, whatever it names.
  package var ignoresIfRange = false
  package var framing = Framing.contentLength
  /// Added to the response, replacing headers of the same name.
  package var headers: [HTTPHeader] = []
  /// Bytes of body, or of a raw answer, a second; may be less than one. Nil for as fast as the socket takes them.
  package var rate: Double?
  /// The interruption after this number of body bytes of the response; 0 for after the headers. For raw bytes only a
  /// reset counts, after all of them.
  package var interruption: (after: Int, Interruption)?
  /// True to keep the connection although the framing lied.
  package var keepsConnection = false
  /// A gate before the first byte of the response.
  package var gate: Gate?

  package init() {}

  /// A copy with some changes.
  package func with(_ change: (inout Behaviour) -> Void) -> Behaviour {
    var copy = self
    change(&copy)
    return copy
  }
}
