// SPDX-License-Identifier: Apache-2.0
@testable import SyncCore
@testable import SyncFormats

/// The contents of a journal that is read, written and read again are the same. Each prefix of a journal gives a prefix
/// of its changes.
@Sendable func fuzzJournal(_ bytes: [UInt8]) {
  let reading: JournalReading
  do throws(QueueFileProblem) { reading = try JournalReading(bytes) } catch { return }
  checkJournal(reading)
}

/// The input is the content of lines, which are sealed here, because chance never finds a CRC-32.
@Sendable func fuzzRecord(_ bytes: [UInt8]) {
  var journal = JournalWriter()
  journal.append(JournalHeader(generation: 1, libraryID: "0", bootID: nil))
  var file = journal.bytes
  for line in bytes.split(separator: UInt8(ascii: "\n")) where line.last == UInt8(ascii: "}") {
    let start = file.count
    file += line
    LineCheck.seal(&file, from: start)
    file.append(UInt8(ascii: "\n"))
  }
  let reading: JournalReading
  do throws(QueueFileProblem) { reading = try JournalReading(file) } catch { return }
  checkJournal(reading)
}

private func checkJournal(_ reading: JournalReading) {
  must(reading.missingRecords >= 0, "no record is missing less than never")
  var writer = JournalWriter()
  writer.append(reading.header ?? JournalHeader(generation: 0, libraryID: "", bootID: nil))
  for change in reading.changes { writer.append(change) }
  do throws(QueueFileProblem) {
    let again = try JournalReading(writer.bytes)
    must(again.changes == reading.changes, "changes are read as they were written")
    must(again.damagedLines.isEmpty && again.missingRecords == 0 && again.tornTail.isEmpty, "what was written is whole")
    let cut = try JournalReading(Array(writer.bytes.prefix(writer.bytes.count * 2 / 3)))
    must(reading.changes.starts(with: cut.changes), "a cut journal gives its beginning")
  } catch { must(false, "a journal of our own is refused: \(error)") }
}

/// The contents of a queue file that is read, written and read again are the same, and so are the written bytes.
@Sendable func fuzzSnapshot(_ bytes: [UInt8]) {
  let queue: Queue
  do throws(QueueFileProblem) { queue = try QueueFile.decode(bytes) } catch { return }
  let written = QueueFile.encode(queue)
  do throws(QueueFileProblem) {
    let again = try QueueFile.decode(written)
    must(again == queue, "a queue is read as it was written")
    must(QueueFile.encode(again) == written, "the same queue gives the same bytes")
  } catch { must(false, "a queue file of our own is refused: \(error)") }
}

/// The decisions that are read, also from a damaged file, are read the same after they were written. The lines of the input
/// are read once as they are and once with their checks.
@Sendable func fuzzDecisions(_ bytes: [UInt8]) {
  checkDecisions(bytes)
  var file: [UInt8] = []
  for line in bytes.split(separator: UInt8(ascii: "\n")) where line.last == UInt8(ascii: "}") {
    let start = file.count
    file += line
    LineCheck.seal(&file, from: start)
    file.append(UInt8(ascii: "\n"))
  }
  checkDecisions(file)
}

private func checkDecisions(_ bytes: [UInt8]) {
  let reading: DecisionsFile.Reading
  do throws(QueueFileProblem) { reading = try DecisionsFile.read(bytes) } catch { return }
  do throws(QueueFileProblem) {
    let again = try DecisionsFile.read(DecisionsFile.encode(reading.decisions))
    must(again.decisions == reading.decisions && again.problem == nil, "decisions are read as they were written")
  } catch { must(false, "a file of our own is refused: \(error)") }
}

/// Returns nil for a step of another kind, and for a removal without a path or a size, which no plan of our own has.
private func removal(_ step: OutlinedStep) -> Step? {
  guard let path = step.path, let size = step.bytes, [.remove, .evict].contains(step.action) else { return nil }
  do throws(RemoteURL.Problem) {
    let item = Item(id: step.id, title: "", main: Candidate(url: try RemoteURL("https://media.example/a.mp3")))
    let queued = QueueItem(item: item, memberships: [], queuedAt: Timestamp(secondsSince1970: 0))
    let removal = RemovalStep(
      PlannedItem(Boxed(queued), .leftManifest), path: path, size: size,
      cause: step.action == .evict ? .evicted : .orphan)
    return step.action == .evict ? .evict(removal) : .remove(removal)
  } catch { preconditionFailure("a URL that is one") }
}

/// The contents of a saved plan that is read, written and read again are the same.
@Sendable func fuzzPlan(_ bytes: [UInt8]) {
  var saved: SavedPlan
  do throws(QueueFileProblem) { saved = try SavedPlan.decode(bytes) } catch { return }
  let steps = saved.outline.steps.compactMap(removal)
  saved.outline.steps.removeAll { removal($0) == nil }
  var plan = Plan(
    generatedAt: saved.generatedAt, steps: steps, bookkeeping: [],
    storage: StorageForecast(before: .zero, after: .zero, partial: .zero, trash: .zero, free: .zero))
  plan.emptiesTrash = saved.outline.trash == .emptied
  plan.expiresTrash = saved.outline.trash == .expired
  do throws(QueueFileProblem) {
    let again = try SavedPlan.decode(plan.json(with: saved.record))
    must(again.outline == saved.outline && again.record == saved.record, "a plan is read as it was written")
  } catch { must(false, "a plan of our own is refused: \(error)") }
}

/// A value is read as it was written, and skipping a value accepts the same bytes as reading it.
@Sendable func fuzzJSON(_ bytes: [UInt8]) {
  var skipper = JSONReader(bytes)
  var isSkipped = true
  do throws(JSONError) {
    try skipper.skipValue()
    try skipper.finish()
  } catch { isSkipped = false }
  let value: JSONValue
  do throws(JSONError) { value = try JSONValue(parsing: bytes) } catch { return }
  must(isSkipped, "what can be read can be passed over")
  var writer = JSONWriter()
  writer.value(value)
  do throws(JSONError) {
    // The spelling of a number may change once: `2.5e3` is written as an integer.
    var again = JSONWriter()
    again.value(try JSONValue(parsing: writer.bytes))
    must(again.bytes == writer.bytes, "a value is read as it was written")
  } catch { must(false, "JSON of our own is refused: \(error)") }
}

/// An answer of a licence server has a result for each item that was asked for. A file of content keys that is read is
/// read the same after it was written.
@Sendable func fuzzLicenses(_ bytes: [UInt8]) {
  let ids = ["a", "b"].compactMap { ItemID($0) }
  let now = Timestamp(secondsSince1970: 1_800_000_000)
  for isSingle in [false, true] {
    let asked = isSingle ? [ids[0]] : ids
    let answers = LicenseAnswer.licenses(bytes, for: asked, isSingle: isSingle, now: now)
    must(Set(answers.keys) == Set(asked), "each item has a result, and no other")
    for case .success(let granted) in answers.values {
      must(granted.license.expiresAt > now, "a licence is valid when it comes")
      must(granted.license.hasContentKey == (granted.contentKey?.count == 32), "a content key has 32 bytes")
    }
  }
  _ = LicenseAnswer.devices(bytes)
  var sealed = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
  if sealed.last == UInt8(ascii: "}") { LineCheck.seal(&sealed, from: 0) }
  do throws(QueueFileProblem) {
    let holdings = try LicenseFile.decode(sealed)
    let again = try LicenseFile.decode(LicenseFile.encode(holdings))
    must(again == holdings, "content keys are read as they were written")
  } catch { return }
}
