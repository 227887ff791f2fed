// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats
import Synchronization

/// Reads a source's document while it arrives. Only a part of it is in memory, however large it is.
final class DocumentIntake<Reader: ListingReader & ~Copyable>: SourceIntake {
  /// A document that was read, and the future copy of it.
  struct Document {
    let listing: Listing
    let seal: SourceSeal
    /// False if the listing was known already.
    let isParsed: Bool
    fileprivate var spool: DocumentSpool?
    /// The bytes that the spool does not have yet.
    fileprivate let rest: [UInt8]

    mutating func keep() {
      let end = rest + seal.bytes
      spool?.keep(endingWith: end)
    }

    mutating func discard() { spool?.discard() }
  }

  private struct State: ~Copyable {
    var head: FetchedDocument?
    var reader: Reader?
    var digest = RunningDigest()
    var size: Int64 = 0
    /// Bytes that are not read yet. Most documents are too short to spend the time of the network's thread on them.
    var pending: [UInt8] = []
    var spool: DocumentSpool?

    mutating func parsePending() {
      let part = pending
      reader?.feed(part[...])
    }

    mutating func listing() -> Listing? {
      guard let reader = reader.take() else { return nil }
      return reader.finish()
    }

    mutating func digestPending() { pending.withUnsafeBytes { digest.update($0) } }
  }

  private static var partSize: Int { 512 << 10 }

  private let source: RemoteURL
  private let limit: ByteCount
  private let state: Mutex<State>

  /// The number of bytes so far.
  var size: Int64 { state.withLock { $0.size } }

  /// - Parameters:
  ///   - spool: The place where the document is kept. Nil to only read it.
  ///   - limit: The size of the largest document.
  init(source: RemoteURL, spool: DocumentSpool?, limit: ByteCount = Reader.maximumSize) {
    (self.source, self.limit) = (source, limit)
    state = Mutex(State(spool: spool))
  }

  func begin(_ head: FetchedDocument) {
    state.withLock { state in
      state.spool?.discard()
      state = State(
        head: head, reader: Reader(base: head.url.withoutQuery, charset: head.charset), spool: state.spool)
    }
  }

  func take(_ bytes: [UInt8]) throws(Failure) {
    let isTooLarge = state.withLock { state in
      state.size += Int64(bytes.count)
      guard state.size <= limit.bytes else { return true }
      state.pending += bytes
      if state.pending.count >= Self.partSize {
        state.digestPending()
        state.parsePending()
        let part = state.pending
        state.spool?.write(part)
        state.pending.removeAll(keepingCapacity: true)
      }
      return false
    }
    if isTooLarge { throw .tooLarge(limit: limit) }
  }

  /// Returns the document. Nil if none arrived.
  /// - Parameter kept: Returns the listing of the document with this seal if it is known. The document is then not
  ///   parsed.
  func finish(kept: (SourceSeal) -> Listing?) -> Document? {
    state.withLock { state in
      guard let head = state.head else { return nil }
      state.digestPending()
      let origin = SourceOrigin(source: source, answeredBy: head.url, charset: head.charset)
      let seal = SourceSeal(state.digest, origin)
      let known = kept(seal)
      if known == nil { state.parsePending() }
      guard let listing = known ?? state.listing() else { return nil }
      return Document(
        listing: listing, seal: seal, isParsed: known == nil, spool: state.spool, rest: state.pending)
    }
  }

  /// Drops the bytes of a document that did not arrive whole.
  func discard() { state.withLock { $0.spool?.discard() } }
}
