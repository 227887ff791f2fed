// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

/// The log of plays in the state folder, `plays.jsonl`: lines are added at its end and flushed before the queue counts
/// them.
struct PlayLogStore {
  private let folder: StateFolder

  /// Room for a hundred plays a day for years.
  private static let limit = ByteCount(1 << 30)
  /// No line is longer: an id has at most 512 bytes, a path 4096.
  private static let tailSize = 64 << 10

  /// The first reading of an old log may have a million lines.
  private static let linesAtOnce = 4096

  init(_ folder: StateFolder) { self.folder = folder }

  private var place: FilePlace { folder.place(.plays) }

  /// Nil when there is none.
  func read() throws(FileError) -> PlayLogLines.Reading? {
    try folder.files.read(place, limit: Self.limit).map { PlayLogLines.read($0) }
  }

  /// Appends lines and flushes them.
  /// - Parameter first: the lines that a new log begins with.
  func append(_ lines: [PlayLog.Line], beginningWith first: () -> [PlayLog.Line] = { [] }) throws(FileError) {
    guard !lines.isEmpty else { return }
    let isNew = try folder.files.status(of: place) == nil
    var rest = (isNew ? first() + lines : lines)[...]
    let file = try folder.files.open(place, for: .writingOrCreating(.privateFile))
    var end = try Self.endOfLastLine(file)
    try file.truncate(to: ByteCount(end))
    while !rest.isEmpty {
      let bytes = PlayLogLines.encode(rest.prefix(Self.linesAtOnce))
      try file.write(bytes, at: end)
      end += Int64(bytes.count)
      rest = rest.dropFirst(Self.linesAtOnce)
    }
    try file.sync()
    try file.close()
    if isNew { try folder.sync() }
  }

  /// Replaces the log.
  func replace(_ lines: [PlayLog.Line]) throws(FileError) {
    guard !lines.isEmpty else { return try folder.files.removeFileIfPresent(place) }
    try folder.files.replace(place, PlayLogLines.encode(lines), mode: .privateFile)
  }

  /// The end of the last complete line. A line that was being written when the machine stopped is void, and would
  /// corrupt the one after it.
  private static func endOfLastLine(_ file: any OpenFile) throws(FileError) -> Int64 {
    let size = try file.status().size.bytes
    let start = max(0, size - Int64(tailSize))
    var tail: [UInt8] = []
    try file.readChunks(of: tailSize, from: start) { chunk throws(FileError) in tail.append(contentsOf: chunk) }
    guard let last = tail.lastIndex(of: UInt8(ascii: "\n")) else { return start }
    return start + Int64(last) + 1
  }
}
