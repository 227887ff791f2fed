// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("a problem of yt-dlp")
struct ExtractionProblemTests {
  @Test(
    "stays for good only if the message has words that say so",
    arguments: [
      ("[youtube] x: Video unavailable. This video is private", false),
      ("[generic] Unsupported URL: https://m.example/", false),
      ("[youtube] x: Requested format is not available", false),
      ("Unable to download webpage: HTTP Error 404: Not Found", false),
      ("Unable to download webpage: HTTP Error 503", true), ("Failed to resolve 'm.example'", true), ("", true),
      ("[youtube] x: Premieres in 3 hours", true), ("Sign in to confirm you're not a bot", true),
    ])
  func judged(_ message: String, isTemporary: Bool) {
    let failure = Failure.extraction(ExtractionProblem(message: message))
    #expect(failure.disposition.isTemporary == isTemporary)
  }

  @Test("is tried again in the same run only if it may pass meanwhile")
  func again() {
    #expect(ExtractionProblem.failed(message: "x").disposition == .again)
    #expect(ExtractionProblem.timedOut(after: .seconds(1)).disposition == .again)
    for problem in [ExtractionProblem.notInstalled, .tooOld(version: "1"), .live, .notUnderstood] {
      #expect(problem.disposition.next == .nextCandidate && problem.disposition.isTemporary)
    }
    #expect(ExtractionProblem.severalFiles.disposition == .elsewhere)
  }
}
