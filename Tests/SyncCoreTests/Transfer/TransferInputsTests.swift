// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("the inputs of a transfer")
struct TransferInputsTests {
  /// The inputs on which a failure depends, and the changes that they may undergo.
  struct Inputs {
    var manifest = Manifest(name: "car", library: LibrarySettings(path: "/library"))
    var item: Item
    var password = "hush"
    var readsSecrets = true
    var isFromSource = false
    var largest: ByteCount?

    init() throws {
      item = try SyncCoreTests.item(
        "a", url: "https://media.example.net/a.mp3?token=1", duration: .seconds(100),
        alternatives: [try candidate("https://other.example.net/a.mp3", duration: .seconds(120))])
      var playlist = Playlist(name: try playlistName("mix"), source: .items([item]))
      playlist.auth = AuthSettings()
      manifest.playlists = [playlist]
      manifest.downloads.headers = [HTTPField(name: "X-Key", value: "one")]
      login()
    }

    mutating func login(_ user: String = "anna") {
      manifest.playlists[0].auth?.login = .basic(user: user, password: .written(Secret(password)))
    }

    var mark: InputMark {
      let name = manifest.playlists[0].name
      var credentials = Credentials(scope: CredentialScope(origins: []))
      credentials.fields = [.basic(user: "anna", password: Secret(password))]
      return TransferInputs(manifest, largest: largest, credentials: readsSecrets ? [name: credentials] : nil)
        .mark(of: item, in: [name], isFromSource: isFromSource)
    }
  }

  private typealias Change = @Sendable (inout Inputs) throws -> Void

  private static let settings: [(String, Change)] = [
    ("url", { $0.item.main = try candidate("https://media.example.net/b.mp3") }),
    ("scheme", { $0.item.main = try candidate("http://media.example.net/a.mp3?token=1") }),
    ("token of an inline URL", { $0.item.main = try candidate("https://media.example.net/a.mp3?token=2") }),
    ("alternative", { $0.item.alternatives = [] }),
    ("tolerance", { $0.manifest.alternatives.tolerance = .seconds(5) }),
    ("features.alternatives", { $0.manifest.features.alternatives = false }),
    ("checksum", { $0.item.checksum = Checksum("md5:\(String(repeating: "1", count: 32))") }),
    ("size", { $0.item.size = .exact(ByteCount(7)) }),
    ("auth", { $0.manifest.playlists[0].auth = nil }),
    ("user", { $0.login("bert") }),
    ("allow_private", { $0.manifest.downloads.addresses = .allowAll }),
    ("max_item_size", { $0.manifest.downloads.maxItemSize = ByteCount(1) }),
    ("file system", { $0.largest = ByteCount(1 << 32) }),
    ("sniff", { $0.manifest.checks.sniff = false }),
    ("checks.duration", { $0.manifest.checks.duration = .reject }),
    ("tls.min", { $0.manifest.downloads.tls.min = .oneThree }),
    ("tls.ca_file", { $0.manifest.downloads.tls.caFile = "/etc/own.pem" }),
    ("proxy", { $0.manifest.downloads.proxy = .url(try #require(ProxyURL("http://proxy:3128"))) }),
    ("user_agent", { $0.manifest.downloads.userAgent = "Player" }),
    ("headers", { $0.manifest.downloads.headers = [] }),
  ]

  @Test("each setting that a transfer rests on changes the mark", arguments: settings.indices)
  func changed(index: Int) throws {
    let (name, change) = Self.settings[index]
    let before = try Inputs()
    var after = before
    try change(&after)
    for kind in [FailureKind.http, .checksum] {
      #expect(before.mark.differs(from: after.mark, in: kind), "\(name), \(kind)")
    }
  }

  @Test("waits, retries and sizes that are only a hint do not")
  func unchanged() throws {
    let before = try Inputs()
    var after = before
    after.manifest.downloads.retries = 9
    after.manifest.downloads.stallTimeout = .seconds(1)
    after.manifest.storage.budget = ByteCount(5)
    after.item.size = .about(ByteCount(5))
    after.item.title = "Another"
    #expect(!before.mark.differs(from: after.mark, in: .http))
  }

  @Test(
    "a changed secret counts where a server's answer was the failure, and where it was read",
    arguments: [(FailureKind.http, true), (.notMedia, true), (.checksum, false), (.size, false), (.tooLarge, false)])
  func secrets(kind: FailureKind, counts: Bool) throws {
    let before = try Inputs()
    var password = before
    password.password = "husch"
    password.login()
    var header = before
    header.manifest.downloads.headers = [HTTPField(name: "X-Key", value: "two")]
    for after in [password, header] {
      #expect(before.mark.differs(from: after.mark, in: kind) == counts)
      var unread = after
      unread.readsSecrets = false
      #expect(!before.mark.differs(from: unread.mark, in: kind))
    }
  }

  @Test("a URL that a source signs anew is the same, but for what its server answered")
  func signed() throws {
    var before = try Inputs()
    before.isFromSource = true
    var after = before
    after.item.main = try candidate("https://media.example.net/a.mp3?token=2")
    #expect(before.mark.differs(from: after.mark, in: .http))
    #expect(!before.mark.differs(from: after.mark, in: .checksum))
  }

  @Test("the secrets leave twelve bits, whatever they are")
  func bits() throws {
    var seen: Set<UInt16> = []
    for number in 0..<500 {
      var inputs = try Inputs()
      inputs.password = "password \(number)"
      let secrets = try #require(inputs.mark.secrets)
      #expect(secrets < 4096)
      seen.insert(secrets)
    }
    // Twelve bits are used: of 500 draws from 4096, 471 differ on average.
    #expect(seen.count > 420)
  }

  @Test(
    "a mark is read as it was written, and nothing else is",
    arguments: ["0123456789abcdef", "0123456789abcdef-0fa", "0000000000000000-000"])
  func text(text: String) throws {
    #expect(InputMark(text)?.text == text)
    for other in ["", "-", "\(text)-", "\(text)0", "x\(text.dropFirst())", "\(text)-123-456", text.uppercased()]
    where other != text { #expect(InputMark(other) == nil, "\(other)") }
  }
}
