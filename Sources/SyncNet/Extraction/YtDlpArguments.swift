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

  /// Fetches the fragments of a page's stream and writes the whole to standard output. One that is missing ends the
  /// program, which would otherwise leave it out and report success. Its messages show that it is alive.
  func stream(_ page: RemoteURL, format: String, rate: ByteRate?) -> [String] {
    let pace = rate.map { ["--limit-rate", "\($0.bytesPerSecond)"] } ?? []
    return begin + own + common + pace + [
      "--newline", "--progress", "--no-playlist", "--playlist-items", "1", "--abort-on-unavailable-fragments",
      "--no-keep-fragments", "--no-embed-metadata", "-f", format, "-o", "-", "--", page.text,
    ]
  }

  private var start: [String] { begin + own + common + ["--no-progress"] }

  private var begin: [String] { [Self.program, "--ignore-config"] }

  private var common: [String] {
    ["--no-cache-dir", "--no-warnings", "--socket-timeout", "\(max(1, stall.components.seconds))"]
  }
}
