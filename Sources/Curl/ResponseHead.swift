// SPDX-License-Identifier: Apache-2.0

/// The status line and the whole header section of a final response.
/// A truncated head never becomes a value of this type.
package struct ResponseHead: Hashable, Sendable {
  package enum Version: Hashable, Sendable { case http10, http11, http2, http3 }

  package let version: Version
  package let status: Int
  /// The fields as received, in order, including repetitions.
  package let fields: [HeaderField]
  package let framing: BodyFraming
  /// The other end of the connection, which may be a proxy.
  package let connectedTo: SocketAddressText?
  /// The absolute target of a 3xx response with `Location`, of any scheme. It is not followed. If it cannot be
  /// resolved, this is the field's own text, which no parser of absolute http URLs accepts.
  package let redirectTarget: String?

  /// The first value of a field. The case of the name does not matter.
  package subscript(name: String) -> String? { fields.first { $0.isNamed(name) }?.value }

  /// All values of a field. More than one may be a contradiction.
  package func values(of name: String) -> [String] { fields.filter { $0.isNamed(name) }.map(\.value) }
}
