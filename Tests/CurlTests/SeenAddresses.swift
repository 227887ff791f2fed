// SPDX-License-Identifier: Apache-2.0

import Curl
import Synchronization

/// The addresses that an address policy was asked about.
final class SeenAddresses: Sendable {
  private let addresses = Mutex<[SocketAddressText]>([])

  var all: Set<SocketAddressText> { Set(addresses.withLock { $0 }) }

  func allow(_ address: SocketAddressText) -> Bool {
    addresses.withLock { $0.append(address) }
    return true
  }
}
