// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A Maloja on loopback in its own folder: a real server to which listens are submitted, with the ListenBrainz API.
package final class Maloja: Sendable {
  package enum Problem: Error, Equatable {
    case notInstalled
    /// It ended, or did not answer in time. Holds its standard error.
    case didNotStart(String)
  }

  package let port: UInt16
  /// The token of its user.
  package let token: String
  private let folder: TemporaryDirectory
  private let process: Mutex<RunningCommand>

  package init() throws {
    guard let python = Tool.maloja.path else { throw Problem.notInstalled }
    let folder = try TemporaryDirectory("syncjob-maloja")
    self.folder = folder
    port = try Listener.freePort()
    let settings = [
      "HOME": folder.path, "MALOJA_DATA_DIRECTORY": folder.path, "MALOJA_SKIP_SETUP": "yes",
      "MALOJA_HOST": "127.0.0.1", "MALOJA_PORT": "\(port)", "MALOJA_FORCE_PASSWORD": "s3cret",
    ]
    let process = try Command(
      python, ["-m", "maloja", "run"], environment: Command.plainEnvironment.merging(settings) { $1 },
      directory: folder.path
    ).start()
    guard process.isReady(within: 60, { [port] in PlainRequest.get(port: port, path: "/apis/mlj_1/serverinfo") != nil })
    else {
      process.signal(SIGKILL)
      throw Problem.didNotStart(process.wait(timeout: 5).standardError)
    }
    self.process = Mutex(process)
    // `default: TOKEN`
    token = try FileBytes.text(folder.file("apikeys.yml")).split { $0.isWhitespace }.last.map { String($0) } ?? ""
  }

  deinit { _ = process.withLock { $0.signal(SIGKILL) } }

  package var url: String { "http://127.0.0.1:\(port)/apis/listenbrainz" }

  /// All listens, as the server's own API returns them.
  package func listens() -> [UInt8] {
    let answer = PlainRequest.get(port: port, path: "/apis/mlj_1/scrobbles?from=2020&to=2030") ?? ""
    return Array(answer.drop { $0 != "{" }.utf8)
  }
}
