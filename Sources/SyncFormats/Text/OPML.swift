// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// OPML 2.0 with one outline for each feed.
package enum OPML {
  /// A feed and its title.
  package struct Feed: Equatable, Sendable {
    package var title: String
    package var url: RemoteURL
    package init(title: String, url: RemoteURL) { (self.title, self.url) = (title, url) }
  }

  /// The text of the document, with lines ended by LF.
  package static func text(title: String?, feeds: [Feed]) -> String {
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<opml version=\"2.0\">", "  <head>"]
    if let title = title?.displayed { lines.append("    <title>\(XSPF.escaped(title))</title>") }
    lines += ["  </head>", "  <body>"]
    for feed in feeds {
      let title = feed.title.displayed ?? feed.url.host
      let attributes = [("text", title), ("title", title), ("type", "rss"), ("xmlUrl", feed.url.text)]
      lines.append("    <outline " + attributes.map { "\($0)=\"\(quoted($1))\"" }.joined(separator: " ") + "/>")
    }
    lines += ["  </body>", "</opml>"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: String) -> String { XSPF.escaped(text).replacing("\"", with: "&quot;") }
}
