// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncTestSupport
import Testing

/// A library whose playlist is behind an OAuth 2 provider, and a browser for its logins.
struct OAuthFixture {
  let provider: OAuthServer
  let home: LibraryFixture
  let audio = GeneratedAudio(title: "Night Drive", seconds: 2, seed: 1)

  init(policy: OAuthServer.Policy = OAuthServer.Policy()) throws {
    provider = try OAuthServer(policy: policy)
    home = try LibraryFixture()
    serve("a")
  }

  func serve(_ names: String...) {
    for name in names { provider.serve("/\(name).mp3", Resource(bytes: audio.bytes, etag: "\"\(name)\"")) }
  }

  /// - Parameters:
  ///   - oauth: The keys besides the client's.
  ///   - more: Whole top-level keys.
  func declare(
    _ oauth: String? = nil, items: [String] = ["a"], retries: Int = 0, more: String = "", playlist: String = ""
  ) throws {
    let keys = oauth ?? "issuer: \"\(provider.url)\", client_id: syncjob-test"
    try home.declare(
      """
      storage: { min_free: 0 }
      downloads: { retries: \(retries), network: { allow_private: true } }
      \(more)
      playlists:
        club:
          auth: { oauth: { \(keys) } }
      \(playlist)
          items:
      \(items.map { "      - { id: \($0), title: \($0), url: \"\(provider.url(of: "/\($0).mp3"))\" }" }.joined(separator: "\n"))
      """)
  }

  func login(_ options: String...) -> Command { command("login", options) }

  private func command(_ name: String, _ options: [String]) -> Command {
    home.command([name, "--manifest", home.manifest, "club"] + options)
  }

  /// Logs in through the browser of this test.
  /// - Returns: The end of the command, and the page that the browser shows.
  @discardableResult
  func logIn(_ options: String..., change: (String) -> String = { $0 }) throws -> (CommandResult, page: String) {
    let running = try command("login", ["--print-url"] + options).start()
    let url = try #require(running.firstLine())
    let back = try Self.agree(to: url, at: provider)
    let page = try Self.open(change(back))
    return (running.wait(), page)
  }

  /// Opens the page of the provider, which agrees.
  /// - Returns: The address to which it sends the browser.
  static func agree(to url: String, at provider: OAuthServer) throws -> String {
    let path = try #require(url.firstRange(of: provider.url).map { String(url[$0.upperBound...]) })
    let answer = try #require(PlainRequest.get(port: provider.server.port, path: path))
    let line = try #require(answer.split(separator: "\r\n").first { $0.hasPrefix("Location: ") }, "\(answer)")
    return String(line.dropFirst("Location: ".count))
  }

  /// Opens an address on this machine.
  static func open(_ address: String) throws -> String {
    let rest = address.dropFirst("http://127.0.0.1:".count)
    let port = try #require(UInt16(rest.prefix { $0 != "/" }))
    return try #require(PlainRequest.get(port: port, path: String(rest.drop { $0 != "/" })))
  }

  @discardableResult
  func run(_ status: Int32 = 0, _ options: String...) throws -> CommandResult {
    let result = try home.command("run", options: options).run()
    #expect(result.ending == .exited(status), "\(result.standardError) \(result.standardOutput)")
    return result
  }

  /// The only file of tokens.
  var tokenFile: String {
    get throws {
      let names = try FileTree.files("\(home.state)/oauth", hidden: true).filter { $0.hasSuffix(".json") }
      return "\(home.state)/oauth/\(try #require(names.first))"
    }
  }

  var hasMedia: Bool { access("\(home.library)/club/a.mp3", F_OK) == 0 }
  /// The requests for tokens with a refresh token.
  var renewals: Int {
    provider.requests(to: provider.tokenPath).count {
      String(decoding: $0.body, as: UTF8.self).contains("grant_type=refresh_token")
    }
  }
}
