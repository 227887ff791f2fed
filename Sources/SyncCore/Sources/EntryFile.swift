// SPDX-License-Identifier: Apache-2.0

/// A place of one of an entry's files, beside or instead of its main URL (`podcast:alternateEnclosure`).
package struct EntryFile: Hashable, Sendable {
  package var url: RemoteURL
  /// True for the bytes at the main URL. False for another encoding of the same recording.
  package var isMain: Bool
  /// Nil if the bit rate is unknown.
  package var quality: Quality?
  /// The digest that the source states for these bytes.
  package var checksum: Checksum?
  package init(url: RemoteURL, isMain: Bool, quality: Quality? = nil, checksum: Checksum? = nil) {
    (self.url, self.isMain, self.quality, self.checksum) = (url, isMain, quality, checksum)
  }
}

extension EntryFile {
  /// A line for each file. URLs contain no spaces. A file whose URL has a login is left out.
  static func text(of files: [EntryFile]) -> String {
    files.filter { !$0.url.hasCredentials }.map { file in
      let quality = file.quality?.rawValue ?? "-"
      return "\(file.isMain ? "main" : "other") \(quality) \(file.checksum?.text ?? "-") \(file.url.text)"
    }.joined(separator: "\n")
  }

  /// Lines that are not files are left out.
  static func files(in text: String) -> [EntryFile] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 3)
      guard words.count == 4 else { return nil }
      do throws(RemoteURL.Problem) {
        return EntryFile(
          url: try RemoteURL(words[3]), isMain: words[0] == "main", quality: Quality(rawValue: String(words[1])),
          checksum: Checksum(words[2]))
      } catch { return nil }
    }
  }
}

extension Quality {
  /// The quality of an audio file: the lowest whose bit rate it does not exceed.
  package init(bitsPerSecond rate: Int64) {
    self = [Quality.low, .normal].first { rate <= $0.bitRate ?? 0 } ?? .high
  }
}
