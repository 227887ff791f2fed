// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@testable import SyncFormats

@Suite("ListReader: M3U, PLS, XSPF and JSPF")
struct ListReaderTests {
  /// One list in four formats. Each names the same entries.
  static let lists = [
    "M3U": """
    #EXTM3U
    #PLAYLIST:Road trip
    #EXTALB:Roads
    #EXTINF:225 logo="a,b",The Example - Night Drive
    songs/night drive.mp3
    #EXTALB:
    #EXTART:
    #EXTINF:-1,Tea & <b>toast</b>
    https://b.example/t.ogg?x=1
    """,
    "XSPF": """
    <?xml version="1.0" encoding="UTF-8"?>
    <playlist version="1" xmlns="http://xspf.org/ns/0/"><title>Road trip</title><trackList>
    <track><location>songs/night%20drive.mp3</location><title>Night  Drive</title><creator>The Example</creator>
    <album>Roads</album><duration>225000</duration></track>
    <track><location>https://b.example/t.ogg?x=1</location><title>Tea &amp; &lt;b>toast&lt;/b></title>
    <extension application="x"><track><location>https://c.example/</location></track></extension></track>
    </trackList></playlist>
    """,
    "JSPF": """
    {"playlist": {"title": "Road trip", "meta": [], "track": [
      {"location": ["songs/night drive.mp3"], "title": "Night Drive", "creator": "The Example", "album": "Roads",
       "duration": 225000},
      {"location": "https://b.example/t.ogg?x=1", "title": "Tea & <b>toast</b>", "trackNum": 2}]}}
    """,
  ]

  private static let base = "https://a.example/lists/road.m3u"

  private func read(_ text: String, base: String? = base) throws -> Listing {
    ListReader.read(Array(text.utf8), base: try base.map { try RemoteURL($0) })
  }

  @Test("each format says the same, in pieces of any size, with any line ends, after a byte order mark")
  func formats() throws {
    for (format, text) in Self.lists {
      let list = try read(text)
      #expect(list.title == "Road trip" && list.completeness == .whole && list.flaws.count == 0, "\(format)")
      let (first, second) = (try #require(list.entries.first), try #require(list.entries.last))
      #expect(first.url.text == "https://a.example/lists/songs/night%20drive.mp3", "\(format)")
      #expect(first.title == "Night Drive" && first.author == "The Example" && first.album == "Roads", "\(format)")
      #expect(first.duration == .seconds(225) && first.published == nil && first.guid == nil)
      #expect(second.url.text == "https://b.example/t.ogg?x=1" && list.entries.count == 2, "\(format)")
      #expect(second.title == "Tea & <b>toast</b>" && second.author == nil && second.album == nil, "\(format)")
      #expect(second.duration == nil)
      #expect(try read("\u{FEFF}\r\n" + text.replacing("\n", with: "\r\n")) == list, "\(format)")
      var reader = ListReader(base: try RemoteURL(Self.base))
      for byte in text.utf8 { reader.feed([byte]) }
      #expect(reader.finish() == list, "\(format)")
    }
  }

  @Test("PLS lists its entries by their numbers, and a length of -1 is unknown")
  func pls() throws {
    let list = try read(
      """
      [PlayList]
      NumberOfEntries=3
      File2=http://b.example/2.mp3
      file10=t#n%.mp3
      title2=The Example - Night Drive
      Title10=Only a title
      Length2=-1
      LENGTH10=61
      Version=2
      Title3=nowhere
      """)
    #expect(list.entries.map(\.url.text) == ["http://b.example/2.mp3", "https://a.example/lists/t%23n%25.mp3"])
    #expect(list.entries.map(\.title) == ["Night Drive", "Only a title"])
    #expect(list.entries.map(\.author) == ["The Example", nil])
    #expect(list.entries.map(\.duration) == [nil, .seconds(61)])
    #expect(list.flaws.listed == [ListingFlaw(.withoutEnclosure(title: "nowhere"), line: 10, entry: 2)])
    #expect(list.completeness == .whole && list.unusable.map(\.title) == ["nowhere"])
  }

  @Test("M3U without its header is a list of addresses or file names")
  func plain() throws {
    let list = try read("# mine\nhttps://b.example/live\n\n  b\\c.mp3  \nNo ending\n")
    #expect(
      list.entries.map(\.url.text) == [
        "https://b.example/live", "https://a.example/lists/b/c.mp3", "https://a.example/lists/No%20ending",
      ])
  }

