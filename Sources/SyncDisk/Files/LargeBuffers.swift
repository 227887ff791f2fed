// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The system's allocator, told that buffers of a MiB come again and again. Otherwise it returns each of them to the
/// kernel, which clears every page before it hands it out anew. That takes longer than sealing.
enum LargeBuffers {
  private static let areKept: Void = syncjob_keep_buffers(32 << 20)

  /// Has freed buffers kept for the next ones, from now on.
  static func keep() { areKept }
}
