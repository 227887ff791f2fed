// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncDiskTestSupport
import SyncFormats
import Testing

@Suite("a sealed file")
struct SealedFileTests {
  private let files = MemoryFileSystem()
  private let root: FileRoot
  private let bound = "syncjob:library:a"

  init() throws { root = try files.openRoot("/work", making: .privateFolder) }

  private func place(_ name: String) throws -> FilePlace { try #require(FilePlace(root).child(name)) }

  private func keys(_ seed: UInt8 = 1, segment: Int = 100) throws -> Keyset {
    let layout = try #require(SealedLayout(segmentSize: segment, derivedKeySize: 32))
    let key = SealingKey(KeyID(UInt32(seed)), Array(repeating: seed, count: 32), layout, .sha256)
    let entry = Keyset.Entry(key.id, .enabled, Keyset.SerialisedKey(type: KeysetFile.type, value: ""), key: key)
    return Keyset(entry, key)
  }

  private func seal(_ bytes: [UInt8], _ keys: Keyset, as name: String = "a.sealed") throws -> FileSealer.Result {
    try files.removeFileIfPresent(try place("a"))
    try files.create(try place("a"), bytes, mode: .privateFile)
    return try FileSealer(files, keys.primary).seal(try place("a"), into: try place(name), bound)
  }

  private func open(_ keys: Keyset, from offset: Int64 = 0, as name: String = "a.sealed") throws -> [UInt8] {
    let file = try SealedFile(try place(name), in: files, keys.keys, bound)
    var (reader, bytes) = (file.reader(from: ByteCount(offset)), [UInt8]())
    while let piece = try reader.nextPiece() { bytes += piece }
    return bytes
  }

  private func write(_ bytes: [UInt8], as name: String = "a.sealed") throws {
    try files.removeFileIfPresent(try place(name))
    try files.create(try place(name), bytes, mode: .privateFile)
  }

  private func bytes(_ name: String = "a.sealed") throws -> [UInt8] {
    try #require(try files.read(try place(name), limit: ByteCount(1 << 20)))
  }

  @Test("of Tink opens: key 00 to 1f, segments of 4 KiB, associated data \"ad\"")
  func vector() throws {
    let hex =
      "28202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f01020304050607"
      + "08536e16c003167c2e10dbf449b32101716c9bde6be8e73df7a7f7c5a4"
    let digits = Array(hex.utf8)
    let sealed = try stride(from: 0, to: digits.count, by: 2).map { start in
      try #require(UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16))
    }
    try write(sealed)
    let layout = try #require(SealedLayout(segmentSize: 4096, derivedKeySize: 32))
    let key = SealingKey(KeyID(1), Array(0..<32), layout, .sha256)
    let file = try SealedFile(try place("a.sealed"), in: files, [key], "ad")
    var reader = file.reader()
    #expect(try reader.nextPiece() == Array("hello syncjob".utf8))
    #expect(try reader.nextPiece() == nil)
    #expect(throws: SealedFile.Problem.notOpened) {
      try SealedFile(try place("a.sealed"), in: files, [key], "ae")
    }
  }

  @Test("gives back what was sealed, from every place, whatever its size")
  func everySize() throws {
    let keys = try keys()
    for size in Array(0..<8) + Array(40..<50) + Array(125..<140) + Array(205..<220) {
      let media = (0..<size).map { UInt8($0 & 255) }
      let result = try seal(media, keys)
      #expect(result.size == keys.primary.layout.sealedSize(of: ByteCount(Int64(size))))
      #expect(result.plainSize.bytes == Int64(size))
      let digest = try FileDigest.compute(try place("a.sealed"), in: files)
      #expect(result.sha256 == digest.sha256 && result.size == digest.size)
      #expect(try FileDigest.compute(try place("a"), in: files).sha256 == result.plainSHA256)
      for offset in 0...size + 1 {
        #expect(try open(keys, from: Int64(offset)) == Array(media.dropFirst(offset)), "\(size) from \(offset)")
      }
    }
  }

  @Test("is another one each time, and opens with any key of a keyset")
  func keysets() throws {
    let (old, new) = (try keys(1), try keys(2))
    _ = try seal([1, 2, 3], old)
    let first = try bytes()
    _ = try seal([1, 2, 3], old)
    #expect(try bytes() != first)
    var both = new
    both.add(try #require(old.entries.first))
    #expect(try open(both) == [1, 2, 3])
    #expect(throws: SealedFile.Problem.notOpened) { try open(new) }
  }

  @Test("does not open after any change of a byte, any cut, any byte more, or with segments in another order")
  func damage() throws {
    let keys = try keys()
    let media = (0..<200).map { UInt8($0) }
    _ = try seal(media, keys)
    let whole = try bytes()
    func expectDamage(_ changed: [UInt8], _ what: String) throws {
      try write(changed)
      #expect(throws: SealedFile.Problem.self, "\(what)") { try open(keys) }
    }
    for index in whole.indices {
      var changed = whole
      changed[index] ^= 1
      try expectDamage(changed, "byte \(index)")
    }
    for length in whole.indices { try expectDamage(Array(whole[..<length]), "cut to \(length)") }
    for extra in [1, 15, 16, 17, 99, 100, 101] {
      try expectDamage(whole + Array(repeating: 0, count: extra), "\(extra) more")
    }
    #expect(whole.count == 288)
    try expectDamage(Array(whole[..<100] + whole[200...] + whole[100..<200]), "swapped")
    try expectDamage(Array(whole[..<200] + whole[100..<200] + whole[200...]), "repeated")
    try write(whole)
    #expect(try open(keys) == media)
  }

  @Test("hands over nothing of a damaged segment, and everything before it")
  func before() throws {
    let keys = try keys()
    _ = try seal((0..<200).map { UInt8($0) }, keys)
    var changed = try bytes()
    changed[250] ^= 1
    try write(changed)
    var reader = try SealedFile(try place("a.sealed"), in: files, keys.keys, bound).reader()
    #expect(try reader.nextPiece()?.count == 44)
    #expect(try reader.nextPiece()?.count == 84)
    #expect(throws: SealedFile.Problem.damaged(at: ByteCount(200))) { try reader.nextPiece() }
  }

  @Test("shows whether the keys are those of its library")
  func check() throws {
    let (own, other) = (try keys(1), try keys(2))
    let check = KeyCheck.make(own, library: "l")
    #expect(KeyCheck.key(of: check, own, library: "l")?.id == KeyID(1))
    #expect(KeyCheck.key(of: check, own, library: "m") == nil)
    #expect(KeyCheck.key(of: check, other, library: "l") == nil)
    #expect(KeyCheck.key(of: [], own, library: "l") == nil)
  }
}
