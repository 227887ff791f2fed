// SPDX-License-Identifier: Apache-2.0

import SyncCore
import SyncDiskTestSupport
import Synchronization
import Testing

@testable import SyncDisk

@Suite("writing a partial")
struct PartialWriterTests {
  private let files = MemoryFileSystem()

  @Test(
    "the digest is that of the whole file, whatever comes in which pieces behind what was there",
    arguments: [1, 16_384, 262_143, 262_144, 262_145, 700_000, 1_048_576], [1_000, 16_384])
  func digest(size: Int, piece: Int) async throws {
    for offset in Set([0, size / 3, size]) {
      let body = Self.body(size)
      let place = try place("\(size)-\(piece)-\(offset)")
      try files.create(place, body, mode: .privateFile)
      let pending = try write(body, from: offset, by: piece, to: place)
      let digest = try await pending.value().get()
      let whole = try FileDigest.compute(place, in: files, also: .md5)
      #expect(digest.sha256 == whole.sha256)
      #expect(digest.declared == whole.declared)
      #expect(digest.size == ByteCount(Int64(size)))
      let isWritten = try files.read(place, limit: ByteCount(Int64(size))) == body
      #expect(isWritten)
    }
  }

  @Test("a partial that is shorter than what is to be continued fails, and is not hashed as if it were whole")
  func shortened() async throws {
    let place = try place("short")
    try files.create(place, [1, 2, 3], mode: .privateFile)
    let digest = BodyDigest(
      BufferPool(), after: .init(files: files, place: place, length: ByteCount(10)), also: nil)
    guard case .failure(.io) = await digest.finish().value() else {
      Issue.record("the digest of bytes that are not there")
      return
    }
  }

  @Test("a body beyond its limit is refused before it is written")
  func limit() throws {
    let place = try place("limit")
    let writer = try writer(place, limit: 10)
    #expect(throws: Failure.size(expected: ByteCount(10), actual: ByteCount(11))) {
      _ = try Self.body(11).withUnsafeBytes { try writer.append($0) }
    }
    try writer.flush()
    #expect(try files.read(place, limit: ByteCount(100)) == [])
  }

  private func write(_ body: [UInt8], from offset: Int, by piece: Int, to place: FilePlace) throws
    -> BodyDigest.Pending
  {
    let writer = try writer(place, from: offset, limit: body.count)
    var position = offset
    while position < body.count {
      let end = min(position + piece, body.count)
      #expect(try body[position..<end].withUnsafeBytes { try writer.append($0) })
      position = end
    }
    try writer.flush()
    return try #require(writer.finishDigest())
  }

  @Test("a small body of an announced size is written when it is whole, and not before")
  func small() throws {
    let sizes = [PartialWriter.smallSize, PartialWriter.smallSize + ByteCount(1)]
    let early = try sizes.map { size in
      let place = try place("\(size.bytes)")
      let writer = try writer(place, total: size, limit: Int(size.bytes))
      #expect(try Self.body(Int(size.bytes)).withUnsafeBytes { try writer.append($0) })
      defer { #expect(throws: Never.self) { try writer.flush() } }
      return try files.status(of: place) != nil
    }
    #expect(early == [false, true])
    for size in sizes { #expect(try files.status(of: place("\(size.bytes)"))?.size == size) }
  }

  @Test("a small body is handed over when it is whole, and writes itself over what was there")
  func whole() throws {
    let place = try place("whole")
    try files.create(place, Self.body(30_000), mode: .privateFile)
    let body = Self.body(20_000)
    let writer = try writer(place, total: ByteCount(20_000), limit: 20_000)
    for piece in [body[..<5_000], body[5_000...]] {
      #expect(writer.takeWhole() == nil && !writer.isWholeInMemory)
      #expect(try piece.withUnsafeBytes { try writer.append($0) })
    }
    let whole = try #require(writer.takeWhole())
    #expect(try files.status(of: place)?.size == ByteCount(30_000))
    let (digest, file) = try whole.write()
    try file.close()
    #expect(try files.read(place, limit: ByteCount(50_000)) == body)
    let computed = try FileDigest.compute(place, in: files, also: .md5)
    #expect(digest.sha256 == computed.sha256 && digest.declared == computed.declared)
  }

  @Test(
    "no other body is handed over",
    arguments: [(100, 0, 200), (100, 0, nil), (100, 50, 100), (70_000, 0, 70_000)] as [(Int, Int, Int64?)])
  func notWhole(size: Int, offset: Int, total: Int64?) throws {
    let place = try place("\(size)-\(offset)-\(total ?? 0)")
    try files.create(place, Self.body(offset), mode: .privateFile)
    let writer = try writer(place, from: offset, total: total.map { ByteCount($0) }, limit: size)
    #expect(try Self.body(size)[offset...].withUnsafeBytes { try writer.append($0) })
    #expect(!writer.isWholeInMemory && writer.takeWhole() == nil)
    try writer.flush()
    #expect(try files.status(of: place)?.size == ByteCount(Int64(size)))
  }

  private func writer(
    _ place: FilePlace, from offset: Int = 0, total: ByteCount? = nil, limit: Int
  ) throws -> PartialWriter {
    let pool = BufferPool()
    let prefix = BodyDigest.Prefix(files: files, place: place, length: ByteCount(Int64(offset)))
    var bounds = BodyBounds(offset: ByteCount(Int64(offset)), limit: ByteCount(Int64(limit)))
    bounds.total = total
    return try PartialWriter(
      bounds, pool: pool,
      digest: BodyDigest(pool, after: offset > 0 ? prefix : nil, also: .md5),
      tooLong: { .size(expected: ByteCount(Int64(limit)), actual: $0) },
      open: { [files] () throws(FileError) in try files.open(place, for: .writingOrCreating(.privateFile)) })
  }

  private func place(_ name: String) throws -> FilePlace {
    try #require(FilePlace(files.openRoot("/partial", making: .privateFolder)).child(name))
  }

  private static func body(_ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) } }
}

@Suite("the buffers between the network and the hash")
struct BufferPoolTests {
  @Test("it is short when so many are under way, until half of them are back, and says so once")
  func relief() {
    let reliefs = Atomic(0)
    let pool = BufferPool(limit: 4) { reliefs.add(1, ordering: .relaxed) }
    #expect((1...3).allSatisfy { _ in !pool.handedOver() })
    #expect(pool.handedOver())
    #expect(pool.handedOver(), "as long as there is no relief")
    for _ in 1...2 { pool.giveBack([]) }
    #expect(reliefs.load(ordering: .relaxed) == 0)
    for _ in 1...3 { pool.giveBack([]) }
    #expect(reliefs.load(ordering: .relaxed) == 1)
    #expect(!pool.handedOver())
  }

  @Test("a buffer is used again, empty")
  func reuse() {
    let pool = BufferPool()
    var buffer = pool.take()
    buffer.append(contentsOf: [1, 2, 3])
    let address = buffer.withUnsafeBytes { $0.baseAddress }
    pool.keep(consume buffer)
    let again = pool.take()
    #expect(again.isEmpty && again.capacity >= BufferPool.bufferSize)
    #expect(again.withUnsafeBytes { $0.baseAddress } == address)
  }
}
