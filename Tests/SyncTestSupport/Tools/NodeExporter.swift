// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A node-exporter on loopback that shows the metrics in the files of one folder, and nothing else.
package final class NodeExporter: Sendable {
  package enum Problem: Error, Equatable {
    case notInstalled
    /// It ended, or did not answer in time. Holds its standard error.
    case didNotStart(String)
  }

  private let port: UInt16
  private let process: Mutex<RunningCommand>

  package init(showing folder: String) throws {
    guard let program = Tool.nodeExporter.path else { throw Problem.notInstalled }
    let port = try Listener.freePort()
    self.port = port
    let process = try Command(
      program,
      [
        "--web.listen-address=127.0.0.1:\(port)", "--collector.disable-defaults", "--collector.textfile",
        "--collector.textfile.directory=\(folder)",
      ]
    ).start()
    self.process = Mutex(process)
    guard
      process.isReady(
        within: 30,
        { PlainRequest.get(port: port, path: "/metrics")?.contains("node_textfile_scrape_error") == true })
    else {
      process.signal(SIGKILL)
      throw Problem.didNotStart(process.wait(timeout: 5).standardError)
    }
  }

  deinit { _ = process.withLock { $0.signal(SIGKILL) } }

  /// The lines of all metrics, as Prometheus gets them.
  package func metrics() -> [String] {
    let answer = PlainRequest.get(port: port, path: "/metrics") ?? ""
    return answer.split(whereSeparator: \.isNewline).map(String.init)
  }
}
