// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

extension Codec where Value == AddressPolicy {
  /// `true`, `false`, or a list of hosts that may have private addresses.
  static let addresses = Codec(
    .privateAccess,
    read: { field, context in
      guard case .sequence(let nodes) = field.node.content else {
        return Codec<Bool>.boolean.read(field, context).map { $0 ? .allowAll : .forbidPrivate }
      }
      return .allow(
        nodes.compactMap {
          Codec<PrivateGrant>.grant.read(Field(section: field.section, key: field.key, node: $0), context)
        })
    },
    write: { policy in
      switch policy {
      case .forbidPrivate: .word("false")
      case .allowAll: .word("true")
      case .allow(let grants): .list(grants.map(Codec<PrivateGrant>.grant.write))
      }
    })
}

extension Codec where Value == PrivateGrant {
  fileprivate static let grant = Codec.scalar(
    .privateAccess, parse: { scalar throws(ValueProblem) in PrivateGrant(scalar.text) }, write: { .string($0.text) })
}
