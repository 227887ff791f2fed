// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The contents of `scenario.json`; `Scenarios/README.md` explains every key.
struct ScenarioScript: Decodable, Sendable {
  let about: String
  var program: String?
  var requires: [String]?
  var resources: [String: ResourceScript]?
  var resources2: [String: ResourceScript]?
  let steps: [Step]

  enum CodingKeys: String, CodingKey, CaseIterable { case about, program, requires, resources, resources2, steps }
}

/// One path of an origin.
struct ResourceScript: Decodable, Sendable {
  struct Audio: Decodable, Sendable {
    let seconds: Double
    var title: String?
    var seed: UInt64?
  }

  var audio: Audio?
  var text: String?
  var file: String?
  var bytes: Int?
  var seed: UInt64?
  var type: String?
  var etag: String?
  var lastModified: String?
  var script: [String]?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case audio, text, file, bytes, seed, type, etag, script
    case lastModified = "last_modified"
  }
}

/// One run of the program.
struct Step: Decodable, Sendable {
  struct Before: Decodable, Sendable {
    var write: [String: String]?
    var delete: [String]?
    var resources: [String: ResourceScript]?

    enum CodingKeys: String, CodingKey, CaseIterable { case write, delete, resources }
  }

  struct Interruption: Decodable, Sendable {
    let send: SignalName
    let at: String
    /// The bytes of partials that the signal waits for: sent bytes may not be written yet.
    var onDisk: Int?

    enum CodingKeys: String, CodingKey, CaseIterable {
      case send, at
      case onDisk = "on_disk"
    }
  }

  /// A second run while the first one waits at a `hold`; afterwards the first one continues.
  struct Meanwhile: Decodable, Sendable {
    let at: String
    let run: [String]
    let exit: ExpectedEnding
    var stdout: TextExpectation?
    var stderr: TextExpectation?

    enum CodingKeys: String, CodingKey, CaseIterable { case at, run, exit, stdout, stderr }
  }

  struct HeaderExpectation: Decodable, Sendable {
    let path: String
    let name: String
    var value: String?
    var origin: Int?
    /// The number of the request to the path in this step, from 1; nil for all of them.
    var request: Int?
  }

  var before: Before?
  var program: String?
  let run: [String]
  var environment: [String: String]?
  var timeout: Double?
  var interrupt: Interruption?
  var meanwhile: Meanwhile?
  let exit: ExpectedEnding
  var stdout: TextExpectation?
  var stderr: TextExpectation?
  var report: [String: JSONValue]?
  var reportFile: String?
  var json: [String: [String: JSONValue]]?
  var text: [String: TextExpectation]?
  var library: [String]?
  var trees: [String: [String]]?
  var sameBytes: [String: String]?
  var requests: [String]?
  var requests2: [String]?
  var requestsTo: [String: [String]]?
  var headers: [HeaderExpectation]?
  var atMostAtOnce: Int?
  var sound: Bool?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case before, program, run, environment, timeout, interrupt, meanwhile, exit, stdout, stderr, report, json, text
    case library, trees, requests, requests2, headers, sound
    case reportFile = "report_file"
    case sameBytes = "same_bytes"
    case requestsTo = "requests_to"
    case atMostAtOnce = "at_most_at_once"
  }
}

/// An exit status, or the name of the signal that ends the program.
enum ExpectedEnding: Decodable, Equatable, Sendable {
  case status(Int32)
  case signal(SignalName)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let status = try container.decode(ifIs: Int32.self) {
      self = .status(status)
    } else {
      self = .signal(try container.decode(SignalName.self))
    }
  }
}

/// Signals that scenarios send or see.
enum SignalName: String, Decodable, Sendable {
  case interrupt = "INT"
  case terminate = "TERM"
  case kill = "KILL"

  var number: Int32 {
    switch self {
    case .interrupt: SIGINT
    case .terminate: SIGTERM
    case .kill: SIGKILL
    }
  }
}
