// SPDX-License-Identifier: Apache-2.0

/// The status line and the whole header section of a final response. A head that was cut off never becomes one.
package struct ResponseHead: Hashable, Sendable {
  package enum Version: Hashable, Sendable { case http10, http11, http2, http3 }

  package let version: Version
  package let status: Int
  /// As received, in order, with every repetition.
  package let fields: [HeaderField]
  package let framing: BodyFraming
  /// Where the connection goes, be it a proxy.
  package let connectedTo: SocketAddressText?
  /// For a 3xx with `Location`: its target, absolute; the field's own text if it cannot be resolved, which no parser of
  /// absolute http URLs accepts. Not followed, and of any scheme.
  package let redirectTarget: String?

  /// The first value of a field, whatever the case of its name.
  package subscript(name: String) -> String? { fields.first { $0.isNamed(name) }?.value }

  /// All values of a field: more than one may be a contradiction.
  package func values(of name: String) -> [String] { fields.filter { $0.isNamed(name) }.map(\.value) }
}
