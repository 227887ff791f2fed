// SPDX-License-Identifier: Apache-2.0

import SyncCore
package import SyncDisk

/// Asks NetworkManager whether the network is metered: over D-Bus by busctl, otherwise by nmcli.
package struct MeteredNetwork {
  private static let time = Duration.seconds(5)
  private static let output = ByteCount(64 << 10)
  private static let property = [
    "busctl", "--system", "--timeout=3", "get-property", "org.freedesktop.NetworkManager",
    "/org/freedesktop/NetworkManager", "org.freedesktop.NetworkManager", "Metered",
  ]
  private static let devices = ["nmcli", "-g", "GENERAL.METERED", "device", "show"]

  private let runner: any ProcessRunner

  package init(_ runner: any ProcessRunner = POSIXProcessRunner()) { self.runner = runner }

  /// Nil if nobody knows. A guess of NetworkManager counts, such as that of a phone that shares its connection.
  package func isMetered() async -> Bool? {
    if let answer = await output(of: Self.property) { return Self.metered(property: answer) }
    return await output(of: Self.devices).flatMap { Self.metered(devices: $0) }
  }

  /// - Parameter property: A number of the type NMMetered, such as `u 4`: unknown, yes, no, guessed yes, guessed no.
  static func metered(property: String) -> Bool? {
    switch property.split(whereSeparator: \.isWhitespace).last {
    case "1", "3": true
    case "2", "4": false
    default: nil
    }
  }

  /// - Parameter devices: A line for each device, such as `yes (guessed)`, `no` or `unknown`.
  static func metered(devices: String) -> Bool? {
    let lines = devices.split(whereSeparator: \.isNewline)
    if lines.contains(where: { $0.hasPrefix("yes") }) { return true }
    return lines.contains { $0.hasPrefix("no") } ? false : nil
  }

  /// Nil if the program is not there or fails, as without NetworkManager.
  private func output(of words: [String]) async -> String? {
    var call = ProcessCall(words, time: Self.time, output: Self.output)
    call.errors = Self.output
    // Texts are not translated.
    call.variables = ["LC_ALL": "C"]
    do throws(ProcessFailure) {
      let end = try await runner.run(call)
      guard end.status == .exited(0) else { return nil }
      return String(decoding: end.output, as: UTF8.self)
    } catch { return nil }
  }
}
