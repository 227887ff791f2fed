// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips the test by name if the tool is missing.
  static func requires(_ tool: Tool) -> Self { .enabled(if: tool.isInstalled, "\(tool.name) is not installed") }
}
