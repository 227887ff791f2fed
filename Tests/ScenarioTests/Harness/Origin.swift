// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport
import Synchronization

/// One fault server of a scenario, with the gate of every path.
final class Origin: Sendable {
  let server: FaultServer
  private let gates = Mutex<[String: Gate]>([:])
  private let served = Mutex<[String: Resource]>([:])

  init() throws { server = try FaultServer() }

  /// - Parameters:
  ///   - fixture: returns the text of a file of the scenario, by its name.
  ///   - fill: replaces the words in double braces by values.
  func serve(
    _ resources: [String: ResourceScript], fixture: (String) throws -> String, fill: (String) -> String
  ) throws {
    for (path, script) in resources {
      let resource = try resource(script, fixture)
      server.serve(path, resource)
      served.withLock { $0[path] = resource }
      let gate = try Gate()
      gates.withLock { $0[path] = gate }
      let reader = BehaviourText(gate: gate)
      server.script(path, try (script.script ?? []).map { try reader.read(fill($0)) })
    }
  }

  func gate(_ path: String) -> Gate? { gates.withLock { $0[path] } }
  func openGates() { for gate in gates.withLock({ Array($0.values) }) { gate.open() } }

  /// The bytes that a path serves when it is honest.
  func bytes(_ path: String) -> [UInt8]? {
    served.withLock { $0[path] }.map { $0.body.bytes(in: 0..<$0.body.count) }
  }

  private func resource(_ script: ResourceScript, _ fixture: (String) throws -> String) throws -> Resource? {
    guard var resource = try content(script, fixture) else { return nil }
    if let type = script.type { resource.contentType = type }
    resource.etag = script.etag
    resource.lastModified = script.lastModified
    return resource
  }

  private func content(_ script: ResourceScript, _ fixture: (String) throws -> String) throws -> Resource? {
    if let audio = script.audio {
      let title = audio.title ?? "Untitled"
      return Resource(
        bytes: GeneratedAudio(title: title, seconds: audio.seconds, seed: audio.seed ?? 1).bytes)
    }
    if let count = script.bytes {
      let start = GeneratedAudio(title: "Large", seconds: 1, seed: script.seed ?? 1)
      return Resource(body: start.body(count: count))
    }
    if let file = script.file { return Resource(text: try fixture(file)) }
    return script.text.map { Resource(text: $0) }
  }
}
