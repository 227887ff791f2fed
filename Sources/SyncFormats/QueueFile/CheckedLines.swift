// SPDX-License-Identifier: Apache-2.0

// Files whose entries stand on lines of their own, each with a check at its end, and whose last line holds their number
// and a check of the whole:
//
//     "items":[
//     {"id":"night-drive",…,"crc":"4f1c09aa"},
//     {"id":"late-show",…,"crc":"0b37c6d1"}
//     ],
//     "count":2,"crc":"93a5f20c"}

extension JSONWriter {
  /// The last members of the document: the entries under `name`, `count` and `crc`.
  /// - Parameters:
  ///   - check: of this document, of which nothing was taken yet.
  ///   - write: one object.
  mutating func checkedLines<Entry>(
    _ name: String, _ entries: some Sequence<Entry>, _ check: inout FileCheck,
    _ write: (inout JSONWriter, Entry) -> Void
  ) {
    var count = 0
    array(name) { writer in
      for entry in entries {
        writer.startLine()
        let start = writer.bytes.count
        write(&writer, entry)
        writer.sealLine(from: start)
        check.passLine(start..<writer.bytes.count, of: writer.bytes)
        count += 1
      }
      writer.endLine()
    }
    startLine()
    field(CheckedLines.count, count)
    field(LineCheck.name, LineCheck.text(check.checksum(bytes, upTo: bytes.count)))
  }
}

/// What a file of checked lines says of itself, gathered while it is read.
struct CheckedLines {
  static let count = "count"

  private var check = FileCheck()
  private var lines = 0
  /// As the file says.
  var count: Int?
  var crc: String?
  /// A line ends with a check, whether it is the right one or not.
  private(set) var hasLineChecks = false

  /// Takes the next line.
  /// - Returns: whether it is as it was written.
  mutating func pass(_ range: Range<Int>, of bytes: [UInt8]) -> Bool {
    lines += 1
    check.passLine(range, of: bytes)
    guard LineCheck.value(bytes, endingAt: range.upperBound) != nil else { return false }
    hasLineChecks = true
    return LineCheck.isWhole(bytes, range)
  }

  /// Of an earlier version of the program, which wrote no checks: there is not one in the file.
  var isUnchecked: Bool { !hasLineChecks && count == nil && crc == nil }

  /// Whether the file's number of lines and its check are right.
  /// - Parameter end: of the document.
  mutating func isWhole(_ bytes: [UInt8], endingAt end: Int) -> Bool {
    guard count == lines, let crc, let written = LineCheck.value(bytes, endingAt: end) else { return false }
    let checksum = check.checksum(bytes, upTo: end - LineCheck.length)
    return written == checksum && crc == LineCheck.text(checksum)
  }
}
