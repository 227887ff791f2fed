// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Testing

/// Compares the result of a step with the expected one.
struct StepCheck {
  let run: ScenarioRun
  let step: Step
  let number: Int
  let result: CommandResult

  func all() throws {
    Self.check(result, step.exit, here)
    step.stdout?.check(run.placeholders.normalise(result.standardOutput), "\(here): stdout")
    step.stderr?.check(run.placeholders.normalise(result.standardError), "\(here): stderr")
    try checkJSON()
    try checkFiles()
    checkRequests()
    if step.sound == true { try checkSoundness() }
  }

  private var here: String { "\(run.scenario.name), step \(number)" }

  static func check(_ result: CommandResult, _ expected: ExpectedEnding, _ place: String) {
    let wanted: CommandResult.Ending =
      switch expected {
      case .status(let status): .exited(status)
      case .signal(let signal): .killed(signal: signal.number)
      }
    #expect(result.ending == wanted, "\(place):\n\(result.standardOutput)\n\(result.standardError)")
  }

  private func checkJSON() throws {
    if let report = step.report {
      let bytes = try step.reportFile.map { try FileBytes.read(run.place($0)) } ?? result.stdout
      try check(bytes, report, "the report")
    }
    for (path, expected) in step.json ?? [:] { try check(try FileBytes.read(run.place(path)), expected, path) }
  }

  private func check(_ bytes: [UInt8], _ expected: [String: JSONValue], _ name: String) throws {
    let value = try JSONValue(bytes)
    for (path, wanted) in expected.sorted(by: { $0.key < $1.key }) {
      let found = value[path: path] ?? .null
      #expect(found.meets(wanted.filled(run.placeholders)), "\(here): \(path) of \(name) is \(found), not \(wanted)")
    }
  }

  private func checkFiles() throws {
    if let library = step.library {
      let found = try FileTree.files(run.place("{{library}}"))
      #expect(found.sorted() == library.sorted(), "\(here): library")
    }
    for (path, wanted) in step.trees ?? [:] {
      let found = try FileTree.files(run.place(path), hidden: true)
      #expect(found.sorted() == wanted.sorted(), "\(here): \(path)")
    }
    for (path, wanted) in step.text ?? [:] {
      wanted.check(run.placeholders.normalise(try FileBytes.text(run.place(path))), "\(here): \(path)")
    }
    for (path, source) in step.sameBytes ?? [:] {
      let found = try FileBytes.read(run.place("{{library}}/\(path)"))
      let wanted = run.origin.bytes(source) ?? run.origin2.bytes(source)
      let same = found == wanted
      #expect(same, "\(here): \(path) has not the bytes of \(source)")
    }
  }

  /// Checks invariants that hold after every run, whatever went wrong in it.
  private func checkSoundness() throws {
    let holdings = Holdings(library: run.place("{{library}}"))
    #expect(try holdings.strays() == [], "\(here): strays")
    #expect(try holdings.unfinished() == [], "\(here): unfinished")
  }

  private func checkRequests() {
    let (first, second) = (run.origin.server, run.origin2.server)
    if let requests = step.requests { #expect(first.requests.map(\.line) == requests, "\(here): requests") }
    if let requests = step.requests2 { #expect(second.requests.map(\.line) == requests, "\(here): requests2") }
    for (path, lines) in step.requestsTo ?? [:] {
      #expect(first.requests(to: path).map(\.line) == lines, "\(here): requests to \(path)")
    }
    for header in step.headers ?? [] {
      let requests = (header.origin == 2 ? second : first).requests(to: header.path)
      #expect(!requests.isEmpty, "\(here): no request to \(header.path)")
      let wanted = header.value.map(run.placeholders.fill)
      for (index, request) in requests.enumerated() where header.request.map({ $0 == index + 1 }) ?? true {
        #expect(request.headers[header.name] == wanted, "\(here): \(header.name)")
      }
    }
    if let limit = step.atMostAtOnce {
      #expect(first.maxConcurrentRequests <= limit, "\(here): requests at once")
    }
  }
}

extension JSONValue {
  /// Expected texts may hold placeholders.
  fileprivate func filled(_ placeholders: Placeholders) -> JSONValue {
    if case .string(let text) = self { .string(placeholders.fill(text)) } else { self }
  }
}
