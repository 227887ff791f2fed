// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("requests and event files in words")
struct RequestWordsTests {
  @Test("a request is told with its URL, without what is secret in it")
  func requests() throws {
    let url = try RemoteURL("https://anna:secret@a.example/x.mp3?token=secret")
    let rows: [(RequestStep, String)] = [
      (.sent(url, from: .zero), "> GET https://a.example/x.mp3?…"),
      (.sent(url, from: .zero, isPost: true), "> POST https://a.example/x.mp3?…"),
      (.sent(url, from: ByteCount(5000)), "> GET https://a.example/x.mp3?… from byte 5000"),
      (.answered(url, status: 206), "< 206 https://a.example/x.mp3?…"),
      (
        .unanswered(url, .timeout(.connect, after: .seconds(15))),
        "< nothing from https://a.example/x.mp3?…: no connection within 15 s"
      ),
    ]
    for (step, words) in rows { #expect(step.words == words) }
  }

  @Test("an event file that cannot be written is named, with the reason")
  func events() {
    #expect(
      EventLogWords.cannotOpen("/x\n", .enoent)
        == "cannot write events to \"/x\\u{A}\": no such file or directory; name a file in a folder that exists")
    for code in [nil, ErrnoCode.epipe, .enxio] {
      #expect(
        EventLogWords.gaveUp("x", code)
          == "events cannot be written to \"x\": nobody reads them; the run goes on without them")
    }
    #expect(
      EventLogWords.gaveUp("x", .enospc)
        == "events cannot be written to \"x\": no space left on the device; the run goes on without them")
  }
}