  @Test("an artist or an album holds for the entries that follow, and an image is not an entry")
  func album() throws {
    let list = try read(
      """
      #EXTM3U url-tvg="x"
      #EXTART:The Example
      #EXTALB:Roads
      #EXTIMG:front cover
      cover.jpg
      #EXTINF:1,The Example - One - Two
      #EXTBYT:1234
      1.mp3
      #EXTINF:2.5,Guest - Three
      2.mp3
      #EXTINF:,Four
      3.mp3
      """)
    #expect(list.entries.map(\.title) == ["One - Two", "Three", "Four"])
    #expect(list.entries.map(\.author) == ["The Example", "Guest", "The Example"])
    #expect(list.entries.map(\.album) == ["Roads", "Roads", "Roads"])
    #expect(list.entries.map(\.duration) == [.seconds(1), .milliseconds(2500), nil])
    #expect(list.entries.map(\.length) == [ByteCount(1234), nil, nil])
  }

  @Test("a line that is not UTF-8 is read as windows-1252")
  func latin() throws {
    let bytes =
      Array("#EXTM3U\n#EXTINF:1,Caf".utf8) + [0xE9, 0x20, 0x96, 0x0A] + Array("x.mp3\n#EXTINF:1,Só\ny.mp3".utf8)
    let list = ListReader.read(bytes, base: try RemoteURL(Self.base))
    #expect(list.entries.map(\.title) == ["Café –", "Só"])
  }

  @Test("several locations are candidates, and an identifier is the guid", arguments: ["XSPF", "JSPF"])
  func candidates(_ format: String) throws {
    let text =
      format == "XSPF"
      ? """
      <playlist xmlns="http://xspf.org/ns/0/" xml:base="https://m.example/x/"><trackList xml:base="y/">
      <track><identifier>urn:1</identifier><location>ftp://a.example/1</location><location>1.ogg</location>
      <location xml:base="https://n.example/">1.mp3</location><location>1.ogg</location></track></trackList></playlist>
      """
      : """
      {"playlist": {"track": [{"identifier": ["urn:1", "urn:2"],
        "location": ["ftp://a.example/1", "https://m.example/x/y/1.ogg", "https://n.example/1.mp3",
        "https://m.example/x/y/1.ogg"]}]}}
      """
    let list = try read(text)
    let entry = try #require(list.entries.first)
    #expect(entry.guid == "urn:1" && entry.url.text == "https://m.example/x/y/1.ogg")
    #expect(entry.alternatives.map(\.text) == ["https://n.example/1.mp3"])
    #expect(list.flaws.listed == [ListingFlaw(.badURL("ftp://a.example/1"), line: 2, entry: 1)])
  }

  @Test(
    "a local file is an entry that cannot be used, from wherever the list comes",
    arguments: ["file:///m/a.mp3", "FILE:a.mp3", "C:\\m\\a.mp3", "c:/m/a.mp3", "\\\\server\\m\\a.mp3"])
  func local(_ text: String) throws {
    for base in [Self.base, nil] {
      let list = try read("#EXTM3U\n\(text)\n", base: base)
      #expect(list.entries.isEmpty && list.unusable.count == 1)
      #expect(list.flaws.listed == [ListingFlaw(.localFile(text), line: 2, entry: 1)])
    }
  }

  private static let media = LocalRoots(list: "/m/lists/l", others: ["/n"])

  private func read(file text: String, _ roots: LocalRoots = media) throws -> Listing {
    var reader = ListReader.reader(ofFile: "/m/lists/l", roots)
    reader.feed(Array(text.utf8)[...])
    return reader.finish()
  }

  @Test(
    "a list in a file may name files below its folder and its roots",
    arguments: [
      ("a b.mp3", "/m/lists/a%20b.mp3"), ("./x/../a.mp3", "/m/lists/a.mp3"), ("x\\a.mp3", "/m/lists/x/a.mp3"),
      ("100%25 #1.mp3", "/m/lists/100%2525%20%231.mp3"), ("/n//a?b.mp3", "/n/a%3Fb.mp3"),
      ("file:///m/lists/%E9.mp3", "/m/lists/%E9.mp3"), ("FILE:/n/a.mp3", "/n/a.mp3"),
      ("file://LocalHost/n/a.mp3", "/n/a.mp3"), ("Ü.mp3", "/m/lists/%C3%9C.mp3"),
      ("Mozart: Requiem.mp3", "/m/lists/Mozart%3A%20Requiem.mp3"),
    ])
  func files(_ text: String, _ path: String) throws {
    let list = try read(file: "#EXTM3U\n\(text)\nhttps://c.example/c.mp3")
    #expect(list.entries.map(\.url.text) == ["file://" + path, "https://c.example/c.mp3"])
    #expect(list.flaws.listed.isEmpty)
    let pls = try read(file: "[playlist]\nFile1=\(text)")
    #expect(pls.entries.map(\.url.text) == ["file://" + path])
  }

