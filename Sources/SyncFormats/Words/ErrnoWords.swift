// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension ErrnoCode {
  /// The meaning of the system's error number, in English whatever the locale.
  package var words: String {
    switch self {
    case .eacces: "permission denied"
    case .eperm: "operation not permitted"
    case .enoent: "no such file or directory"
    case .enotdir: "a part of the path is not a directory"
    case .eisdir: "it is a directory"
    case .eexist: "it exists already"
    case .enospc: "no space left on the device"
    case .edquot: "disk quota exceeded"
    case .erofs: "the file system is read-only"
    case .eio: "input/output error"
    case .eloop: "a symbolic link is in the way"
    case .enametoolong: "the name is too long"
    case .emfile, .enfile: "too many open files"
    case .efbig: "the file is too large for the file system"
    case .exdev: "it lies on another file system"
    case .ebusy: "it is in use"
    case .enodev, .enxio: "no such device"
    case .estale: "the network file system lost it"
    case .eilseq: "its path is not UTF-8"
    case .einval: "invalid argument"
    default: Self.rareWords[code] ?? "the system reports error \(code)"
    }
  }
}

extension ErrnoCode {
  /// True if nothing of that name exists.
  package var isMissing: Bool { self == .enoent }
}

extension ProcessProblem {
  /// The missing resource and the remedy, without a full stop.
  package var words: String {
    switch self {
    case .noArguments:
      "the command line is empty, without even the program's name; nothing was done. Start syncjob from a shell or with execve(2)"
    case .tooFewDescriptors(let limit, let needed):
      "the process may open only \(limit.counted("file")) at a time and needs \(needed); raise the limit (ulimit -n \(needed))"
    case .noThreads(let code):
      "the system refuses the threads that syncjob needs: \(code.threadWords); raise the limit of processes (ulimit -u,"
        + " pids.max) or of memory (ulimit -v), or allow clone3 in the sandbox"
    }
  }
}

extension ErrnoCode {
  /// The meaning of the code when a thread could not be started.
  package var threadWords: String { self == .eagain ? "too many processes, or too little memory" : words }
}

/// Sentences about the end of the process.
package enum ProcessWords {
  /// The message of a run that had not ended in time after a signal.
  package static let cutOff =
    "the run did not end in time after the signal and is cut off; its state is safe, and the next run goes on from it"
}
