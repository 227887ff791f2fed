// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The parts of a media file that a program for tags leaves alone: its audio and video. The first bytes tell the kind of
/// file. The formats are those of id3.org, of Xiph (FLAC, RFC 9639; Ogg, RFC 3533), of ISO/IEC 14496-12 and of
/// RIFF.
struct MediaPart {
  /// In the order in which they are hashed.
  private(set) var ranges: [Range<Int64>] = []
  /// The ranges that earlier versions hashed, where they differ: those of an MP3 file included its header frame.
  private(set) var formerRanges: [Range<Int64>]?

  /// - Returns: Nil for a format whose parts are not known, and for a file that is not what its beginning says.
  init?(of file: some OpenFile) throws(FileError) {
    let reader = PartReader(file: file, size: try file.status().size.bytes)
    let start = try reader.endOfLeadingTags()
    let head = try reader.bytes(at: start, 12)
    let end = try reader.startOfTrailingTags()
    var found: [Range<Int64>]?
    if head.starts(with: "fLaC".utf8) {
      found = try reader.flac(from: start, to: end)
    } else if start > 0 || head.count > 1 && head[0] == 0xFF && head[1] & 0xE0 == 0xE0 {
      found = start < end ? [start..<end] : nil
      let audio = start + (try reader.headerFrame(at: start))
      if audio > start, audio < end { (found, formerRanges) = ([audio..<end], found) }
    } else if head.starts(with: "OggS".utf8) {
      found = try reader.ogg()
    } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).elementsEqual("WAVE".utf8) {
      found = try reader.wave()
    } else if head.dropFirst(4).starts(with: "ftyp".utf8) {
      found = try reader.atoms()
    } else {
      found = nil
    }
    guard let found, !found.isEmpty else { return nil }
    ranges = found
  }

  /// The SHA-256 of the media without its tags.
  /// - Returns: Nil if the parts of the file are not known, or if it cannot be read.
  static func digest(of place: FilePlace, in files: any FileSystem) -> SHA256Digest? {
    do throws(FileError) {
      let file = try files.open(place, for: .reading)
      guard let part = try MediaPart(of: file) else { return nil }
      return try digest(of: part.ranges, in: file)
    } catch { return nil }
  }

  /// True if the media of a file has this digest, or had it for an earlier version.
  fileprivate static func isMedia(_ media: SHA256Digest, of place: FilePlace, in files: any FileSystem) -> Bool {
    do throws(FileError) {
      let file = try files.open(place, for: .reading)
      guard let part = try MediaPart(of: file) else { return false }
      if try digest(of: part.ranges, in: file) == media { return true }
      guard let former = part.formerRanges else { return false }
      return try digest(of: former, in: file) == media
    } catch { return false }
  }

  private static func digest(of ranges: [Range<Int64>], in file: some OpenFile) throws(FileError) -> SHA256Digest? {
    var digest = RunningDigest()
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    for range in ranges {
      var offset = range.lowerBound
      while offset < range.upperBound {
        let wanted = Int(min(Int64(buffer.count), range.upperBound - offset))
        let count = try file.read(&buffer, at: offset, wanted)
        guard count > 0 else { return nil }
        buffer.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        offset += Int64(count)
      }
    }
    return digest.finishHash()
  }
}

extension FileDigest {
  /// The digest of a whole file. Nil if its media is not the expected one, or if it cannot be read.
  static func compute(
    _ place: FilePlace, in files: any FileSystem, ifMediaIs media: SyncCore.SHA256Digest
  ) -> FileDigest? {
    guard MediaPart.isMedia(media, of: place, in: files) else { return nil }
    do throws(Failure) { return try compute(place, in: files) } catch { return nil }
  }
}

/// Reads the structure of one file.
private struct PartReader<File: OpenFile> {
  let file: File
  let size: Int64

  init(file: File, size: Int64) { (self.file, self.size) = (file, size) }

