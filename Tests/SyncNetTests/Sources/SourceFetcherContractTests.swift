// SPDX-License-Identifier: Apache-2.0
import Curl
import SyncCore
import SyncDisk
import SyncNet
import SyncTestSupport
import Testing

/// The rules that the real fetcher and its fake must both follow.
@Suite("a source fetcher")
struct SourceFetcherContractTests {
  enum Twin: String, CaseIterable, Sendable { case real, fake }

  static let feed = Array("<rss version=\"2.0\"><channel><title>x</title></channel></rss>".utf8)

  /// Provides a world with one document, one redirect to it, one redirect loop and nothing else, and a fetcher that
  /// sees it.
  private func withFetcher(
    _ twin: Twin, _ body: (any SourceFetcher, (String) throws -> RemoteURL) async throws -> Void
  ) async throws {
    let server = try FaultServer()
    defer { server.stop() }
    let url = { (path: String) in try RemoteURL(server.url(path)) }
    switch twin {
    case .fake:
      let fake = ScriptedFetcher(answers: [
        server.url("/feed"): .document(Self.feed, etag: "\"1\""), server.url("/moved"): .redirect(server.url("/feed")),
        server.url("/circle"): .redirect(server.url("/circle")), server.url("/file"): .redirect("file:///etc/passwd"),
      ])
      try await body(fake, url)
    case .real:
      server.serve("/feed", Resource(bytes: Self.feed, contentType: "application/rss+xml", etag: "\"1\""))
      server.script("/moved", [.redirect(to: server.url("/feed"))])
      server.script("/circle", [.redirect(to: server.url("/circle"))])
      server.script("/file", [.redirect(to: "file:///etc/passwd")])
      let loop = try CurlLoop()
      var manifest = Manifest(name: "test", library: LibrarySettings(path: "/nowhere"))
      manifest.downloads.retries = 0
      manifest.downloads.addresses = .allowAll
      let settings = DownloadSettings(manifest, clock: SystemClock(), userAgent: "test")
      let client = HTTPClient(loop: loop, settings: settings, seed: 1, stopwatch: Stopwatch())
      try await body(CurlSourceFetcher(client), url)
      await loop.shutdown()
    }
  }

  @Test("gives a document with its validator", arguments: Twin.allCases)
  func document(_ twin: Twin) async throws {
    try await withFetcher(twin) { fetcher, url in
      let intake = HeldDocument()
      let result = await fetcher.fetch(SourceRequest(url: try url("/feed")), into: intake)
      let url = try url("/feed")
      #expect(intake.bytes == Self.feed)
      #expect(result == .success(.document(FetchedDocument(url: url, etag: "\"1\""))))
    }
  }

  @Test("says that nothing changed when the validator still holds", arguments: Twin.allCases)
  func notModified(_ twin: Twin) async throws {
    try await withFetcher(twin) { fetcher, url in
      let result = await fetcher.fetch(SourceRequest(url: try url("/feed"), etag: "\"1\""), into: HeldDocument())
      #expect(result == .success(.notModified))
    }
  }

  @Test("follows a redirect, and says who sent the document", arguments: Twin.allCases)
  func redirect(_ twin: Twin) async throws {
    try await withFetcher(twin) { fetcher, url in
      let intake = HeldDocument()
      let result = await fetcher.fetch(SourceRequest(url: try url("/moved")), into: intake)
      let url = try url("/feed")
      #expect(intake.bytes == Self.feed)
      #expect(result == .success(.document(FetchedDocument(url: url, etag: "\"1\""))))
    }
  }

  @Test("ends in failure, not in a loop or a file", arguments: Twin.allCases)
  func failures(_ twin: Twin) async throws {
    try await withFetcher(twin) { fetcher, url in
      let intake = HeldDocument()
      #expect(await fetcher.fetch(SourceRequest(url: try url("/none")), into: intake) == .failure(.http(status: 404)))
      let circle = try url("/circle")
      let refused = Failure.redirectRefused(to: circle.redacted, .circle)
      #expect(await fetcher.fetch(SourceRequest(url: circle), into: intake) == .failure(refused))
      let file = await fetcher.fetch(SourceRequest(url: try url("/file")), into: intake)
      #expect(file == .failure(.redirectRefused(to: "file:///etc/passwd", .notHTTP)))
    }
  }

  @Test("stops when no more of the document is wanted, and says why", arguments: Twin.allCases)
  func refused(_ twin: Twin) async throws {
    try await withFetcher(twin) { fetcher, url in
      let refusal = Failure.tooLarge(limit: ByteCount(10))
      let result = await fetcher.fetch(SourceRequest(url: try url("/feed")), into: HeldDocument(refusal: refusal))
      #expect(result == .failure(refusal))
    }
  }
}
