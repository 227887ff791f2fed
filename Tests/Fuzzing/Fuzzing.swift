// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The function that libFuzzer calls for each input (`LLVMFuzzerTestOneInput`). There is one program for all targets,
/// and the environment variable `FUZZ_TARGET` names the target. See scripts/fuzz.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  chosen(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// A target takes any bytes and ends the process if a property does not hold.
typealias FuzzTarget = @Sendable ([UInt8]) -> Void

private let targets: [String: FuzzTarget] = [
  "journal": fuzzJournal,
  "record": fuzzRecord,
  "snapshot": fuzzSnapshot,
  "plan": fuzzPlan,
  "decisions": fuzzDecisions,
  "licenses": fuzzLicenses,
  "json": fuzzJSON,
  "manifest": fuzzManifest,
  "feed": fuzzFeed,
  "list": fuzzList,
  "encoding": fuzzEncoding,
  "subsonic": fuzzSubsonic, "ytdlp": fuzzYtDlp,
  "opml": fuzzOutlines,
  "pages": fuzzPages,
  "chapters": fuzzChapters,
  "name": fuzzName,
  "layout": fuzzLayout,
  "fields": fuzzFields,
  "head": fuzzHead,
  "location": fuzzLocation,
  "netrc": fuzzNetrc,
  "cookies": fuzzCookies,
  "hsts": fuzzHSTS,
  "scrobbles": fuzzScrobbles,
  "listens": fuzzListens,
  "plays": fuzzPlays,
  "episodes": fuzzEpisodes,
  "outbox": fuzzOutbox,
  "zone": fuzzZone,
]

private let chosen: FuzzTarget = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = targets[name] else {
    say("FUZZ_TARGET is one of: \(targets.keys.sorted().joined(separator: " "))")
    exit(64)
  }
  return target
}()

private func say(_ text: String) {
  Array("\(text)\n".utf8).withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// Ends the process if a property does not hold, so that libFuzzer keeps the input.
func must(_ holds: Bool, _ sentence: @autoclosure () -> String) {
  if holds { return }
  say("property: \(sentence())")
  abort()
}

extension [UInt8] {
  var text: String { String(decoding: self, as: UTF8.self) }

  /// The pieces between bytes 0xFF, which no text contains.
  func pieces() -> [String] {
    split(separator: 0xFF, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  }
}
