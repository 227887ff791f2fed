// SPDX-License-Identifier: Apache-2.0

// Files whose entries are on separate lines, each with a check at its end, and whose last line holds the number of
// entries and a check of the whole:
//
//     "items":[
//     {"id":"night-drive",…,"crc":"4f1c09aa"},
//     {"id":"late-show",…,"crc":"0b37c6d1"}
//     ],
//     "count":2,"crc":"93a5f20c"}

extension JSONWriter {
  /// Writes the last members of the document: the entries under `name`, `count` and `crc`.
  /// - Parameters:
  ///   - check: the check of this document, which has taken nothing yet.
  ///   - copy: returns the line of an entry if it is known, with its check.
  ///   - write: writes one object.
  mutating func checkedLines<Entry>(
    _ name: String, _ entries: some Sequence<Entry>, _ check: inout FileCheck,
    copy: (Entry) -> ArraySlice<UInt8>? = { _ in nil }, _ write: (inout JSONWriter, Entry) -> Void
  ) {
    var count = 0
    array(name) { writer in
      for entry in entries {
        writer.startLine()
        let start = writer.bytes.count
        if let line = copy(entry) {
          writer.verbatim(line)
        } else {
          write(&writer, entry)
          writer.sealLine(from: start)
        }
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

/// The result of comparing a line with its check.
enum LineVerdict {
  case whole, changed
  /// The line does not end with a check.
  case unchecked

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    guard LineCheck.value(bytes, endingAt: range.upperBound) != nil else {
      self = .unchecked
      return
    }
    self = LineCheck.isWhole(bytes, range) ? .whole : .changed
  }
}

/// The checks of a file of checked lines, collected while it is read.
struct CheckedLines {
  static let count = "count"

  private var check = FileCheck()
  private var lines = 0
  /// The count that the file states.
  var count: Int?
  var crc: String?
  /// True if a line ends with a check, right or wrong.
  private(set) var hasLineChecks = false

  /// Takes the next line.
  /// - Returns: true if it is as it was written.
  mutating func pass(_ range: Range<Int>, of bytes: [UInt8]) -> Bool {
    pass(range, of: bytes, LineVerdict(bytes, range))
  }

  /// The same for a line whose check was compared before.
  mutating func pass(_ range: Range<Int>, of bytes: [UInt8], _ verdict: LineVerdict) -> Bool {
    lines += 1
    check.passLine(range, of: bytes)
    if verdict != .unchecked { hasLineChecks = true }
    return verdict == .whole
  }

  /// True if there is no check in the file: an earlier version of the program, which wrote none, made it.
  var isUnchecked: Bool { !hasLineChecks && count == nil && crc == nil }

  /// True if the file's number of lines and its check are right.
  /// - Parameter end: the end of the document.
  mutating func isWhole(_ bytes: [UInt8], endingAt end: Int) -> Bool {
    guard count == lines, let crc, let written = LineCheck.value(bytes, endingAt: end) else { return false }
    let checksum = check.checksum(bytes, upTo: end - LineCheck.length)
    return written == checksum && crc == LineCheck.text(checksum)
  }
}
