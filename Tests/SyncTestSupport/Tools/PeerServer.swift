// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A program that serves on loopback, with a folder of its own as its home, until nobody needs it any more.
package final class PeerServer: Sendable {
  package enum Problem: Error, Equatable {
    case notInstalled(String)
    /// A command that prepares it failed. Holds its standard error.
    case failed(String)
    /// It ended, or did not answer in time. Holds its standard error.
    case didNotStart(String)
  }

  package let port: UInt16
  package let folder: TemporaryDirectory
  private let process: Mutex<RunningCommand>

  /// - Parameters:
  ///   - arguments: Prepares the folder, and returns the arguments for this folder and port.
  ///   - isReady: True if the program answers on the port. It is asked again and again, at most for `seconds`.
  package init(
    _ tool: Tool, variables: (TemporaryDirectory, UInt16) -> [String: String] = { _, _ in [:] },
    arguments: (TemporaryDirectory, UInt16) throws -> [String], within seconds: Double = 30, isReady: (UInt16) -> Bool
  ) throws {
    guard let program = tool.path else { throw Problem.notInstalled(tool.name) }
    let (folder, port) = (try TemporaryDirectory("syncjob-peer"), try Listener.freePort())
    (self.folder, self.port) = (folder, port)
    let process = try Self.command(
      program, try arguments(folder, port), in: folder, variables(folder, port)
    ).start()
    guard process.isReady(within: seconds, { isReady(port) }) else {
      process.signal(SIGKILL)
      throw Problem.didNotStart(process.wait(timeout: 5).standardError)
    }
    self.process = Mutex(process)
  }

  deinit { _ = process.withLock { $0.signal(SIGKILL) } }

  /// A command with the folder as its home.
  static func command(
    _ program: String, _ arguments: [String], in folder: TemporaryDirectory, _ variables: [String: String] = [:]
  ) -> Command {
    let environment = Command.plainEnvironment.merging(["HOME": folder.path]) { $1 }.merging(variables) { $1 }
    return Command(program, arguments, environment: environment, directory: folder.path)
  }
}
