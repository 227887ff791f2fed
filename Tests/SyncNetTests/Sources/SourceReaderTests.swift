// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDiskTestSupport
import SyncFormats
import Synchronization
import Testing

@testable import SyncDisk
@testable import SyncNet

/// A format that no version reads: one URL a line, and `end` behind the last.
private struct LineReader: ListingReader, ~Copyable {
  static var maximumSize: ByteCount { ByteCount(1 << 20) }
  static var revision: Int { 1 }
  private var bytes: [UInt8] = []

  init(base: RemoteURL?, charset: String?) {}

  mutating func feed(_ bytes: ArraySlice<UInt8>) { self.bytes += bytes }

  consuming func finish() -> Listing {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let urls = lines.compactMap { line -> RemoteURL? in
      do throws(RemoteURL.Problem) { return try RemoteURL(line) } catch { return nil }
    }
    return Listing(
      title: "Lines", entries: ListingEntries(urls.map { ListingEntry(url: $0) }),
      completeness: lines.last == "end" ? .whole : .partial(.malformed(line: lines.count, detail: "no end")))
  }
}

@Suite("the stage that reads the sources")
struct SourceReaderTests {
  private static let now = Timestamp(secondsSince1970: 1_800_000_000)
  private static let url = "https://lists.example.net/all.txt"

  private let scratch: ScratchDirectory
  private let manifest: Manifest
  private let library: Library

