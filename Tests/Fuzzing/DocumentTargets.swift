// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// A manifest is read, or every problem has a place and a picture; what was read, printed with all defaults, reads the same.
@Sendable func fuzzManifest(_ bytes: [UInt8]) {
  let reading = read(bytes)
  let picture = DiagnosticRenderer(file: "m.yaml", source: bytes)
  for finding in reading.findings { must(!picture.render(finding).isEmpty, "a finding has a picture") }
  guard let manifest = reading.manifest else {
    return must(reading.findings.contains { $0.severity == .error }, "there is a reason for having no manifest")
  }
  let text = EffectiveManifest.text(manifest)
  // Secrets are not printed: then it is not the manifest to run.
  if text.hasPrefix("# Credentials are shown as ***") { return }
  let again = read(Array(text.utf8))
  must(again.manifest == manifest, "the effective manifest reads back: \(again.findings) \(text)")
}

private func read(_ bytes: [UInt8]) -> ManifestReading {
  ManifestReader.read(
    bytes, directory: "/d", fileStem: "m",
    environment: ManifestEnvironment(variables: ["V": "value", "EMPTY": ""], home: "/home/anna"))
}

/// A feed says the same however it comes in pieces, and no episode has what no episode can have.
@Sendable func fuzzFeed(_ bytes: [UInt8]) { checkFeed(bytes, charset: nil) }

/// The same, with what a header says about the encoding. The first byte chooses it.
@Sendable func fuzzEncoding(_ bytes: [UInt8]) {
  guard let first = bytes.first else { return }
  checkFeed(Array(bytes.dropFirst()), charset: charsets[Int(first) % charsets.count])
}

/// The output of yt-dlp is read or is a problem, and nothing in it leads to another scheme or carries a credential.
@Sendable func fuzzYtDlp(_ bytes: [UInt8]) {
  if let read = YtDlpListing(bytes) {
    for entry in read.listing.entries {
      must(!entry.url.hasCredentials, "no credential is taken from a list")
      must(entry.duration.map { $0 > .zero } ?? true, "a duration is positive")
    }
  }
  do throws(ExtractionProblem) {
    for field in try YtDlpMedia(bytes)?.fields ?? [] {
      must(YtDlpMedia.sentFields.contains(field.name.lowercased()), "only these fields are sent")
    }
  } catch {
    must(!error.words.isEmpty, "a problem has words")
  }
}

/// An answer of the Subsonic API is read or is a problem, and no song has what no song can have.
@Sendable func fuzzSubsonic(_ bytes: [UInt8]) {
  do throws(SourceProblem) {
    for song in try SubsonicAnswer(bytes).songs {
      must(!song.id.isEmpty, "a song has an id")
      must(song.duration.map { $0 > .zero } ?? true, "a duration is positive")
      must(song.title.map { $0.utf8.count <= 1 << 10 } ?? true, "a title is short")
    }
  } catch { must(!error.words.isEmpty, "a problem has words") }
}

private let charsets: [String?] = [
  nil, "utf-8", "utf-16", "utf-16le", "utf-32", "us-ascii", "windows-1252", "koi8-r", "shift_jis", "euc-jp", "gb18030",
  "big5", "iso-2022-jp", "ebcdic-cp-us", "utf-7", "",
]

private func checkFeed(_ bytes: [UInt8], charset: String?) {
  let whole = FeedReader.read(bytes, charset: charset)
  for episode in whole.entries {
    must(episode.length.map { $0 >= .zero } ?? true, "a length is not negative")
    must(episode.duration.map { $0 >= .zero } ?? true, "a duration is not negative")
    must(episode.marks.allSatisfy { $0.start >= .zero }, "a chapter does not begin before the recording")
  }
  if let kept = ListingFile.encode(whole) { must(ListingFile.decode(kept[...]) == whole, "a kept feed is the same") }
  var reader = FeedReader(charset: charset)
  var rest = bytes[...]
  var size = 1
  while !rest.isEmpty {
    reader.feed(rest.prefix(size))
    rest = rest.dropFirst(size)
    size = size % 7 + 1
  }
  must(reader.finish() == whole, "a feed does not depend on how it is cut")
}

/// A list says the same however it comes in pieces, from a URL as in a file, and names nothing but URLs.
@Sendable func fuzzList(_ bytes: [UInt8]) {
  let roots = LocalRoots(list: "/m/l", others: ["/n"])
  var file = ListReader.reader(ofFile: "/m/l", roots)
  file.feed(bytes[...])
  for entry in file.finish().entries {
    for url in [entry.url] + entry.alternatives { must(!url.isFile || roots.contain(url), "a file is below a root") }
  }
  for base in [fuzzedListBase, nil] {
    let whole = ListReader.read(bytes, base: base)
    for entry in whole.entries {
      must(entry.duration.map { $0 >= .zero } ?? true, "a duration is not negative")
      must(!entry.alternatives.contains(entry.url), "an alternative is another URL")
      must(["http", "https"].contains(entry.url.scheme.rawValue), "an entry has a URL that can be fetched")
    }
    var reader = ListReader(base: base)
    var rest = bytes[...]
    var size = 1
    while !rest.isEmpty {
      reader.feed(rest.prefix(size))
      rest = rest.dropFirst(size)
      size = size % 7 + 1
    }
    must(reader.finish() == whole, "a list does not depend on how it is cut")
    if let kept = ListingFile.encode(whole) { must(ListingFile.decode(kept[...]) == whole, "a kept list is the same") }
  }
}

private let fuzzedListBase: RemoteURL? = {
  do throws(RemoteURL.Problem) { return try RemoteURL("https://a.example/lists/road.m3u") } catch { return nil }
}()

/// An OPML document says the same however it comes in pieces, names no feed twice, and gives a manifest that is valid.
@Sendable func fuzzOutlines(_ bytes: [UInt8]) {
  let whole = OutlineReader.read(bytes)
  must(Set(whole.entries.map(\.url)).count == whole.entries.count, "no feed is listed twice")
  var reader = OutlineReader()
  var rest = bytes[...]
  var size = 1
  while !rest.isEmpty {
    reader.feed(rest.prefix(size))
    rest = rest.dropFirst(size)
    size = size % 7 + 1
  }
  must(reader.finish() == whole, "a document does not depend on how it is cut")
  let starter = StarterManifest.text(of: whole, schema: "s.json")
  let reading = read(Array(starter.text.utf8))
  let count = reading.manifest?.playlists.count
  must(
    count == whole.entries.count - starter.withCredentials.count,
    "the manifest has every feed: \(reading.findings) \(starter.text)")
}

/// The kept pages of a feed are read or are none, and what was read is written so that it reads the same.
@Sendable func fuzzPages(_ bytes: [UInt8]) {
  guard let pages = PagesFile.decode(bytes[...]) else { return }
  let written = PagesFile.encode(pages)
  guard let again = PagesFile.decode(written[...]) else { return must(false, "what is kept reads back") }
  must(again.count <= pages.count, "no page is added")
  must(PagesFile.encode(again) == written, "what is kept is written the same")
}

/// A document of chapters is read or is none, and no chapter has what no chapter can have.
@Sendable func fuzzChapters(_ bytes: [UInt8]) {
  let marks = ChapterDocument.chapters(bytes) ?? []
  must(marks.count <= 1000, "a document has a bounded number of chapters")
  must(zip(marks, marks.dropFirst()).allSatisfy { $0.start <= $1.start }, "chapters are in their order")
  for mark in marks {
    must(mark.start >= .zero, "a chapter does not begin before the recording")
    must(!mark.title.isEmpty, "a chapter has a title")
  }
}
