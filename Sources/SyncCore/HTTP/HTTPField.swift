// SPDX-License-Identifier: Apache-2.0

/// A header field that the manifest adds to requests.
package struct HTTPField: Equatable, Sendable {
  package var name: String
  package var value: String
  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}
