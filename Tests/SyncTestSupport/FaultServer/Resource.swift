// SPDX-License-Identifier: Apache-2.0

/// The resource at a path of the fault server.
package struct Resource: Sendable {
  package var body: Body
  package var contentType: String
  /// The tag as sent, with its quotes: `"x"`, or `W/"x"` for a weak one. Nil for none.
  package var etag: String?
  /// The date as sent, for example `Mon, 05 Jan 2026 08:00:00 GMT`. Nil for none.
  package var lastModified: String?
  package var headers: [HTTPHeader]

  package init(
    body: Body, contentType: String = "audio/mpeg", etag: String? = nil, lastModified: String? = nil,
    headers: [HTTPHeader] = []
  ) {
    self.body = body
    self.contentType = contentType
    self.etag = etag
    self.lastModified = lastModified
    self.headers = headers
  }

  package init(
    bytes: [UInt8], contentType: String = "audio/mpeg", etag: String? = nil, lastModified: String? = nil
  ) {
    self.init(body: .bytes(bytes), contentType: contentType, etag: etag, lastModified: lastModified)
  }

  package init(
    text: String, contentType: String = "text/plain; charset=utf-8", etag: String? = nil, lastModified: String? = nil
  ) {
    self.init(bytes: Array(text.utf8), contentType: contentType, etag: etag, lastModified: lastModified)
  }

  /// The page that captive portals and broken servers send in place of media.
  package static let htmlPage = Resource(
    text: "<!DOCTYPE html><html><head><title>Please sign in</title></head><body>Sign in to continue.</body></html>\n",
    contentType: "text/html; charset=utf-8")
}
