// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// A reader that knows the owner of the current field, so that every error names it.
struct QueueCursor {
  private(set) var json: JSONReader
  var owner = QueueFileOwner.file
  /// The field whose value comes next.
  var field = ""
  /// Reads the parts of a long list at once; nil if they are read one after another.
  var parts: (any PartRunner)?
  /// The items of a file that is known to be sound; nil if they are to be read.
  var stored: (index: QueueIndex, items: any StoredItems)?

  /// Finds the items that are in memory already; nil if there are none.
  var finder: KnownItemFinder?

  init(_ json: JSONReader) { self.json = json }

  /// Begins a document that is one object.
  init(document bytes: [UInt8]) throws(QueueFileProblem) {
    guard bytes.contains(where: { ![0x00, 0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { throw .blank }
    self.init(JSONReader(bytes))
    guard try read({ json throws(JSONError) in try json.peekKind() }) == .object else { throw .wrongFormat(found: nil) }
  }

  /// Goes to the item in a line. The document and its list are around it.
  mutating func begin(_ line: Range<Int>) { json.begin(line, depth: 2) }

  /// Reads with the JSON reader, and names the field in its errors.
  mutating func read<Value>(
    _ body: (inout JSONReader) throws(JSONError) -> Value
  ) throws(QueueFileProblem) -> Value {
    do throws(JSONError) { return try body(&json) } catch {
      switch error.reason {
      case .wrongType, .notAnInteger, .outOfRange: throw bad
      case .repeatedName(let name): throw .repeatedField(owner, field: name)
      default:
        let place = error.place(in: json.bytes)
        throw .notJSON(error, line: place.line, column: place.column)
      }
    }
  }

  /// The problem of a value that is not valid.
  var bad: QueueFileProblem { .badField(owner, field: field) }

  func missing(_ field: String) -> QueueFileProblem { .missingField(owner, field: field) }

  mutating func string() throws(QueueFileProblem) -> String {
    try read { json throws(JSONError) in try json.readString() }
  }

  /// Reads a string.
  /// - Parameter known: Returned instead of a new one if its bytes are the same.
  mutating func string(like known: String?) throws(QueueFileProblem) -> String {
    try read { json throws(JSONError) in try json.readString(like: known) }
  }

  mutating func bool() throws(QueueFileProblem) -> Bool { try read { json throws(JSONError) in try json.readBool() } }

  /// Reads an integer that is not negative, and small enough for every JSON reader and for sums.
  mutating func count() throws(QueueFileProblem) -> Int {
    let value = try read { json throws(JSONError) in try json.readInt() }
    guard (0...1 << 53).contains(value) else { throw bad }
    return value
  }

  /// Reads a number small enough to be increased: the number after it must be readable too.
  mutating func generation() throws(QueueFileProblem) -> Int {
    let value = try count()
    guard value <= 1 << 52 else { throw bad }
    return value
  }

  /// Reads the version of a format.
  /// - Parameter known: The newest version that can be read.
  mutating func version(upTo known: Int) throws(QueueFileProblem) -> Int {
    let found = try count()
    if found > known { throw .newerVersion(found: found, known: known) }
    if found < 1 { throw .impossibleVersion(found) }
    return found
  }

  mutating func bytes() throws(QueueFileProblem) -> ByteCount { ByteCount(Int64(try count())) }

  /// Reads a value from a string; a string that is not valid is a bad field.
  mutating func parsed<Value>(_ parse: (String) -> Value?) throws(QueueFileProblem) -> Value {
    guard let value = parse(try string()) else { throw bad }
    return value
  }

  mutating func timestamp() throws(QueueFileProblem) -> Timestamp {
    if let time = json.readTime() { return time }
    // An invalid value is refused here, with its place.
    return try parsed { Timestamp(rfc3339: $0) }
  }

  mutating func duration() throws(QueueFileProblem) -> Duration {
    let seconds = try read { json throws(JSONError) in try json.readDouble() }
    guard seconds >= 0, seconds < 1e12 else { throw bad }
    return .milliseconds(Int64((seconds * 1000).rounded()))
  }

  mutating func url() throws(QueueFileProblem) -> RemoteURL { try url(like: nil) }

  /// Reads a URL.
  /// - Parameter known: Returned instead of a new one if it is written the same.
  mutating func url(like known: RemoteURL?) throws(QueueFileProblem) -> RemoteURL {
    let text = try string(like: known?.text)
    if let known, known.login == nil, known.text.utf8.elementsEqual(text.utf8) { return known }
    do throws(RemoteURL.Problem) { return try RemoteURL(stored: text) } catch { throw bad }
  }

  mutating func libraryPath() throws(QueueFileProblem) -> LibraryPath { try parsed { LibraryPath($0) } }

  /// Passes every member of the object; the body reads or skips its value. A name that occurs twice is refused.
  mutating func object<Key>(
    _ keys: JSONKeys<Key>, _ member: (inout QueueCursor, JSONKey<Key>) throws(QueueFileProblem) -> Void
  ) throws(QueueFileProblem) {
    var names = JSONNames()
    try read { json throws(JSONError) in try json.beginObject() }
    while let key = try read({ json throws(JSONError) in try json.nextKey(keys, besides: &names) }) {
      try member(&self, key)
    }
  }

  /// Passes every element of the array; the body reads it.
  mutating func array(_ element: (inout QueueCursor) throws(QueueFileProblem) -> Void) throws(QueueFileProblem) {
    try read { json throws(JSONError) in try json.beginArray() }
    while try read({ json throws(JSONError) in try json.nextElement() }) { try element(&self) }
  }

  /// The next value and its range. A value that the body refuses is skipped, so that no other is lost.
  mutating func line<Value>(
    _ body: (inout QueueCursor) throws(QueueFileProblem) -> Value
  ) throws(QueueFileProblem) -> (value: Result<Value, QueueFileProblem>, range: Range<Int>) {
    _ = try read { json throws(JSONError) in try json.peekKind() }
    let before = self
    do throws(QueueFileProblem) {
      let value = try body(&self)
      return (.success(value), before.json.offset..<json.offset)
    } catch {
      self = before
      let range = try read { json throws(JSONError) in try json.skipValue() }
      return (.failure(error), range)
    }
  }

  mutating func unknown(_ name: String) throws(QueueFileProblem) -> UnknownField {
    UnknownField(name: name, json: try read { json throws(JSONError) in try json.readVerbatim() })
  }

  mutating func skip() throws(QueueFileProblem) {
    _ = try read { json throws(JSONError) in try json.skipValue() }
  }

  mutating func passValue(endingAt position: Int) { json.passValue(endingAt: position) }

  mutating func finish() throws(QueueFileProblem) { try read { json throws(JSONError) in try json.finish() } }
}
