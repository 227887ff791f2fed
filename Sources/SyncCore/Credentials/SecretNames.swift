// SPDX-License-Identifier: Apache-2.0

/// The names of header fields and query parameters with secret values, recognised by a part of the name.
package enum SecretNames {
  private static let parts = [
    "authorization", "cookie", "token", "secret", "api-key", "apikey", "password", "key", "sig", "auth", "pass",
  ]

  package static func contain(_ name: some StringProtocol) -> Bool {
    let name = name.lowercased()
    return parts.contains { name.contains($0) }
  }
}
