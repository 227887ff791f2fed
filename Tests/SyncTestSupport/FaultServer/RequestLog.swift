// SPDX-License-Identifier: Apache-2.0

/// One request as the server saw it, and what it sent for it.
package struct LoggedRequest: Equatable, Sendable {
  /// From 1, in the order in which the requests' headers were complete.
  package let ordinal: Int
  /// The connection it came over, from 1.
  package let connection: Int
  package let method: String
  /// Without the query.
  package let path: String
  /// As sent, with the query.
  package let target: String
  package let headers: [HTTPHeader]
  /// The request's own body, at most 1 MiB of it.
  package var body: [UInt8] = []
  /// Nil for raw replies, and before the response has begun.
  package var status: Int?
  /// Body bytes that the socket took, without chunk framing.
  package var bytesSent = 0
  /// Seconds since the server began, when the request was read.
  package let startedAt: Double
  /// Seconds since the server began, when the last byte was sent or the client was lost. Nil: still at it.
  package var finishedAt: Double?

  package var range: String? { headers["Range"] }
  package var ifRange: String? { headers["If-Range"] }
  package var ifNoneMatch: String? { headers["If-None-Match"] }
  package var ifModifiedSince: String? { headers["If-Modified-Since"] }
  package var authorization: String? { headers["Authorization"] }
  package var cookie: String? { headers["Cookie"] }
  package var userAgent: String? { headers["User-Agent"] }

  /// `GET /a.mp3 206 bytes=100-`, for ordered comparison; `-` for a reply without status.
  package var line: String {
    let parts = [method, path, status.map { "\($0)" } ?? "-", range].compactMap { $0 }
    return parts.joined(separator: " ")
  }
}

/// How many at once: now, and at most so far.
struct Concurrency: Sendable {
  private(set) var current = 0
  private(set) var maximum = 0

  mutating func enter() {
    current += 1
    maximum = max(maximum, current)
  }

  mutating func leave() { current -= 1 }
}
