// SPDX-License-Identifier: Apache-2.0
package import SyncCore

package enum EffectiveManifest {
  package static func text(_ manifest: Manifest) -> String { "" }
}
