// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A program outside the project that some tests need. Where it is missing, a test is skipped by name.
package struct Tool: Hashable, Sendable {
  package let name: String

  package init(_ name: String) { self.name = name }

  /// The folder in which `scripts/setup.sh test` puts programs that are not installed.
  private static let peers = "\(#filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined())/.build/peers"

  package static let chromedriver = Tool("chromedriver")
  package static let chromium = Tool("chromium")
  package static let cron = Tool("cron")
  package static let curl = Tool("curl")
  package static let ffmpeg = Tool("ffmpeg")
  package static let ffprobe = Tool("ffprobe")
  /// A Python with the package.
  package static let gpodder = Tool("gpodder-fastapi-router")
  /// A Python with the package.
  package static let maloja = Tool("malojaserver")
  package static let maneki = Tool("maneki")
  package static let mpd = Tool("mpd")
  package static let mpv = Tool("mpv")
  package static let nginx = Tool("nginx")
  package static let nodeExporter = Tool("prometheus-node-exporter")
  package static let promtool = Tool("promtool")
  package static let strace = Tool("strace")
  package static let supysonicCLI = Tool("supysonic-cli")
  package static let supysonicServer = Tool("supysonic-server")
  /// A Python with the package.
  package static let tink = Tool("tink")
  package static let ytdlp = Tool("yt-dlp")

  /// The first executable file of that name in `PATH` or in the directories of system programs.
  package var path: String? {
    let places =
      (Command.variable("PATH") ?? "").split(separator: ":").map(String.init) + [
        "/usr/sbin", "/sbin", "\(Self.peers)/\(name)/bin",
      ]
    return places.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  package var isInstalled: Bool { path != nil }

  /// A command for the tool; nil when it is missing.
  package func command(_ arguments: [String]) -> Command? { path.map { Command($0, arguments) } }
}
