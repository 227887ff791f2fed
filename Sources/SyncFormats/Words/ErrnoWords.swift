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

/// The error numbers of Linux (asm-generic/errno-base.h, errno.h) that need no constant of their own.
extension ErrnoCode {
  /// The meanings in English, whatever the locale. Rare codes, which no file system is known to return, show their
  /// symbol.
  static let rareWords: [Int32: String] = [
    3: "there is no such process",
    4: "a signal interrupted it",
    7: "the list of arguments is too long",
    8: "the file is not a program that can run here",
    9: "the file is no longer open",
    10: "there is no child process",
    11: "it is not available at the moment",
    12: "out of memory",
    14: "an address is wrong",
    15: "a block device is needed here",
    25: "the device does not support this",
    26: "the file is a program that is running",
    29: "the file cannot be read from a chosen position",
    31: "the file has too many names",
    32: "the reader of the pipe has gone",
    33: "an argument is out of range",
    34: "a result is too large",
    35: "waiting would never end",
    37: "no file locks are to be had there",
    38: "this system does not offer the call",
    39: "the folder is not empty",
    42: "the system reports ENOMSG",
    43: "the system reports EIDRM",
    44: "the system reports ECHRNG",
    45: "the system reports EL2NSYNC",
    46: "the system reports EL3HLT",
    47: "the system reports EL3RST",
    48: "the system reports ELNRNG",
    49: "the system reports EUNATCH",
    50: "the system reports ENOCSI",
    51: "the system reports EL2HLT",
    52: "the system reports EBADE",
    53: "the system reports EBADR",
    54: "the system reports EXFULL",
    55: "the system reports ENOANO",
    56: "the system reports EBADRQC",
    57: "the system reports EBADSLT",
    59: "the system reports EBFONT",
    60: "the system reports ENOSTR",
    61: "no data is there",
    62: "the time is over",
    63: "the system reports ENOSR",
    64: "the system reports ENONET",
    65: "the system reports ENOPKG",
    66: "the system reports EREMOTE",
    67: "the connection to the device is cut",
    68: "the system reports EADV",
    69: "the system reports ESRMNT",
    70: "the system reports ECOMM",
    71: "the other side breaks the protocol",
    72: "the system reports EMULTIHOP",
    73: "the system reports EDOTDOT",
    74: "the file system found damaged data",
    75: "a number is too large for this system",
    76: "the system reports ENOTUNIQ",
    77: "the system reports EBADFD",
    78: "the system reports EREMCHG",
    79: "the system reports ELIBACC",
    80: "the system reports ELIBBAD",
    81: "the system reports ELIBSCN",
    82: "the system reports ELIBMAX",
    83: "the system reports ELIBEXEC",
    84: "the name has bytes that are not allowed there",
    85: "the system reports ERESTART",
    86: "the system reports ESTRPIPE",
    87: "too many users",
    88: "the system reports ENOTSOCK",
    89: "the system reports EDESTADDRREQ",
    90: "the message is too long",
    91: "the system reports EPROTOTYPE",
    92: "the system reports ENOPROTOOPT",
    93: "the system reports EPROTONOSUPPORT",
    94: "the system reports ESOCKTNOSUPPORT",
    95: "the file system does not support this",
    96: "the system reports EPFNOSUPPORT",
    97: "the system reports EAFNOSUPPORT",
    98: "the address is in use",
    99: "the address is not one of this machine",
    100: "the network is down",
    101: "the network cannot be reached",
    102: "the network dropped the connection",
    103: "the connection was aborted",
    104: "the other side reset the connection",
    105: "no buffer space is left",
    106: "the system reports EISCONN",
    107: "the program that serves this file system has ended",
    108: "the connection is shut down",
    109: "the system reports ETOOMANYREFS",
    110: "no answer came in time",
    111: "the connection was refused",
    112: "the host is down",
    113: "no route leads to the host",
    114: "it is already under way",
    115: "it is under way",
    117: "the file system is damaged",
    118: "the system reports ENOTNAM",
    119: "the system reports ENAVAIL",
    120: "the system reports EISNAM",
    121: "the remote device reports an input/output error",
    123: "there is no medium in the drive",
    124: "the medium in the drive is of the wrong kind",
    125: "the operation was cancelled",
    126: "the key that this file is encrypted with is not loaded",
    127: "the key that this file is encrypted with has expired",
    128: "the key that this file is encrypted with was revoked",
    129: "the key was rejected",
    130: "the system reports EOWNERDEAD",
    131: "the state cannot be recovered",
    132: "the system reports ERFKILL",
    133: "the memory has a hardware error",
  ]
}
