// SPDX-License-Identifier: Apache-2.0

/// How the fault server answers one request: what it says, how it frames the body, and where it lets go.
/// The factories name the usual faults; `with` mixes them, as in `.breakOff(after: 10, .reset).with { $0.ranges = .ignored }`.
package struct Behaviour: Sendable {
  package enum Answer: Sendable {
    /// The resource of the path, or `entity`.
    case resource
    case status(Int, headers: [HTTPHeader], body: [UInt8])
    /// Those bytes in place of a response, then the end of the connection; no bytes: an empty reply.
    case raw([UInt8])
  }

  package enum Ranges: Sendable {
    case honest
    /// 200 with everything, and no `Accept-Ranges`.
    case ignored
    /// 206 with the asked bytes, but `Content-Range` says another start or total.
    case lying(start: Int?, total: String?)
    /// 206 with the asked bytes and no `Content-Range`.
    case unlabelled
    /// 206 whose `Content-Range` and body begin at 0, whatever was asked.
    case fromZero
    /// 206 whose `Content-Range` is as asked, with bytes from the beginning of the resource.
    case shifted
    /// 206 `multipart/byteranges` with one part.
    case multipart
    /// 416 `bytes */total`; nil: the true total.
    case unsatisfiable(total: Int?)
  }

  package enum Framing: Sendable {
    case contentLength
    /// `Content-Length` with that text: too long, too short, negative, not a number.
    case announced(String)
    /// `Transfer-Encoding: chunked`; without its end the connection closes after the last whole chunk.
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
    /// Silence until the client goes away, the server stops or the time is over; then the rest follows. Nil: no limit.
    case stall(seconds: Double?)
    /// Silence until the test opens the gate; then the rest follows.
    case hold(Gate)
  }

  package var answer = Answer.resource
  /// In place of the path's resource: an entity that changed.
  package var entity: Resource?
  package var ranges = Ranges.honest
  /// Answers `Range` as if `If-Range` held, whatever it names.
  package var ignoresIfRange = false
  package var framing = Framing.contentLength
  /// Added to the response, in place of headers of the same name.
  package var headers: [HTTPHeader] = []
  /// Bytes of body, or of a raw answer, a second; less than one, too. Nil: as fast as the socket takes them.
  package var rate: Double?
  /// After so many body bytes of this response; 0: after the headers. Of raw bytes only a reset counts, behind all of them.
  package var interruption: (after: Int, Interruption)?
  /// Goes on with the connection although the framing lied.
  package var keepsConnection = false
  /// A gate before the first byte of the response.
  package var gate: Gate?

  package init() {}

  /// A copy with some things changed.
  package func with(_ change: (inout Behaviour) -> Void) -> Behaviour {
    var copy = self
    change(&copy)
    return copy
  }
}
