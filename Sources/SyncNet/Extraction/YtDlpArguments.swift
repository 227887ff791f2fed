// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The command lines of yt-dlp. The address always comes behind `--`, so that no text of a source is an option. Options
/// of the manifest come first, and those on which the answer's form depends after them.
struct YtDlpArguments {
  static let program = "yt-dlp"

  /// The options of the manifest.
  let own: [String]
  /// The longest pause of a server.
  let stall: Duration

  static let version = [program, "--version"]

  /// Lists what a page, a list or a search names, without looking at each item.
  func listing(_ target: String) -> [String] { start + ["--flat-playlist", "-J", "--", target] }

  /// Finds the file of one page.
  func media(_ page: RemoteURL, format: String) -> [String] {
    start + ["--no-playlist", "--playlist-items", "1", "-J", "-f", format, "--", page.text]
  }

  private var start: [String] {
    [Self.program, "--ignore-config"] + own + [
      "--no-cache-dir", "--no-warnings", "--no-progress", "--socket-timeout", "\(max(1, stall.components.seconds))",
    ]
  }
}
