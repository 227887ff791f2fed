// SPDX-License-Identifier: Apache-2.0

/// Methods that write a name and its value in one call; nil leaves the member out.
extension JSONWriter {
  package mutating func field(_ name: String, _ value: String?) {
    guard let value else { return }
    key(name)
    self.value(value)
  }

  package mutating func field(_ name: String, _ value: (some FixedWidthInteger)?) {
    guard let value else { return }
    key(name)
    self.value(value)
  }

  /// - Precondition: `value` is finite.
  package mutating func field(_ name: String, _ value: Double?) {
    guard let value else { return }
    key(name)
    self.value(value)
  }

  package mutating func field(_ name: String, _ value: Bool?) {
    guard let value else { return }
    key(name)
    self.value(value)
  }

  package mutating func field(_ name: String, verbatim json: some Collection<UInt8>) {
    key(name)
    verbatim(json)
  }

  package mutating func object<E: Error>(
    _ name: String, _ members: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    key(name)
    try object(members)
  }

  package mutating func array<E: Error>(
    _ name: String, _ elements: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    key(name)
    try array(elements)
  }
}
