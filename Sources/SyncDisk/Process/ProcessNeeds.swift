// SPDX-License-Identifier: Apache-2.0
import CPosix
import Glibc
package import SyncCore

/// The minimum that the program needs from the system. libdispatch waits for ever for a thread that it cannot start,
/// and traps without a descriptor for its poll.
package enum ProcessNeeds {
  /// Three standard streams, the pipe of the signals, the pollers of libdispatch and libcurl, the lock, the library's
  /// folders, and one or two files.
  private static let descriptors = 24
  /// Includes room for the connections and partials of many downloads.
  private static let wantedDescriptors: Int64 = 1024
  /// glibc takes the stack size of threads from RLIMIT_STACK, which is meant for the first thread.
  private static let threadStack: Int64 = 2 << 20
  /// Threads in addition to libdispatch's one per processor: signals, libcurl and a name lookup, libdispatch's own
  /// timers.
  private static let otherThreads = 4

  /// True if the first thread has less stack than the others, and so perhaps too little for the argument parser.
  package static var isFirstStackNarrow: Bool { syncjob_first_stack() < threadStack }

  /// Checks the needs. Call it on the first thread, before anything is awaited.
  package static func check() throws(ProcessProblem) {
    guard let name = ProcessArguments.pointers.first, name.pointee != 0 else { throw .noArguments }
    let limit = syncjob_raise_descriptor_limit(wantedDescriptors)
    guard limit >= Int64(descriptors) else { throw .tooFewDescriptors(limit: Int(limit), needed: descriptors) }
    // If it fails, the threads keep their default size, and the next step shows whether they start.
    _ = syncjob_widen_thread_stacks(threadStack)
    let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let code = syncjob_try_threads(Int32(processors + otherThreads))
    guard code == 0 else { throw .noThreads(ErrnoCode(code)) }
  }
}

/// The command line, as the C entry point has it. Swift's own reads it from /proc, and is empty where that is missing.
package enum ProcessArguments {
  /// The arguments, beginning with the program's name. They live as long as the process.
  package static var pointers: [UnsafePointer<CChar>] {
    (0..<syncjob_argument_count()).compactMap { syncjob_argument($0) }
  }
}
