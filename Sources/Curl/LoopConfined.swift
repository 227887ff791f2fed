// SPDX-License-Identifier: Apache-2.0

/// A value that only code on the loop's thread may use, which is checked. It needs no lock.
///
/// Unchecked because no type can express this: several actors have the loop as their executor.
package final class LoopConfined<Value>: @unchecked Sendable {
  private let loop: CurlLoop
  private let content: Value

  package init(_ value: sending Value, to loop: CurlLoop) {
    self.loop = loop
    content = value
  }

  package var value: Value {
    loop.checkIsolated()
    return content
  }
}
