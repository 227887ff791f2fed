// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncDiskTestSupport
import SyncFormats
import Testing

@Suite("the store of licences")
struct LicenseStoreTests {
  private let files = MemoryFileSystem()
  private let folder: StateFolder
  private let server: RemoteURL
  private let (a, b): (ItemID, ItemID)
  private let key = SealingKey(content: Array(repeating: 7, count: 32))

  init() throws {
    folder = StateFolder(files, root: try files.openRoot("/state", making: .privateFolder))
    server = try RemoteURL("https://lic.example/v1")
    (a, b) = (try #require(ItemID("a")), try #require(ItemID("b")))
  }

  private func store(_ keys: Keyset? = nil, library: String = "l") throws -> LicenseStore {
    try LicenseStore(folder, library: library, keys: keys)
  }

  private func keyset(_ number: UInt32) -> Keyset {
    let (entry, key) = KeysetFile.newEntry(KeyID(number), Array(repeating: UInt8(number), count: 32))
    return Keyset(entry, key)
  }

  private func bytes() throws -> [UInt8] {
    try files.read(folder.place(.licenses), limit: LicenseFile.maximumSize) ?? []
  }

  @Test("keeps its device, its servers and its keys")
  func keeps() throws {
    let store = try store()
    #expect(!store.isKept && store.device.utf8.count == 32)
    try store.put([a: key])
    try store.register(with: server)
    let again = try self.store()
    #expect(again.device == store.device && again.isKept)
    #expect(again.keys == [a: key] && again.isRegistered(with: server))
  }

  @Test("writes nothing when nothing changes")
  func unchanged() throws {
    let store = try store()
    try store.put([a: key])
    let before = try bytes()
    try store.put([a: key])
    #expect(try !store.prepare())
    #expect(try store.keep { $0 == a } == [])
    #expect(try bytes() == before)
  }

  @Test("a key that was destroyed is nowhere in the file")
  func destroys() throws {
    let store = try store()
    try store.put([a: key, b: SealingKey(content: Array(repeating: 9, count: 32))])
    #expect(try store.keep { $0 == b } == [a])
    #expect(store.keys.keys.sorted() == [b])
    let text = String(decoding: try bytes(), as: UTF8.self)
    #expect(!text.contains(Base64.encoded(key.material)))
    #expect(try self.store().keys.keys.sorted() == [b])
  }

  @Test("with the library's keys no content key is in clear, and other keys do not open it")
  func seals() throws {
    let clear = try store()
    try clear.put([a: key])
    let store = try store(keyset(1))
    #expect(try !store.prepare())
    #expect(!String(decoding: try bytes(), as: UTF8.self).contains(Base64.encoded(key.material)))
    #expect(try self.store(keyset(1)).keys == [a: key])
    for other in [try self.store(), try self.store(keyset(2))] { #expect(other.keys.isEmpty && other.isKept) }
    // That of another library is none.
    let foreign = try self.store(keyset(1), library: "m")
    #expect(foreign.keys.isEmpty && !foreign.isKept && foreign.device != store.device)
    // A key that cannot be opened now is kept for later.
    let closed = try self.store()
    try closed.register(with: server)
    #expect(try self.store(keyset(1)).keys == [a: key])
  }

  @Test("follows a rotation of the library's keys")
  func rotates() throws {
    var keys = keyset(1)
    try store(keys).put([a: key])
    let (entry, new) = KeysetFile.newEntry(KeyID(2), Array(repeating: 2, count: 32))
    keys.rotate(to: entry, new)
    #expect(try !store(keys).prepare())
    #expect(try store(Keyset(entry, new)).keys == [a: key])
  }

  @Test("a damaged file is put aside, and one of a later version is left alone")
  func damage() throws {
    try store().put([a: key])
    let whole = try bytes()
    try files.replace(folder.place(.licenses), Array(whole.prefix(40)), mode: .privateFile)
    let store = try store()
    #expect(!store.isKept && store.keys.isEmpty)
    #expect(try store.prepare() && store.isKept)
    // It is put aside once.
    #expect(try !store.prepare())
    #expect(try files.read(folder.place(.damagedLicenses), limit: ByteCount(100)) == Array(whole.prefix(40)))
    #expect(try self.store().device == store.device)
    let later = String(decoding: whole, as: UTF8.self).replacing("\"version\":1", with: "\"version\":9")
    try files.replace(folder.place(.licenses), Array(later.utf8), mode: .privateFile)
    #expect(throws: StateError.self) { try self.store() }
  }
}
