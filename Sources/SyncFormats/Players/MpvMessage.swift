// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A line that mpv writes to its IPC socket (mpv(1), "JSON IPC").
package enum MpvMessage: Hashable, Sendable {
  package enum Ending: String, Sendable {
    case eof, stop, quit, error, redirect, unknown
  }

  /// The answer to a request. The error is nil if it succeeded.
  case answer(request: Int, data: JSONValue?, error: String?)
  case started(entry: Int)
  /// The file is open, and plays.
  case playing
  case ended(entry: Int, Ending, detail: String?)
  case other

  /// Nil for a line that is not a message.
  package init?(_ line: [UInt8]) {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: line) } catch { return nil }
    guard case .object = value else { return nil }
    let entry = value["playlist_entry_id"]?.integer.flatMap { Int(exactly: $0) }
    if let error = value["error"]?.string, let request = value["request_id"]?.integer.flatMap({ Int(exactly: $0) }) {
      self = .answer(request: request, data: value["data"], error: error == "success" ? nil : error)
      return
    }
    switch (value["event"]?.string, entry) {
    case ("start-file", let entry?): self = .started(entry: entry)
    case ("playback-restart", _): self = .playing
    case ("end-file", let entry?):
      let reason = value["reason"]?.string.flatMap(Ending.init) ?? .unknown
      self = .ended(entry: entry, reason, detail: value["file_error"]?.string)
    default: self = .other
    }
  }
}

/// Commands to mpv, each a line (mpv(1), "List of Input Commands").
package enum MpvCommand {
  /// A command with its arguments in order.
  package static func line(_ request: Int, _ words: [JSONValue]) -> [UInt8] {
    line(request) { writer in writer.array("command") { writer in for word in words { writer.value(word) } } }
  }

  /// Loads a file. The arguments have names, because later versions of mpv have one more of them in between.
  /// - Parameters:
  ///   - isNext: True to put it at the end of what is played, false to play it now instead.
  package static func load(_ request: Int, _ url: String, isNext: Bool, from start: Duration) -> [UInt8] {
    line(request) { writer in
      writer.object("command") { writer in
        writer.field("name", "loadfile")
        writer.field("url", url)
        writer.field("flags", isNext ? "append-play" : "replace")
        // An option of a file does not end with it where the next one has none.
        writer.field("options", start > .zero ? "start=\(seconds(start))" : "start=none")
      }
    }
  }

  private static func line(_ request: Int, _ command: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      command(&writer)
      writer.field("request_id", request)
    }
    writer.endLine()
    return writer.bytes
  }

  private static func seconds(_ duration: Duration) -> String {
    let milliseconds = max(0, duration.milliseconds)
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }
}
