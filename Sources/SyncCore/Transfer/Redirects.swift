// SPDX-License-Identifier: Apache-2.0

/// The redirects of one request: at most ten, never in a circle, never from https to http.
package struct Redirects: Equatable, Sendable {
  package static let limit = 10

  package private(set) var visited: [RemoteURL]

  package init(from start: RemoteURL) { visited = [start] }

  package var current: RemoteURL { visited[visited.count - 1] }

  /// Follows the redirect to `target`, or throws the reason why it is refused.
  package mutating func follow(_ target: String) throws(Failure) {
    let next: RemoteURL
    do throws(RemoteURL.Problem) { next = try RemoteURL(target) } catch {
      throw .redirectRefused(to: target.withoutSecrets, error == .noHost ? .noHost : .notHTTP)
    }
    if let problem = problem(of: next) { throw .redirectRefused(to: next.redacted, problem) }
    visited.append(next)
  }

  private func problem(of next: RemoteURL) -> RedirectProblem? {
    if current.scheme == .https, next.scheme == .http { return .downgrade }
    if visited.contains(next) { return .circle }
    return visited.count > Self.limit ? .tooMany(limit: Self.limit) : nil
  }
}

extension String {
  /// The text without parts that may be secret: before an `@`, and after a `?` or `#`.
  /// For texts that are not valid URLs.
  fileprivate var withoutSecrets: String {
    let place = prefix { $0 != "?" && $0 != "#" }
    let start = place.firstRange(of: "//").map(\.upperBound) ?? place.startIndex
    let authority = place[start...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return String(place) }
    return String(place[..<start] + place[place.index(after: at)...])
  }
}
