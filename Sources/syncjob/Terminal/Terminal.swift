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

  /// As it is now. Where there is no terminal, that of the oldest ones.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Writes all of `text`. A reader that went away or a closed descriptor must not end a run: what cannot be written is
  /// dropped, and the exit status still tells how the run went. A result that a full disk has no room for is an error.
  func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes a line that a person reads; on a terminal it is broken between words.
  func say(_ line: String) {
    write((isInteractive ? line.fitted(toColumns: size.columns) : line) + "\n")
  }

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

  /// What was done is done and in the report files; only the telling failed.
  private func endWithoutResult(_ code: ErrnoCode) -> Never {
    Terminal.standardError.write("syncjob: error: cannot write the result to stdout: \(code.words)\n")
    exit(ExitStatus.fatal.rawValue)
  }

  /// SIGPIPE would kill the run in the middle of a transfer when `| head` has seen enough, SIGXFSZ when one file reaches
  /// `ulimit -f`. Ignored, they leave the error of the call, which has a sentence.
  static func ignoreWriteSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }
}
