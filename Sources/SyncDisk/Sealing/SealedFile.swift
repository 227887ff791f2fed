// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A sealed file, open to be read from any place. Each segment is authenticated before a byte of it leaves.
package struct SealedFile: Sendable {
  package enum Problem: Error, Hashable, Sendable {
    case file(FileError)
    /// None of the keys opens it as the file of this item: another key, another item or library, or a changed
    /// beginning.
    case notOpened
    /// It is changed, cut, or longer than it was, in the segment at this place of the file.
    case damaged(at: ByteCount)
    /// The task was cancelled.
    case stopped
  }

  /// The key that it was sealed with.
  package let key: SealingKey
  /// The size of the media in it.
  package let size: ByteCount
  private let file: any OpenFile
  private let cipher: SegmentCipher
  private let sealedSize: ByteCount

  /// - Parameter associatedData: The text to which the file was bound.
  package init(
    _ place: FilePlace, in files: some FileSystem, _ keys: [SealingKey], _ associatedData: String
  ) throws(Problem) {
    do throws(FileError) {
      file = try files.open(place, for: .reading)
      sealedSize = try file.status().size
    } catch { throw .file(error) }
    LargeBuffers.keep()
    (key, cipher, size) = try Self.opened(file, sealedSize, keys, associatedData)
  }

  /// Tries the keys on the first segment.
  private static func opened(
    _ file: any OpenFile, _ sealedSize: ByteCount, _ keys: [SealingKey], _ associatedData: String
  ) throws(Problem) -> (SealingKey, SegmentCipher, ByteCount) {
    var isSealedByOne = false
    for key in keys {
      let layout = key.layout
      let (header, first) = try read(file, 0..<Int64(layout.headerSize), layout.range(ofSegment: 0, in: sealedSize))
      guard let cipher = SegmentCipher(opening: header, with: key, associatedData) else { continue }
      let isLast = layout.segmentCount(of: sealedSize) == 1
      if cipher.open(first, segment: 0, isLast: isLast) != nil {
        // A file that was cut has another size than any sealed one, but its first segments are genuine.
        return (key, cipher, layout.plainSize(of: sealedSize) ?? sealedSize)
      }
      // The segment is genuine, but the file has another length.
      if cipher.open(first, segment: 0, isLast: !isLast) != nil { isSealedByOne = true }
    }
    throw isSealedByOne ? .damaged(at: sealedSize) : .notOpened
  }

  private static func read(
    _ file: any OpenFile, _ header: Range<Int64>, _ segment: Range<Int64>
  ) throws(Problem) -> ([UInt8], [UInt8]) {
    do throws(FileError) {
      return (
        try file.read(header.count, at: header.lowerBound), try file.read(segment.count, at: segment.lowerBound)
      )
    } catch { throw .file(error) }
  }

  /// Reads the media from an offset on.
  package func reader(from offset: ByteCount = .zero) -> Reader { Reader(self, from: offset) }

  /// The media of one segment.
  fileprivate func media(ofSegment index: Int64) throws(Problem) -> [UInt8] {
    let range = key.layout.range(ofSegment: index, in: sealedSize)
    guard index < SealedLayout.maximumSegments else { throw .damaged(at: ByteCount(range.lowerBound)) }
    let sealed: [UInt8]
    do throws(FileError) { sealed = try file.read(range.count, at: range.lowerBound) } catch { throw .file(error) }
    let isLast = index == key.layout.segmentCount(of: sealedSize) - 1
    guard let plain = cipher.open(sealed, segment: index, isLast: isLast) else {
      throw .damaged(at: ByteCount(range.lowerBound))
    }
    return plain
  }

  /// The media of a sealed file, one piece after the other.
  package struct Reader: Sendable {
    private let file: SealedFile
    private var segment: Int64
    private var skip: Int
    private var rest: ArraySlice<UInt8> = []

    fileprivate init(_ file: SealedFile, from offset: ByteCount) {
      self.file = file
      (segment, skip) = file.key.layout.place(of: min(offset, file.size).bytes)
    }

    /// Returns the next bytes. There are fewer than `count` only at the end.
    package mutating func next(_ count: Int) throws(Problem) -> [UInt8] {
      var bytes: [UInt8] = []
      while bytes.count < count {
        if rest.isEmpty {
          guard let more = try nextSegment() else { break }
          rest = more
        }
        let taken = rest.prefix(count - bytes.count)
        bytes += taken
        rest = rest.dropFirst(taken.count)
      }
      return bytes
    }

    /// Returns what is left of the present segment. Nil at the end.
    package mutating func nextPiece() throws(Problem) -> [UInt8]? {
      if rest.isEmpty {
        guard let more = try nextSegment() else { return nil }
        rest = more
      }
      defer { rest = [] }
      return Array(rest)
    }

    private mutating func nextSegment() throws(Problem) -> ArraySlice<UInt8>? {
      while segment < file.key.layout.segmentCount(of: file.sealedSize) {
        let media = try file.media(ofSegment: segment).dropFirst(skip)
        (segment, skip) = (segment + 1, 0)
        if !media.isEmpty { return media }
      }
      return nil
    }
  }

  /// Opens every segment.
  /// - Returns: The hash of the media.
  package func digest() throws(Problem) -> SHA256Digest {
    var (reader, digest) = (reader(), RunningDigest())
    while let piece = try reader.nextPiece() {
      guard !Task.isCancelled else { throw .stopped }
      piece.withUnsafeBytes { digest.update($0) }
    }
    return digest.finishHash()
  }

  /// Writes the media to a new file in clear, and flushes it.
  /// - Returns: The hash of the media.
  package func write(to place: FilePlace, in files: some FileSystem, mode: FileMode) throws(Problem) -> SHA256Digest {
    var (reader, output) = (reader(), try SealedOutput(place, in: files, mode: mode))
    while let piece = try reader.nextPiece() {
      guard !Task.isCancelled else { throw .stopped }
      try output.append(piece)
    }
    return try output.finish().sha256
  }
}
