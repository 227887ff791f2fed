// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore

/// Returns the result of a system call that reports failure by -1, and repeats a call that a signal interrupted.
func call(
  _ operation: FileError.Operation, _ path: @autoclosure () -> String, to target: @autoclosure () -> String? = nil,
  _ body: () -> Int32
) throws(FileError) -> Int32 {
  while true {
    let result = body()
    if result != -1 { return result }
    let code = errno
    if code != EINTR { throw FileError(operation, path(), to: target(), code: ErrnoCode(code)) }
  }
}
