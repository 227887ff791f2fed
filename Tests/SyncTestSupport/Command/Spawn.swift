// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// `posix_spawn` with the three standard streams on pipes, no other inherited descriptor, default signals and a
/// separate process group.
struct Spawn {
  struct Child {
    let pid: Int32
    let input: Int32?
    let output: Int32
    let errors: Int32
  }

  let command: Command

  init(_ command: Command) { self.command = command }

  func start() throws(SystemCallError) -> Child {
    let output = try Pipe()
    let errors = try Pipe()
    let input = try inputPipe()
    defer { for end in [output.writeEnd, errors.writeEnd, input?.readEnd].compactMap({ $0 }) { close(end) } }
    do throws(SystemCallError) {
      try Self.keepDescriptors()
      let pid = try spawn(input: input?.readEnd, output: output.writeEnd, errors: errors.writeEnd)
      return Child(pid: pid, input: input?.writeEnd, output: output.readEnd, errors: errors.readEnd)
    } catch {
      for end in [output.readEnd, errors.readEnd, input?.writeEnd].compactMap({ $0 }) { close(end) }
      throw error
    }
  }

  /// Children inherit libcurl's sockets of this process, and would hold them beyond any limit of their own;
  /// `addclosefrom_np` is not visible to Swift.
  private static func keepDescriptors() throws(SystemCallError) {
    for name in try FileTree.names("/proc/self/fd") {
      // A descriptor that was closed in the meantime needs nothing.
      if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }
  }

  private func inputPipe() throws(SystemCallError) -> Pipe? {
    if case .none = command.input { return nil }
    return try Pipe()
  }

  private func spawn(input: Int32?, output: Int32, errors: Int32) throws(SystemCallError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    var attributes = Self.attributes()
    defer { posix_spawnattr_destroy(&attributes) }
    return try spawn(&actions, &attributes)
  }

  /// The words of the command. A shell changes the directory and becomes the program, since `addchdir_np` is not
  /// visible either.
  private func inDirectory() -> [String] {
    let words = [command.executable] + command.arguments
    guard let directory = command.directory else { return words }
    return ["/bin/sh", "-c", "cd -- \"$0\" && exec \"$@\"", directory] + words
  }

  private static func attributes() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))
    return attributes
  }

  private func spawn(
    _ actions: inout posix_spawn_file_actions_t, _ attributes: inout posix_spawnattr_t
  ) throws(SystemCallError) -> pid_t {
    var pid = pid_t()
    let line = inDirectory()
    let arguments = CStrings(line)
    let environment = CStrings(command.environment.map { "\($0.key)=\($0.value)" }.sorted())
    defer {
      arguments.free()
      environment.free()
    }
    let code = Inheritance.lock.withLock { _ in
      posix_spawn(&pid, line[0], &actions, &attributes, arguments.pointers, environment.pointers)
    }
    guard code == 0 else { throw SystemCallError("posix_spawn \(command.executable)", code: code) }
    return pid
  }
}

/// Between the creation of a descriptor and setting its close-on-exec flag, this process must not spawn: Glibc's
/// overlay shows neither `pipe2` nor `accept4`.
enum Inheritance {
  static let lock = Mutex<Void>(())
}

/// A null-terminated array of C strings.
private struct CStrings {
  let pointers: [UnsafeMutablePointer<CChar>?]

  init(_ strings: [String]) { pointers = strings.map { strdup($0) } + [nil] }

  func free() { for pointer in pointers { Glibc.free(pointer) } }
}
