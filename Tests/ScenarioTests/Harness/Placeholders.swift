// SPDX-License-Identifier: Apache-2.0

/// The words in double braces that scenarios use for values that differ from run to run.
struct Placeholders: Sendable {
  /// Names and values; a value that is part of another one comes later.
  private let values: [(name: String, value: String)]

  /// The program's path, which is filled in but never replaced by its name.
  private let program: String

  init(origin: String, origin2: String, library: String, work: String, syncjob: String) {
    values = [("origin", origin), ("origin2", origin2), ("library", library), ("work", work)]
    program = syncjob
  }

  /// Replaces the names by their values.
  func fill(_ text: String) -> String {
    values.reduce(text.replacing("{{syncjob}}", with: program)) { $0.replacing("{{\($1.name)}}", with: $1.value) }
  }

  /// Replaces the values by their names, and times, ages, durations with a fraction or in milliseconds, and UUIDs by
  /// fixed words.
  func normalise(_ text: String) -> String {
    values.reduce(text) { $0.replacing($1.value, with: "{{\($1.name)}}") }
      .replacing(/process \d+/, with: "process {{pid}}")
      .withoutFreeSpace
      .replacing(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/, with: "{{time}}")
      .replacing(/\b\d+\.\d+ ?s\b|\b\d+(\.\d+)? ?ms\b/, with: "{{duration}}")
      .replacing(/just now|\b\d+ (min|h|d) ago/, with: "{{age}}")
      .replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "{{uuid}}")
  }
}

extension String {
  /// The text with a fixed word for the free space, which other programs change at any time.
  var withoutFreeSpace: String {
    replacing(/[\d.]+ [KMGT]?i?B free( on the file system)?/) { "{{free}} free" + ($0.1 ?? "") }
  }
}