  @Test(
    "a list in a file names no others",
    arguments: [
      ("../a.mp3", ListingNote.outsideRoots("../a.mp3")),
      ("x/../../../etc/shadow", .outsideRoots("x/../../../etc/shadow")),
      ("/etc/shadow", .outsideRoots("/etc/shadow")), ("/m/listsx/a", .outsideRoots("/m/listsx/a")),
      ("file:///m/lists", .outsideRoots("file:///m/lists")),
      ("file:///etc/%73hadow", .outsideRoots("file:///etc/%73hadow")),
      ("file:///m/lists/%2E%2E/a", .outsideRoots("file:///m/lists/%2E%2E/a")),
      ("file:///m/lists/%2e%2e%2fa", .outsideRoots("file:///m/lists/%2e%2e%2fa")),
      ("file://nas/a.mp3", .localFile("file://nas/a.mp3")), ("C:\\a.mp3", .localFile("C:\\a.mp3")),
      ("\\\\nas\\a.mp3", .localFile("\\\\nas\\a.mp3")), ("file:///m/lists/%00", .badURL("file:///m/lists/%00")),
    ])
  func refusedFiles(_ text: String, _ note: ListingNote) throws {
    let list = try read(file: "#EXTM3U\n\(text)")
    #expect(list.entries.isEmpty && list.unusable.count == 1)
    #expect(list.flaws.listed == [ListingFlaw(note, line: 2, entry: 1)])
  }

