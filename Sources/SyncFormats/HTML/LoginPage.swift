// SPDX-License-Identifier: Apache-2.0

/// The small page that a browser shows when it comes back from a provider.
package struct LoginPage: Sendable {
  private let status: String
  private let title: String
  private let words: String

  /// The answer was taken.
  package static let taken = LoginPage(
    status: "200 OK", title: "Back to the terminal",
    words: "syncjob has the answer of the provider. You can close this page and go back to the terminal.")
  /// The provider, or the person, refused.
  package static let refused = LoginPage(
    status: "200 OK", title: "Not logged in",
    words: "The provider did not grant the login. The terminal says why; you can close this page.")
  /// The answer is not for this login.
  package static let wrong = LoginPage(
    status: "400 Bad Request", title: "Not logged in",
    words: "This answer is not for the login that syncjob waits for. Go back to the terminal and begin again.")
  /// Any other request.
  package static let unknown = LoginPage(
    status: "404 Not Found", title: "Nothing here", words: "syncjob waits here for the answer of a provider.")

  /// The whole response. It loads nothing, is not stored, and tells no other site its address.
  package var response: [UInt8] {
    var writer = HTMLWriter()
    writer.verbatim("<!doctype html>")
    writer.element("html", ["lang": "en"]) { writer in
      writer.element("head") { writer in
        writer.open("meta", ["charset": "utf-8"])
        writer.open("meta", ["name": "viewport", "content": "width=device-width"])
        writer.element("title", title)
      }
      writer.element("body") { writer in
        writer.element("h1", title)
        writer.element("p", words)
      }
    }
    let body = writer.text
    let head = [
      "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(body.utf8.count)",
      "Cache-Control: no-store", "Referrer-Policy: no-referrer", "Content-Security-Policy: default-src 'none'",
      "Connection: close",
    ]
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }
}
