// SPDX-License-Identifier: Apache-2.0

/// The way of one request through redirects: at most ten, never in a circle, never from https to http.
package struct Redirects: Equatable, Sendable {
  package static let limit = 10

  package private(set) var visited: [RemoteURL]

  package init(from start: RemoteURL) { visited = [start] }

  package var current: RemoteURL { visited[visited.count - 1] }

  /// Goes on to `target`, or says why not.
  package mutating func follow(_ target: String) throws(Failure) {
    let next: RemoteURL
    do throws(RemoteURL.Problem) { next = try RemoteURL(target) } catch {
      throw .redirectRefused(to: target.withoutQuery)
    }
    let isDowngrade = current.scheme == .https && next.scheme == .http
    guard !isDowngrade, !visited.contains(next), visited.count <= Self.limit else {
      throw .redirectRefused(to: next.redacted)
    }
    visited.append(next)
  }
}

extension String {
  /// For a text that is no URL and may still carry a secret behind its question mark.
  fileprivate var withoutQuery: String { String(prefix { $0 != "?" }) }
}