  @Test("a path that may be percent-encoded has the decoded one as its alternative")
  func decoded() throws {
    let list = try read(file: "#EXTM3U\n01%20-%20a.mp3\n100%.mp3\n%2E%2E/b.mp3\nfile:///m/lists/c%20d.mp3")
    #expect(
      list.entries.map(\.url.text) == [
        "file:///m/lists/01%2520-%2520a.mp3", "file:///m/lists/100%25.mp3", "file:///m/lists/%252E%252E/b.mp3",
        "file:///m/lists/c%20d.mp3",
      ])
    #expect(
      list.entries.map(\.alternatives).map { $0.map(\.text) } == [["file:///m/lists/01%20-%20a.mp3"], [], [], []])
  }

  @Test("in XSPF and JSPF, files are references, also to a declared base")
  func fileReferences() throws {
    let xspf = """
      <playlist xmlns="http://xspf.org/ns/0/"><trackList xml:base="file:///n/"><track>
      <location>a%20%23.mp3#t=1</location><location xml:base="https://n.example/x/">b.mp3</location>
      <location xml:base="sub/">c.mp3</location><location xml:base="../etc/">d.mp3</location>
      <location>//nas/e.mp3</location></track></trackList></playlist>
      """
    let list = try read(file: xspf)
    let entry = try #require(list.entries.first)
    #expect(entry.url.text == "file:///n/a%20%23.mp3")
    #expect(entry.alternatives.map(\.text) == ["https://n.example/x/b.mp3", "file:///n/sub/c.mp3"])
    #expect(list.flaws.notes == [.outsideRoots("d.mp3"), .localFile("//nas/e.mp3")])
    let jspf = try read(file: #"{"playlist": {"track": [{"location": ["a%20b.mp3"]}]}}"#)
    #expect(jspf.entries.map(\.url.text) == ["file:///m/lists/a%20b.mp3"])
    #expect(try read(xspf).flaws.notes.allSatisfy { if case .localFile = $0 { true } else { false } })
  }

  @Test("a path in a list from a URL is a path on its server, and one in a file is a local file")
  func paths() throws {
    #expect(
      try read("#EXTM3U\n/m/a.mp3\n../b.mp3").entries.map(\.url.text) == [
        "https://a.example/m/a.mp3", "https://a.example/b.mp3",
      ])
    let file = try read("#EXTM3U\n/m/a.mp3\n../b.mp3\nhttps://c.example/c.mp3", base: nil)
    #expect(file.entries.map(\.url.text) == ["https://c.example/c.mp3"])
    #expect(file.flaws.notes == [.localFile("/m/a.mp3"), .localFile("../b.mp3")])
  }

  @Test(
    "a document of another kind is refused by name",
    arguments: [
      ("", SourceProblem.empty), ("\n \n", .empty), ("Service unavailable.\n", .notAList(.text)),
      ("# only a comment", .notAList(.text)),
      ("[{\"a\": 1}]", .notAList(.text)),
      ("#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:6,\n1.ts", .notAList(.hls(tag: "#EXT-X-VERSION"))),
      ("<!doctype html><p>", .webPage), ("<rss><channel/></rss>", .otherKind(.feed)),
      ("<feed xmlns='http://www.w3.org/2005/Atom'/>", .otherKind(.feed)), ("<opml version='2.0'/>", .otherKind(.opml)),
      ("<smil/>", .notAList(.xml(root: "smil"))),
      ("{\"version\": \"https://jsonfeed.org/version/1\"}", .notAList(.json)),
      ("{\"playlist\": [", .malformed(line: 1, detail: "no end")),
    ])
  func refused(_ text: String, _ problem: SourceProblem) throws {
    #expect(try read(text).completeness == .partial(problem))
  }

  @Test("what comes before a fault is kept")
  func cut() throws {
    for format in ["XSPF", "JSPF"] {
      let text = try #require(Self.lists[format])
      let list = try read(String(text.prefix(text.count - 30)))
      #expect(!list.completeness.hasEnd && list.entries.count >= 1, "\(format)")
      let followed = try read(text + "<more/>")
      #expect(followed.completeness == .followedByContent && followed.entries.count == 2, "\(format)")
    }
  }

  @Test("a list without entries is whole")
  func bare() throws {
    for text in ["#EXTM3U", "[playlist]\n", "<playlist><trackList/></playlist>", "{\"playlist\":{}}"] {
      let list = try read(text)
      #expect(list.completeness == .whole && list.isBare, "\(text)")
    }
  }

  @Test("a long line is cut, and its entry is a flaw")
  func long() throws {
    let list = try read("#EXTM3U\nhttps://a.example/" + String(repeating: "a", count: 1 << 20) + "\nb.mp3")
    #expect(list.entries.map(\.url.text) == ["https://a.example/lists/b.mp3"])
    #expect(list.flaws.count == 1)
  }

  @Test("a listing with albums is kept, and one with alternatives is read from its document")
  func kept() throws {
    let list = try read(try #require(Self.lists["XSPF"]))
    #expect(ListingFile.decode(try #require(ListingFile.encode(list))[...]) == list)
    #expect(ListingFile.encode(try read("{\"playlist\":{\"track\":[{\"location\":[\"a\",\"b\"]}]}}")) == nil)
  }

  @Test("a damaged list says the same however it comes in pieces")
  func damaged() throws {
    var random = SplitMix(state: 66)
    let pieces = ["<", "\n", "\r", "\0", "#EXTINF:", "\u{FEFF}", "\\", "%", "\"", "}", "[playlist]", "File1=", "é"]
    for text in Self.lists.values {
      for _ in 1...150 {
        var bytes = Array(text.utf8)
        for _ in 1...random.number(below: 4) + 1 {
          let start = random.number(below: bytes.count)
          let end = min(bytes.count, start + random.number(below: 8))
          let piece = random.coin() ? Array(random.element(of: pieces).utf8) : [UInt8(random.number(below: 256))]
          bytes.replaceSubrange(start..<end, with: piece)
        }
        let base = random.coin() ? try RemoteURL(Self.base) : nil
        let whole = ListReader.read(bytes, base: base)
        var reader = ListReader(base: base)
        var rest = bytes[...]
        while !rest.isEmpty {
          let size = random.number(below: 9) + 1
          reader.feed(rest.prefix(size))
          rest = rest.dropFirst(size)
        }
        #expect(reader.finish() == whole, "\(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }

  @Test("an absolute URL that its writer did not encode has a number sign in its names, and any other a fragment")
  func absoluteURLs() throws {
    let text = """
      https://b.example/C# Song%2FB.mp3
      https://b.example/100% Pure.mp3
      https://b.example/100%.mp3#1
      https://b.example/live.mp3#t=30
      """
    let list = try read(text)
    #expect(
      list.entries.map(\.url.text) == [
        "https://b.example/C%23%20Song%2FB.mp3", "https://b.example/100%25%20Pure.mp3",
        "https://b.example/100%25.mp3%231", "https://b.example/live.mp3",
      ])
  }
}
