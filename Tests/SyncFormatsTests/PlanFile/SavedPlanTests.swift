// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCore
@testable import SyncFormats

@Suite("a saved plan")
struct SavedPlanTests {
  static func digest(_ letter: String) throws -> SHA256Digest {
    try #require(SHA256Digest(hex: String(repeating: letter, count: 64)))
  }

  static func record() throws -> PlanRecord {
    var options = PlanOptions(maxDelete: .share(.percent(25)))
    options.mayEvict = false
    let inputs = PlanInputs(
      manifest: "/home/anna/car.yaml", manifestDigest: try digest("a"), variables: try digest("b"),
      program: try digest("c"))
    return PlanRecord(
      basis: PlanBasis(
        inputs: inputs, options: options, scope: [try #require(PlaylistName("mix"))],
        libraryID: String(repeating: "0", count: 32), queue: try digest("d"), library: try digest("e")),
      considered: [try #require(ItemID("new")), try #require(ItemID("ein \"Wort\""))])
  }

  private func text(_ replacements: (String, String)...) throws -> [UInt8] {
    var text = String(decoding: try ReportSamples.plan().json(with: Self.record()), as: UTF8.self)
    for (old, new) in replacements {
      #expect(text.contains(old), "\(old)")
      text = text.replacing(old, with: new)
    }
    return Array(text.utf8)
  }

  @Test("is the plan as JSON with two members more, and is read back equal")
  func roundTrip() throws {
    let plan = try ReportSamples.plan()
    let saved = try SavedPlan.decode(text())
    #expect(saved.generatedAt == plan.generatedAt)
    #expect(saved.outline == PlanOutline(plan))
    #expect(saved.record == (try Self.record()))
    #expect(saved.refusal == nil)
    let bare = String(decoding: plan.json(), as: UTF8.self)
    let whole = String(decoding: try text(), as: UTF8.self)
    #expect(whole.hasPrefix(bare.dropLast(2)))
    #expect(whole.contains(#""basis":{"manifest":"/home/anna/car.yaml""#))
    #expect(whole.contains(#""options":{"playlists":["mix"],"evict":false,"download":true,"max_delete":"25%"}"#))
    #expect(whole.hasSuffix("\"considered\":[\"ein \\\"Wort\\\"\",\"new\"]\n}\n"))
  }

  @Test("says that it must not be carried out")
  func refused() throws {
    var plan = try ReportSamples.plan()
    plan.safetyStop = .tooManyRemovals(count: 11, limit: 10, finished: 30)
    #expect(try SavedPlan.decode(plan.json(with: Self.record())).refusal == plan.safetyStop?.words)
  }

  @Test("keeps all options, and a library that is not there yet")
  func options() throws {
    for limit in [StoragePolicy.DeleteLimit.count(0), .count(40), .share(.percent(0)), .share(.percent(100))] {
      var record = try Self.record()
      record.basis.options = PlanOptions(maxDelete: limit)
      record.basis.options.mayDownload = false
      (record.basis.scope, record.basis.libraryID, record.considered) = (nil, nil, [])
      #expect(try SavedPlan.decode(ReportSamples.plan().json(with: record)).record == record)
    }
  }

  @Test("of another kind, version or with a value that cannot be is refused, and the member is named")
  func refusals() throws {
    for (old, new, expected) in [
      ("syncjob-plan", "syncjob-report", QueueFileProblem.wrongFormat(found: "syncjob-report")),
      ("\"version\":1", "\"version\":2", .newerVersion(found: 2, known: 1)),
      ("\"version\":1", "\"version\":0", .impossibleVersion(0)),
      ("\"basis\":", "\"x\":", .missingField(.file, field: "basis")),
      ("\"considered\":", "\"x\":", .missingField(.file, field: "considered")),
      ("\"changes\":", "\"x\":", .missingField(.file, field: "changes")),
      ("\"generated_at\":", "\"x\":", .missingField(.file, field: "generated_at")),
      ("2027-01-15T08:00:00Z\",\"changes", "soon\",\"changes", .badField(.file, field: "generated_at")),
      ("/home/anna/car.yaml", "car.yaml", .badField(.file, field: "basis.manifest")),
      ("\"queue_sha256\":\"dd", "\"queue_sha256\":\"d", .badField(.file, field: "basis.queue_sha256")),
      ("\"library_sha256\":", "\"x\":", .missingField(.file, field: "basis.library_sha256")),
      ("\"evict\":false", "\"evict\":\"no\"", .badField(.file, field: "basis.options.evict")),
      ("\"25%\"", "\"125%\"", .badField(.file, field: "basis.options.max_delete")),
      ("\"action\":\"evict\"", "\"action\":\"burn\"", .badField(.item(id: "old", position: 2), field: "action")),
      ("\"mix/OLD.mp3\"", "\"../OLD.mp3\"", .badField(.item(id: "old", position: 2), field: "path")),
      ("\"id\":\"old\"", "\"id\":\"gone\"", .duplicateID(try #require(ItemID("gone")))),
    ] {
      #expect(throws: expected, "\(new)") { try SavedPlan.decode(try text((old, new))) }
    }
    #expect(throws: QueueFileProblem.missingField(.file, field: "basis")) {
      try SavedPlan.decode(try ReportSamples.plan().json())
    }
    for (bytes, expected) in [("", QueueFileProblem.blank), ("\0\0", .blank), ("[1]", .wrongFormat(found: nil))] {
      #expect(throws: expected) { try SavedPlan.decode(Array(bytes.utf8)) }
    }
  }

  @Test("cut anywhere, it is refused")
  func cuts() throws {
    let bytes = try text()
    for length in 0..<bytes.count - 1 {
      #expect(throws: QueueFileProblem.self) { try SavedPlan.decode(Array(bytes[..<length])) }
    }
  }

  @Test("whatever the plan, what is read is what was written")
  func random() throws {
    var random = SplitMix(state: 5)
    for _ in 0..<200 {
      let (plan, record) = (try Self.plan(&random), try Self.record(&random))
      let saved = try SavedPlan.decode(plan.json(with: record))
      #expect(saved.outline == PlanOutline(plan) && saved.record == record)
      #expect(saved.generatedAt == plan.generatedAt)
    }
  }

  @Test("any bytes are read or refused")
  func damage() throws {
    let whole = try text()
    var random = SplitMix(state: 6)
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = .random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
        }
      }
      // Either way is right; what is read must be a plan that can be written.
      do throws(QueueFileProblem) {
        let saved = try SavedPlan.decode(bytes)
        #expect(saved.record.basis.inputs.manifest.hasPrefix("/"))
      } catch { #expect(!error.words.isEmpty) }
    }
  }

  private static func plan(_ random: inout SplitMix) throws -> Plan {
    var plan = try ReportSamples.plan()
    plan.generatedAt = Timestamp(secondsSince1970: .random(in: 0...4_000_000_000, using: &random))
    plan.steps = try (0..<Int.random(in: 0...20, using: &random)).map { number in
      try ReportSamples.step(
        "item-\(number)", Step.Action.allCases.randomElement(using: &random) ?? .keep, .new,
        bytes: Bool.random(using: &random) ? .random(in: 0...1 << 50, using: &random) : nil,
        path: Bool.random(using: &random) ? "mix/\u{202E}日本 \"\(number)\"\\.mp3" : nil, title: "t\u{1B}\(number)")
    }
    (plan.emptiesTrash, plan.expiresTrash) = (.random(using: &random), .random(using: &random))
    return plan
  }

  private static func record(_ random: inout SplitMix) throws -> PlanRecord {
    var record = try record()
    record.basis.scope =
      Bool.random(using: &random) ? Set((0..<3).compactMap { PlaylistName("p\($0)") }.shuffled(using: &random)) : nil
    record.basis.inputs.manifest = "/" + (Bool.random(using: &random) ? "a b/ü\n.yaml" : "x")
    record.considered = Set(
      (0..<Int.random(in: 0...5, using: &random)).compactMap { ItemID("feed:\($0)#\u{2028}") })
    return record
  }
}
