// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport
import Testing

/// Items that a server has in several qualities.
struct QualityHousehold {
  let home: LibraryFixture
  let server: FaultServer

  init(_ home: LibraryFixture) throws {
    self.home = home
    server = try FaultServer()
  }

  enum Format: String { case mp3, m4a }

  /// Bytes that differ by name and quality, and begin as a file of the format does.
  static func bytes(_ name: String, _ quality: String, _ size: Int, _ format: Format = .mp3) -> [UInt8] {
    let seed = "\(name) \(quality)".utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }
    let audio = GeneratedAudio(title: "\(name) \(quality)", seconds: 1, seed: seed)
    let bytes = audio.body(count: size).bytes(in: 0..<size)
    guard format == .m4a else { return bytes }
    let head: [UInt8] = [0, 0, 0, 0x1C] + Array("ftypM4A ".utf8) + [0, 0, 2, 0] + Array("M4A mp42isom".utf8)
    return head + bytes.dropFirst(head.count)
  }

  func serve(_ name: String, _ quality: String, _ size: Int, _ format: Format = .mp3) {
    server.serve(
      path(name, quality),
      Resource(
        bytes: Self.bytes(name, quality, size, format), contentType: format == .mp3 ? "audio/mpeg" : "audio/mp4",
        etag: "\"\(name)-\(quality)\""))
  }

  func path(_ name: String, _ quality: String) -> String { "/\(quality)/\(name)" }

  func requests(_ name: String, _ quality: String) -> Int { server.requests(to: path(name, quality)).count }

  /// One item, or another playlist's line, as the manifest has it.
  func item(_ name: String, _ qualities: [String], _ more: String = "") -> String {
    let urls = qualities.map { "\($0): \"\(server.url(path(name, $0)))\"" }.joined(separator: ", ")
    return "      - { id: \(name), title: \(name)\(more), urls: { \(urls) } }"
  }

  func declare(
    _ quality: String, _ items: [String], storage: String = "{ min_free: 0 }", _ more: String = ""
  ) throws {
    try home.declare(
      """
      storage: \(storage)
      downloads: { retries: 0, backoff: { initial: 10ms } }
      playlists:
        all:
          quality: \(quality)
          items:
      \(items.joined(separator: "\n"))
      \(more)
      """)
  }

  /// Media of the library.
  func files() throws -> [String] {
    try FileTree.files(home.library, hidden: false).filter { !$0.hasSuffix(".m3u8") }.sorted()
  }

  func file(_ name: String, _ format: Format = .mp3) throws -> [UInt8] {
    try FileBytes.read("\(home.library)/all/\(name).\(format.rawValue)")
  }

  func explain(_ name: String) throws -> JSONValue {
    try JSONValue(try home.editing("explain", name, "--json").run().stdout)
  }
}
