// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncFormats

/// An output stream of the process, unbuffered.
struct Terminal: Sendable {
  private let descriptor: Int32

  static let standardOutput = Terminal(descriptor: STDOUT_FILENO)
  static let standardError = Terminal(descriptor: STDERR_FILENO)

  var isInteractive: Bool { isatty(descriptor) == 1 }

  /// True for standard error, which has the log.
  var isLog: Bool { descriptor == STDERR_FILENO }

  /// True if journald reads it: systemd names the device and inode of the stream that it gave (systemd.exec(5)).
  var isJournal: Bool {
    guard let named = getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    return fstat(descriptor, &status) == 0 && String(cString: named) == "\(status.st_dev):\(status.st_ino)"
  }

  /// The present size. Without a terminal it is 80 by 24, the size of the oldest ones.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Writes all of `text`. A reader that went away or a closed descriptor must not end a run: the rest of the text is
  /// dropped, and the exit status still shows how the run went. A result for which a full disk has no room is an error.
  func write(_ text: String) { write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else {
        let code = errno
        if code == EINTR { continue }
        if descriptor == STDOUT_FILENO, ![EPIPE, EBADF].contains(code) { endWithoutResult(ErrnoCode(code)) }
        return
      }
    }
  }

  /// The work is done and is in the report files; only the output failed.
  private func endWithoutResult(_ code: ErrnoCode) -> Never {
    Terminal.standardError.write(Log.end("cannot write the result to stdout: \(code.words)", .fatal))
    exit(ExitStatus.fatal.rawValue)
  }

  /// Ignores SIGPIPE and SIGXFSZ. SIGPIPE would kill the run in the middle of a transfer when `| head` has read enough,
  /// SIGXFSZ when one file reaches `ulimit -f`. If they are ignored, the call returns an error, which has a sentence.
  static func ignoreWriteSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }
}
