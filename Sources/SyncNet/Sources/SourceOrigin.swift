// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk

/// The origin of a source's document, as far as it affects how the document is read.
package struct SourceOrigin: Equatable, Sendable {
  /// Identifies the URL in the manifest, so that the copy of another URL is not mistaken for this one's.
  package var source: String
  /// The URL after redirects, without query and user. Relative references start from it.
  package var base: RemoteURL
  /// The charset of the header field that came with the document.
  package var charset: String?

  package init(source: RemoteURL, answeredBy url: RemoteURL, charset: String? = nil) {
    self.charset = charset
    self.source = Self.sign(of: source)
    base = url.withoutQuery
  }

  package func isOf(_ url: RemoteURL) -> Bool { source == Self.sign(of: url) }

  private static func sign(of url: RemoteURL) -> String { SHA256Digest(of: Array(url.text.utf8)).hex }

  /// The origin as text for an XML comment, in which two hyphens never touch (XML 1.0 §2.5). No URL has a backslash.
  var text: String {
    let fields = "source:\(source) base:\(base.text) charset:\(charset ?? "none")"
    return fields.replacing("-", with: "\\-")
  }

  init?(text: String) {
    let fields = text.replacing("\\", with: "").split(separator: " ")
    guard fields.count == 3, fields[0].hasPrefix("source:"), fields[1].hasPrefix("base:"),
      fields[2].hasPrefix("charset:")
    else { return nil }
    do throws(RemoteURL.Problem) { base = try RemoteURL(fields[1].dropFirst(5)) } catch {
      return nil
    }
    source = String(fields[0].dropFirst(7))
    let named = String(fields[2].dropFirst(8))
    charset = named == "none" ? nil : named
  }
}

extension RemoteURL {
  var withoutQuery: RemoteURL {
    guard hasQuery, let end = text.firstIndex(of: "?") else { return self }
    // A URL without its query is still a URL.
    do throws(Problem) { return try RemoteURL(text[..<end]) } catch { return self }
  }
}
