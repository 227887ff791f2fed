// SPDX-License-Identifier: Apache-2.0

/// The credentials along one request's way through redirects. Where it leads out of their scope they stay behind and do
/// not come back, as in the Fetch standard (HTTP-redirect fetch, step 13): who sends a request elsewhere may not have it
/// return with them to a place of his choice. The manifest's own header fields keep to the same rule, because they may be
/// keys as well.
package struct CredentialTrail: Sendable {
  private let credentials: [Credentials]
  private let headers: [HTTPField]
  /// First those of the credentials, then those of the headers.
  private let scopes: [CredentialScope]
  private var wasInside: Set<Int> = []
  private var hasLeft: Set<Int> = []

  /// - Parameters:
  ///   - credentials: the first whose scope admits a URL are sent there.
  ///   - headers: fields that go wherever one of `scopes` admits a URL.
  ///   - scopes: of the playlists that the request is for.
  package init(_ credentials: [Credentials], headers: [HTTPField] = [], scopes: [CredentialScope] = []) {
    self.credentials = credentials
    self.headers = headers
    self.scopes = credentials.map(\.scope) + scopes
  }

  /// What the next request carries.
  /// - Parameter isRedirect: the request before it led here; otherwise the way begins anew.
  package mutating func fields(for url: RemoteURL, isRedirect: Bool, at now: Timestamp) -> [CredentialField] {
    if !isRedirect { (wasInside, hasLeft) = ([], []) }
    let admitting = Set(scopes.indices.filter { scopes[$0].admits(url) })
    hasLeft.formUnion(wasInside.subtracting(admitting))
    wasInside.formUnion(admitting)
    let own = ownFields(for: url, at: now)
    let names = Set(own.map { $0.name.lowercased() })
    let isAdmitted = admitting.contains { $0 >= credentials.count && !hasLeft.contains($0) }
    let further = isAdmitted ? headers.filter { !names.contains($0.name.lowercased()) } : []
    return own + further.map { CredentialField($0.name, Secret($0.value)) }
  }

  private func ownFields(for url: RemoteURL, at now: Timestamp) -> [CredentialField] {
    for (index, each) in credentials.enumerated() where !hasLeft.contains(index) {
      let fields = each.fields(for: url, at: now)
      if !fields.isEmpty { return fields }
    }
    return []
  }
}
