// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore

/// A player that was started here, and the socket that is its standard input. It ends when the socket is closed, however
/// this process ends, if it was told to read commands from there.
package final class PlayerProcess: Sendable {
  private let id: pid_t
  /// The end of the socket that is ours. The caller closes it.
  package let socket: Int32

  /// - Parameter variables: The variables that it gets in addition to those of this process.
  package init(_ words: [String], variables: [String: String] = [:]) throws(ProcessFailure) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .notStarted(ErrnoCode(errno)) }
    defer { close(ends[1]) }
    // Its messages would mix with those of this process.
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(nowhere) }
    let start = ProgramStart(
      words: words, variables: variables, streams: [ends[1], nowhere, nowhere], leadsGroup: true)
    do throws(ProcessFailure) { id = try start() } catch {
      close(ends[0])
      throw error
    }
    socket = ends[0]
    ProcessGroups.note(id)
  }

  /// Waits for its end, and kills it after a time.
  package func end(after grace: Duration) {
    let deadline = ContinuousClock.now + grace
    var status: Int32 = 0
    while true {
      let ended = waitpid(id, &status, WNOHANG)
      if ended == id || (ended < 0 && errno != EINTR) { break }
      if ContinuousClock.now >= deadline { _ = kill(-id, SIGKILL) }
      usleep(5_000)
    }
    ProcessGroups.forget(id)
  }

  /// True if a program of that name is in `PATH`.
  package static func exists(_ name: String) -> Bool {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").contains { folder in
      var facts = stat()
      let file = "\(folder)/\(name)"
      // A folder may have the same name.
      return stat(file, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(file, X_OK) == 0
    }
  }
}
