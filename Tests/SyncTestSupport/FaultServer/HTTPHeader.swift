// SPDX-License-Identifier: Apache-2.0

/// One header line of a request or response.
package struct HTTPHeader: Equatable, Sendable {
  package let name: String
  package let value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension [HTTPHeader] {
  /// The value of the first header of that name, whatever its case.
  package subscript(name: String) -> String? {
    first { $0.name.lowercased() == name.lowercased() }?.value
  }

  init(_ pairs: KeyValuePairs<String, String>) {
    self = pairs.map { HTTPHeader($0.key, $0.value) }
  }

  /// Adds those headers, replacing earlier ones of the same names.
  func replacing(_ others: [HTTPHeader]) -> [HTTPHeader] {
    filter { mine in !others.contains { $0.name.lowercased() == mine.name.lowercased() } } + others
  }
}