  init() throws {
    scratch = try ScratchDirectory()
    var playlist = Playlist(
      name: try #require(PlaylistName("lines")), source: .listing(.feed, at: .remote(try RemoteURL(Self.url))))
    playlist.select.initial = .all
    manifest = Manifest(name: "car", library: LibrarySettings(path: scratch.path), playlists: [playlist])
    library = try Library.open(manifest.library, POSIXFileSystem())
    // As the opening of a library makes it.
    let copies = try #require(FilePlace(library.state.root).child("cache"))
    try library.files.makeFolders(copies, mode: .privateFolder)
  }

  private func access(_ answer: ScriptedFetcher.Answer, _ secrets: [Secret] = []) -> SourceAccess {
    SourceAccess(
      fetcher: ScriptedFetcher(answers: [Self.url: answer]), keeps: true, minimumFree: .zero,
      mask: SecretMask(secrets), manifestDigest: { SHA256Digest(of: []) })
  }

  private func resolution(
    _ answer: ScriptedFetcher.Answer, _ states: [PlaylistName: SourceState] = [:], secrets: [Secret] = []
  ) async -> Resolution {
    var reader = SourceReader(
      library: library, access: access(answer, secrets), now: Self.now, emit: { _ in },
      isOffline: { false })
    reader.factory = SourceFactory { _, address in DocumentSource<LineReader>(address: address) }
    return await reader.read(manifest.playlists, states: states, scope: nil)
  }

  private func plan(_ resolution: Resolution, _ queue: Queue) -> Plan {
    let desired = DesiredState(resolution, queue: queue, now: Self.now)
    let seen = LibraryObservation(freeSpace: ByteCount(1 << 40))
    let reconciliation = Reconciliation(
      desired: desired, queue: queue, seen: seen, terms: .init(manifest.storage), now: Self.now)
    return Plan(
      reconciliation, seen: seen, manifest: manifest, options: PlanOptions(maxDelete: .count(1)), now: Self.now)
  }

  private func document(_ text: String) -> ScriptedFetcher.Answer { .document(Array(text.utf8), etag: "\"1\"") }

  @Test("needs only a reader and a line in the factory for another format, up to the plan")
  func anotherFormat() async throws {
    let queue = Queue(libraryID: "1", savedAt: Self.now)
    let first = await resolution(document("https://a.example/1.mp3\nhttps://a.example/2.mp3\nend\n"))
    #expect(plan(first, queue).steps.count { $0.action != nil } == 2)
    let reading = try #require(first.playlists.first?.reading)
    #expect(reading.health.succeededAt == Self.now)
    let states = DesiredState(first, queue: queue, now: Self.now).sourceStates
    let second = await resolution(document("unread: the server says that nothing has changed"), states)
    #expect(second.playlists.first?.reading?.isUnchanged == true)
    #expect(second.playlists.first?.reading?.listing == reading.listing)
  }

  @Test("adds the entries of the copy to a document of another format that breaks off")
  func brokenOff() async throws {
    _ = await resolution(document("https://a.example/1.mp3\nend\n"))
    let broken = await resolution(.document(Array("https://a.example/2.mp3\n".utf8), etag: nil))
    let listing = try #require(broken.playlists.first?.reading?.listing)
    #expect(listing.entries.map(\.url.text) == ["https://a.example/2.mp3", "https://a.example/1.mp3"])
    #expect(listing.completeness == .partial(.malformed(line: 1, detail: "no end")))
  }

  // MARK: The kept listing

  @Test("keeps no listing that contains a secret of the run, in whatever text")
  func secret() async throws {
    let text = "https://a.example/1.mp3?token=Anna-0815-Anna\nend\n"
    _ = await resolution(document(text), secrets: [Secret("Anna-0815-Anna")])
    #expect(try library.files.status(of: copy) != nil && library.files.status(of: keptFile) == nil)
    _ = await resolution(document(text), secrets: [Secret("0815-Berta")])
    #expect(try library.files.status(of: keptFile) != nil)
  }

  private static let lines = "https://a.example/1.mp3\nend\n"
  private var copy: FilePlace { get throws { try #require(library.cache("lines.xml")) } }
  private var keptFile: FilePlace { get throws { try #require(library.cache("lines.listing")) } }

  /// Keeps another listing for the document than the reader would give, so that its use is seen.
  private func keepOther(revision: Int = 1) throws {
    let limit = ByteCount(1 << 20)
    let seal = try #require(try SealedCopy(library.files.open(try copy, for: .reading), limit: limit)).seal
    KeptListing(files: library.files, place: try keptFile, revision: revision)
      .keep(Listing(title: "Kept", completeness: .whole), of: seal, access(document(Self.lines)))
  }

  private func title(_ answer: ScriptedFetcher.Answer, _ states: [PlaylistName: SourceState]) async -> String? {
    await resolution(answer, states).playlists.first?.reading?.listing.title
  }

  private func read() async -> [PlaylistName: SourceState] {
    let first = await resolution(document(Self.lines))
    return DesiredState(first, queue: Queue(libraryID: "1", savedAt: Self.now), now: Self.now).sourceStates
  }

  @Test("does not parse an unchanged document, whether the server says so or sends it again")
  func unparsed() async throws {
    let states = await read()
    #expect(try library.files.status(of: keptFile)?.mode == .privateFile)
    try keepOther()
    #expect(await title(document(Self.lines), states) == "Kept")
    #expect(await title(.document(Array(Self.lines.utf8), etag: "\"2\""), states) == "Kept")
    #expect(await title(document("https://a.example/2.mp3\nend\n"), [:]) == "Lines")
  }

  @Test(
    "parses a document whose kept listing is damaged, of another reader or gone, and keeps it again",
    arguments: ["damaged", "cut", "empty", "of another reader", "gone"])
  func parsedAgain(_ how: String) async throws {
    let states = await read()
    let place = try keptFile
    let whole = try #require(try library.files.read(place, limit: ByteCount(1 << 20)))
    try keepOther(revision: how == "of another reader" ? 2 : 1)
    var bytes = try #require(try library.files.read(place, limit: ByteCount(1 << 20)))
    switch how {
    case "damaged": bytes[bytes.count - 1] ^= 1
    case "cut": bytes.removeLast()
    case "empty": bytes = []
    default: break
    }
    try library.files.replace(place, bytes, mode: .privateFile)
    if how == "gone" { try library.files.removeFileIfPresent(place) }
    #expect(await title(document(Self.lines), states) == "Lines")
    #expect(try library.files.read(place, limit: ByteCount(1 << 20)) == whole)
  }
}
