// SPDX-License-Identifier: Apache-2.0
import CPosix
import Glibc
import SyncCore

/// The start of a program with `posix_spawn`. It gets only the standard streams of its descriptors.
struct ProgramStart {
  /// The program and its arguments, never empty.
  let words: [String]
  /// The variables that it gets in addition to those of this process. They replace those of the same name.
  var variables: [String: String] = [:]
  /// False if it gets no variables of this process but these: those of a run may contain secrets.
  var inheritsVariables = true
  /// The descriptors that become its standard input, output and error. Those that are left out stay as they are.
  let streams: [Int32]
  /// True if it leads a process group of its own.
  let leadsGroup: Bool
  /// The folder in which it begins. Nil for that of this process.
  var folder: String?

  func callAsFunction() throws(ProcessFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    _ = syncjob_close_from(&actions, STDERR_FILENO + 1)
    if let folder { _ = syncjob_begin_in(&actions, folder) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // syncjob ignores these two, which a program does not expect. Threads of the pool block signals.
    var (ignored, none) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&ignored)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&ignored, signal) }
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    posix_spawnattr_setsigmask(&attributes, &none)
    let group = leadsGroup ? POSIX_SPAWN_SETPGROUP : 0
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group))
    var process = pid_t()
    let code = withPointers(to: words) { words in
      withPointers(to: environment) { variables in
        posix_spawnp(&process, self.words[0], &actions, &attributes, words, variables)
      }
    }
    guard code == 0 else { throw .notStarted(ErrnoCode(code)) }
    return process
  }

  private var environment: [String] {
    var result = variables.map { "\($0)=\($1)" }
    guard inheritsVariables else { return result }
    var next = environ
    while let text = next.pointee {
      let line = String(cString: text)
      if variables[String(line.prefix { $0 != "=" })] == nil { result.append(line) }
      next += 1
    }
    return result
  }

  private func withPointers<Value>(
    to texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
  ) -> Value {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}
