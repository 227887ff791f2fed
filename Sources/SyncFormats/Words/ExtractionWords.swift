// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension ExtractionProblem {
  /// The problem as one sentence without a full stop.
  package var words: String {
    switch self {
    case .notInstalled: "yt-dlp is not installed, or not in PATH; install it, for example with `pipx install yt-dlp`"
    case .notStarted(let code): "yt-dlp cannot be started: \(code.words); check the file of that name in PATH"
    case .tooOld(let version):
      "yt-dlp \(version.printable) is too old, \(Self.oldestVersion) is the oldest that is used; update it, for example with"
        + " `pipx upgrade yt-dlp`"
    case .timedOut(let after):
      "yt-dlp did not answer within \(after.spanWords), which follows from downloads.timeouts.stall"
    case .wentSilent(let after):
      "yt-dlp sent nothing of the stream for \(after.spanWords), which follows from downloads.timeouts.stall"
    case .noFolder(let code):
      "no folder for the pieces of the stream can be made in TMPDIR or /tmp: \(code.words); make room there, or name another"
    case .tooMuchOutput(let limit): "yt-dlp wrote more than \(limit.words) and was ended"
    case .notUnderstood: "the output of yt-dlp cannot be read; check what the program of that name in PATH is"
    case .failed(let message), .unavailable(let message):
      message.isEmpty ? "yt-dlp failed without a message" : "yt-dlp failed: \(message.printable)"
    case .live: "it is live, or has not begun; it can be fetched when it is over"
    case .nothingThere: "yt-dlp found no media there"
    case .noneFits(of: 0): "the search found nothing; change the title or the artist, or alternatives.search"
    case .noneFits(let count):
      "of \(count.counted("result")) of the search, none may be used: see max, tolerance and avoid_other_versions of"
        + " \"alternatives\""
    case .resultsMissing(let count, let message):
      "of \(count.counted("result")) of the search, none may be used, and others could not be read"
        + (message.isEmpty ? "" : ": \(message.printable)")
    case .severalFiles:
      "the format asks for several files, which would have to be merged; choose one that is a single file, such as \"ba/b\""
    }
  }
}
