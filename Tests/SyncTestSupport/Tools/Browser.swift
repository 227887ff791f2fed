// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A Chromium without a window, driven by its own driver (W3C WebDriver). It can reach loopback alone.
package final class Browser: Sendable {
  package enum Problem: Error, Equatable {
    case notInstalled
    /// It did not start, or answered with an error. Holds the answer.
    case failed(String)
  }

  private let folder: TemporaryDirectory
  private let driver: Mutex<RunningCommand>
  private let session: String

  package init() throws {
    guard let program = Tool.chromedriver.path, let chromium = Tool.chromium.path, Tool.curl.isInstalled else {
      throw Problem.notInstalled
    }
    let folder = try TemporaryDirectory("syncjob-browser")
    self.folder = folder
    let port = try Listener.freePort()
    let driver = try Command(
      program, ["--port=\(port)"], environment: Command.plainEnvironment.merging(["HOME": folder.path]) { $1 },
      directory: folder.path
    ).start()
    self.driver = Mutex(driver)
    let root = "http://127.0.0.1:\(port)"
    // It keeps connections open, so the end of an answer is not the end of its connection.
    let status = Tool.curl.command(["-s", "-m", "5", "\(root)/status"])
    let isReady = driver.isReady(within: 30) {
      // No answer yet.
      (try? status?.run().standardOutput.contains("\"ready\":true")) ?? false
    }
    guard isReady else {
      driver.signal(SIGKILL)
      throw Problem.failed(driver.wait(timeout: 5).standardError)
    }
    let options = """
      {"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"}, \
      "goog:chromeOptions": {"binary": "\(chromium)", "args": ["--headless=new", "--no-sandbox", "--disable-gpu", \
      "--user-data-dir=\(folder.file("profile"))", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]}}}}
      """
    let answer = try Self.post("\(root)/session", options)
    guard let id = answer.text(behind: "\"sessionId\":\"", before: "\"") else {
      driver.signal(SIGKILL)
      throw Problem.failed(answer)
    }
    session = "\(root)/session/\(id)"
  }

  deinit {
    // Without an end of the session its browser would stay.
    _ = try? Tool.curl.command(["-s", "-m", "20", "-X", "DELETE", session])?.run()
    _ = driver.withLock { $0.signal(SIGKILL) }
  }

  /// Opens a page.
  package func open(_ url: String) throws { _ = try ask("url", "{\"url\": \"\(url)\"}") }

  /// Runs a script in the page.
  /// - Parameter script: Without double quotation marks and backslashes. Its `return` is the result.
  /// - Returns: The answer of the driver, JSON with the result in `value`.
  package func run(_ script: String) throws -> String {
    try ask("execute/sync", "{\"script\": \"\(script)\", \"args\": []}")
  }

  /// The messages of the console since the last call, as JSON.
  package func console() throws -> String { try ask("se/log", "{\"type\": \"browser\"}") }

  /// Sets the size of the window's contents and the colours that the person prefers.
  package func show(width: Int, height: Int, isDark: Bool) throws {
    _ = try ask(
      "goog/cdp/execute",
      """
      {"cmd": "Emulation.setDeviceMetricsOverride", "params": \
      {"width": \(width), "height": \(height), "deviceScaleFactor": 1, "mobile": \(width < 600)}}
      """)
    _ = try ask(
      "goog/cdp/execute",
      """
      {"cmd": "Emulation.setEmulatedMedia", "params": \
      {"features": [{"name": "prefers-color-scheme", "value": "\(isDark ? "dark" : "light")"}]}}
      """)
  }

  private func ask(_ command: String, _ body: String) throws -> String {
    let answer = try Self.post("\(session)/\(command)", body)
    guard !answer.contains("\"error\":") else { throw Problem.failed(answer) }
    return answer
  }

  private static func post(_ url: String, _ body: String) throws -> String {
    guard let curl = Tool.curl.command(["-s", "-m", "60", "-H", "Content-Type: application/json", "-d", body, url])
    else {
      throw Problem.notInstalled
    }
    return try curl.run(timeout: 70).standardOutput
  }
}

extension String {
  fileprivate func text(behind start: String, before end: String) -> String? {
    guard let begin = firstRange(of: start)?.upperBound else { return nil }
    return self[begin...].firstRange(of: end).map { String(self[begin..<$0.lowerBound]) }
  }
}
