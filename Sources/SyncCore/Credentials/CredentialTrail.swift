// SPDX-License-Identifier: Apache-2.0

/// The credentials along one request's way through redirects. Where it leads out of their scope they stay behind and do
/// not come back, as in the Fetch standard (HTTP-redirect fetch, step 13): who sends a request elsewhere may not have it
/// return with them to a place of his choice.
package struct CredentialTrail: Sendable {
  private let credentials: [Credentials]
  private var wasInside: Set<Int> = []
  private var hasLeft: Set<Int> = []

  /// - Parameter credentials: the first whose scope admits a URL are sent there.
  package init(_ credentials: [Credentials]) { self.credentials = credentials }

  /// What the next request carries.
  /// - Parameter isRedirect: the request before it led here; otherwise the way begins anew.
  package mutating func fields(for url: RemoteURL, isRedirect: Bool, at now: Timestamp) -> [CredentialField] {
    if !isRedirect { (wasInside, hasLeft) = ([], []) }
    for (index, each) in credentials.enumerated() {
      if each.scope.admits(url) {
        wasInside.insert(index)
      } else if wasInside.contains(index) {
        hasLeft.insert(index)
      }
    }
    for (index, each) in credentials.enumerated() where !hasLeft.contains(index) {
      let fields = each.fields(for: url, at: now)
      if !fields.isEmpty { return fields }
    }
    return []
  }
}
