// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The medium of a page, as `yt-dlp -J -f FORMAT` prints it.
package struct YtDlpMedia: Equatable, Sendable {
  /// The largest answer that is read.
  package static let maximumSize = ByteCount(32 << 20)

  /// The place of the file, or of the list of its fragments.
  package private(set) var url: RemoteURL
  /// True if the file comes in many pieces, which only yt-dlp can put together.
  package private(set) var isFragmented: Bool
  /// The header fields that the server expects, without any that carry credentials.
  package private(set) var fields: [HTTPField]

  /// The names of the fields that are sent. Others may carry credentials, or contradict the request.
  package static let sentFields: Set<String> = [
    "accept", "accept-language", "origin", "referer", "sec-fetch-mode", "user-agent",
  ]

  package init(url: RemoteURL, isFragmented: Bool = false, fields: [HTTPField] = []) {
    (self.url, self.isFragmented, self.fields) = (url, isFragmented, fields)
  }

  /// - Returns: Nil if the bytes say only that there is nothing.
  package init?(_ bytes: [UInt8]) throws(ExtractionProblem) {
    var reader = JSONReader(bytes)
    var draft = Draft()
    do throws(JSONError) {
      if try reader.peekKind() == .null { return nil }
      draft = try Draft(&reader)
      try reader.finish()
    } catch { throw .notUnderstood }
    if draft.isLive { throw .live }
    if draft.isMerged { throw .severalFiles }
    guard let text = draft.url else { throw .nothingThere }
    do throws(RemoteURL.Problem) { url = try RemoteURL(text) } catch { throw .nothingThere }
    isFragmented = !["http", "https"].contains(draft.protocol ?? url.scheme.rawValue)
    fields = draft.fields
  }
}

extension YtDlpMedia {
  fileprivate struct Draft {
    var url: String?
    var `protocol`: String?
    var fields: [HTTPField] = []
    var isLive = false
    var isMerged = false

    init() {}

    /// A list stands for its first medium.
    init(_ reader: inout JSONReader) throws(JSONError) {
      try reader.beginObject()
      while let name = try reader.nextKey() {
        switch (name, try reader.peekKind()) {
        case ("url", .string): url = try reader.readString()
        case ("protocol", .string): self.protocol = try reader.readString()
        case ("http_headers", .object): try readFields(&reader)
        case ("requested_formats", .array):
          isMerged = true
          try reader.skipValue()
        case ("live_status", .string):
          isLive = ["is_live", "is_upcoming"].contains(try reader.readString()) || isLive
        case ("is_live", .bool): isLive = try reader.readBool() || isLive
        case ("entries", .array): try readEntries(&reader)
        default: try reader.skipValue()
        }
      }
    }

    private mutating func readEntries(_ reader: inout JSONReader) throws(JSONError) {
      try reader.beginArray()
      var first: Draft?
      while try reader.nextElement() {
        guard first == nil, try reader.peekKind() == .object else {
          try reader.skipValue()
          continue
        }
        first = try Draft(&reader)
      }
      if let first { self = first }
    }

    private mutating func readFields(_ reader: inout JSONReader) throws(JSONError) {
      try reader.beginObject()
      var fields: [String: HTTPField] = [:]
      while let name = try reader.nextKey() {
        guard try reader.peekKind() == .string, sentFields.contains(name.lowercased()) else {
          try reader.skipValue()
          continue
        }
        let value = try reader.readString()
        guard value.utf8.count <= RemoteURL.maximumLength,
          value.unicodeScalars.allSatisfy({ (0x20...0x7E).contains($0.value) })
        else { continue }
        fields[name.lowercased()] = HTTPField(name: name, value: value)
      }
      self.fields = fields.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}