  /// Fewer bytes at the end of the file.
  func bytes(at offset: Int64, _ count: Int) throws(FileError) -> [UInt8] {
    guard offset >= 0, offset < size else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      var rest = [UInt8](repeating: 0, count: count - filled)
      let read = try file.read(&rest, at: offset + Int64(filled), rest.count)
      guard read > 0 else { break }
      bytes.replaceSubrange(filled..<filled + read, with: rest[..<read])
      filled += read
    }
    return Array(bytes[..<filled])
  }

  // MARK: Tags around the audio

  /// ID3v2 tags, of which there may be several.
  func endOfLeadingTags() throws(FileError) -> Int64 {
    var offset: Int64 = 0
    while true {
      let head = try bytes(at: offset, 10)
      guard head.count == 10, head.starts(with: "ID3".utf8), head[6...].allSatisfy({ $0 < 0x80 }) else { return offset }
      let length = head[6...].reduce(Int64(0)) { $0 << 7 | Int64($1) }
      offset += 10 + length + (head[5] & 0x10 != 0 ? 10 : 0)
    }
  }

  /// ID3v1, APEv2 and Lyrics3v2.
  func startOfTrailingTags() throws(FileError) -> Int64 {
    var end = size
    while true {
      if try bytes(at: end - 128, 3).elementsEqual("TAG".utf8) {
        end -= 128
        continue
      }
      let footer = try bytes(at: end - 32, 32)
      if footer.starts(with: "APETAGEX".utf8) {
        let length = Int64(footer.littleEndian(at: 12, 4))
        end -= length + (footer[23] & 0x80 != 0 ? 32 : 0)
        guard length >= 32, end >= 0 else { return size }
        continue
      }
      if footer.count == 32, footer[23...].elementsEqual("LYRICS200".utf8),
        let length = Int64(String(decoding: footer[17..<23], as: UTF8.self)), (0...end - 15).contains(length)
      {
        end -= length + 15
        continue
      }
      return end
    }
  }

  // MARK: Formats

  /// The length of the first frame of an MP3 file that describes the others (Xing, Info with the extension of LAME, VBRI).
  /// It has no audio, and programs that write tags write it anew. Zero for a frame with audio, and for other formats.
  func headerFrame(at start: Int64) throws(FileError) -> Int64 {
    let frame = try bytes(at: start, 4 + 2 + 32 + 4)
    guard frame.count == 42, let header = LayerIIIHeader(frame) else { return 0 }
    let isHeader = header.descriptions.contains { place, name in frame[place...].starts(with: name.utf8) }
    return isHeader ? header.length : 0
  }

  /// The frames behind the blocks of metadata.
  func flac(from start: Int64, to end: Int64) throws(FileError) -> [Range<Int64>]? {
    var offset = start + 4
    while true {
      let head = try bytes(at: offset, 4)
      guard head.count == 4 else { return nil }
      offset += 4 + (Int64(head[1]) << 16 | Int64(head[2]) << 8 | Int64(head[3]))
      if head[0] & 0x80 != 0 { return offset < end ? [offset..<end] : nil }
    }
  }

  /// The payload of `mdat`.
  func atoms() throws(FileError) -> [Range<Int64>]? {
    var (offset, found) = (Int64(0), [Range<Int64>]())
    while offset < size {
      let head = try bytes(at: offset, 16)
      guard head.count >= 8 else { return nil }
      var (start, length) = (offset + 8, Int64(head.bigEndian(at: 0, 4)))
      if length == 1 {
        guard head.count == 16, let large = Int64(exactly: head.bigEndian(at: 8, 8)) else { return nil }
        (start, length) = (offset + 16, large)
      } else if length == 0 {
        length = size - offset
      }
      let (end, overflows) = offset.addingReportingOverflow(length)
      guard !overflows, end >= start, end <= size else { return nil }
      if head[4..<8].elementsEqual("mdat".utf8), start < end { found.append(start..<end) }
      offset = end
    }
    return found
  }

  /// The payload of `data`.
  func wave() throws(FileError) -> [Range<Int64>]? {
    var offset: Int64 = 12
    while offset < size {
      let head = try bytes(at: offset, 8)
      guard head.count == 8 else { return nil }
      let (start, length) = (offset + 8, Int64(head.littleEndian(at: 4, 4)))
      guard start + length <= size else { return nil }
      if head.starts(with: "data".utf8) { return length > 0 ? [start..<start + length] : nil }
      offset = start + length + length % 2
    }
    return nil
  }

  /// The bodies of the pages behind those of the header packets. New tags change the numbers and the checksums of all
  /// pages, but no body.
  func ogg() throws(FileError) -> [Range<Int64>]? {
    var (offset, found, headers) = (Int64(0), [Range<Int64>](), 0)
    while offset < size {
      let head = try bytes(at: offset, 27 + 255)
      guard head.count >= 27, head.starts(with: "OggS".utf8), head.count >= 27 + Int(head[26]) else { return nil }
      let laces = head[27..<27 + Int(head[26])]
      let start = offset + 27 + Int64(laces.count)
      let end = start + laces.reduce(0) { $0 + Int64($1) }
      guard end <= size else { return nil }
      if offset == 0 {
        guard let count = Self.headerPackets(try bytes(at: start, 16)) else { return nil }
        headers = count
      }
      if headers > 0 {
        headers -= laces.count { $0 < 255 }
      } else if start < end {
        found.append(start..<end)
      }
      offset = end
    }
    return found
  }

  /// The number of packets before the audio, by the first one. Nil if there are several streams.
  private static func headerPackets(_ packet: [UInt8]) -> Int? {
    if packet.dropFirst().starts(with: "vorbis".utf8) { return 3 }
    if packet.starts(with: "OpusHead".utf8) || packet.starts(with: "Speex   ".utf8) { return 2 }
    guard packet.starts(with: [0x7F] + Array("FLAC".utf8)), packet.count > 8 else { return nil }
    let count = Int(packet.bigEndian(at: 7, 2))
    return count > 0 ? count + 1 : nil
  }
}

extension [UInt8] {
  fileprivate func bigEndian(at offset: Int, _ count: Int) -> UInt64 {
    self[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
  }

  fileprivate func littleEndian(at offset: Int, _ count: Int) -> UInt64 {
    self[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension OpenFile {
  fileprivate func read(_ bytes: inout [UInt8], at offset: Int64, _ count: Int) throws(FileError) -> Int {
    let result = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(FileError) in
        try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
      }
    }
    return try result.get()
  }
}
