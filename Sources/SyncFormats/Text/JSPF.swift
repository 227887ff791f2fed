// SPDX-License-Identifier: Apache-2.0
internal import SyncCore

/// JSPF, which is XSPF as JSON, with one track a line.
package enum JSPF {
  package static func text(title: String?, entries: [PlaylistFileEntry]) -> String {
    var text = "{\"playlist\":{"
    if let title = title?.displayed { text += "\"title\":\(quoted(title))," }
    text += "\"track\":[" + (entries.isEmpty ? "" : "\n")
    text += entries.map(track).joined(separator: ",\n")
    return text + (entries.isEmpty ? "" : "\n") + "]}}\n"
  }

  private static func track(_ entry: PlaylistFileEntry) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.array("location") { writer in
        for location in XSPF.locations(of: entry.place) { writer.value(location) }
      }
      for (name, text) in [("title", entry.title), ("creator", entry.artist), ("album", entry.album)] {
        if let text = text?.displayed { writer.field(name, text) }
      }
      if let duration = entry.duration, duration > .zero { writer.field("duration", XSPF.milliseconds(duration)) }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.value(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
