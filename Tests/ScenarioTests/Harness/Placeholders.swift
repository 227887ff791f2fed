// SPDX-License-Identifier: Apache-2.0

/// The words in double braces that scenarios use for what differs from run to run.
struct Placeholders: Sendable {
  /// Name and value; a value that lies within another comes later.
  private let values: [(name: String, value: String)]

  /// Only put in, never put back.
  private let program: String

  init(origin: String, origin2: String, library: String, work: String, syncjob: String) {
    values = [("origin", origin), ("origin2", origin2), ("library", library), ("work", work)]
    program = syncjob
  }

  /// Puts the values in.
  func fill(_ text: String) -> String {
    values.reduce(text.replacing("{{syncjob}}", with: program)) { $0.replacing("{{\($1.name)}}", with: $1.value) }
  }

  /// Puts the names back in, and names in place of times, durations with a fraction or in milliseconds, and UUIDs.
  func normalise(_ text: String) -> String {
    values.reduce(text) { $0.replacing($1.value, with: "{{\($1.name)}}") }
      .replacing(/process \d+/, with: "process {{pid}}")
      .replacing(/[\d.]+ [KMGT]?i?B free on the file system/, with: "{{free}} free on the file system")
      .replacing(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/, with: "{{time}}")
      .replacing(/\b\d+\.\d+ ?s\b|\b\d+(\.\d+)? ?ms\b/, with: "{{duration}}")
      .replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "{{uuid}}")
  }
}
