// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import Synchronization

/// The secrets that a run learns while it works: renewed tokens, codes. None of them is shown from then on.
package final class LearntSecrets: ComingSecrets {
  private struct Content {
    var secrets: Set<Secret> = []
    var mask = SecretMask([Secret]())
  }

  private let content = Mutex(Content())

  package init() {}

  package var mask: SecretMask { content.withLock { $0.mask } }

  package func add(_ secrets: [Secret]) {
    content.withLock { content in
      guard !content.secrets.isSuperset(of: secrets) else { return }
      content.secrets.formUnion(secrets)
      content.mask = SecretMask(content.secrets)
    }
  }
}
