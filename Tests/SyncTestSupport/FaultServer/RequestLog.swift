// SPDX-License-Identifier: Apache-2.0

/// One request as the server saw it, and its response.
package struct LoggedRequest: Equatable, Sendable {
  /// The number of the request, from 1, in the order in which the requests' headers were complete.
  package let ordinal: Int
  /// The number of its connection, from 1.
  package let connection: Int
  package let method: String
  /// The path without the query.
  package let path: String
  /// The target as sent, with the query.
  package let target: String
  package let headers: [HTTPHeader]
  /// The request's own body, at most 1 MiB of it.
  package var body: [UInt8] = []
  /// Nil for raw replies, and before the response has begun.
  package var status: Int?
  /// The number of body bytes that the socket took, without chunk framing.
  package var bytesSent = 0
  /// Seconds since the server began, when the request was read.
  package let startedAt: Double
  /// Seconds since the server began, when the last byte was sent or the client was lost. Nil while it is running.
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

/// A number of simultaneous things: the present one, and the maximum so far.
struct Concurrency: Sendable {
  private(set) var current = 0
  private(set) var maximum = 0

  mutating func enter() {
    current += 1
    maximum = max(maximum, current)
  }

  mutating func leave() { current -= 1 }
}
