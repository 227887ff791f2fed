// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// Values by the type that the schema gives their key. Each is nil when the key is absent, or after a finding.
extension MappingReader {
  mutating func text(_ key: String) -> String? {
    take(key).flatMap { context.text($0, path(key), .text) }
  }

  mutating func truth(_ key: String) -> Bool? {
    bare(key, .truth) { $0 == "true" ? true : $0 == "false" ? false : nil }
  }

  mutating func integer(_ key: String, _ range: ClosedRange<Int>) -> Int? {
    bare(key, .integer(range)) { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
  }

  mutating func number(_ key: String, atLeast minimum: Double) -> Double? {
    bare(key, .number) { text in Double(digits: text).flatMap { $0 >= minimum && $0 <= 1000 ? $0 : nil } }
  }

  mutating func choice<Value: RawRepresentable & CaseIterable>(_ key: String) -> Value? where Value.RawValue == String {
    converted(key, .choice(Value.allCases.map(\.rawValue))) { Value(rawValue: $0) }
  }

  mutating func duration(_ key: String) -> Duration? { converted(key, .duration) { DurationSpelling.duration($0) } }

  mutating func share(_ key: String) -> Share? { converted(key, .share) { Share(percentage: $0) } }

  mutating func date(_ key: String) -> Timestamp? { converted(key, .date) { Timestamp(rfc3339: $0) } }

  mutating func checksum(_ key: String) -> Checksum? { converted(key, .checksum) { Checksum($0) } }

  mutating func size(_ key: String) -> DeclaredSize? {
    guard let node = take(key), let text = context.text(node, path(key), .size) else { return nil }
    do throws(SizeSpelling.Problem) { return try SizeSpelling.size(text) } catch {
      switch error {
      case .notASize: context.report(.badValue(key: path(key), value: text, expected: .size), at: node)
      case .ambiguous(let decimal, let binary):
        context.report(.ambiguousSize(key: path(key), value: text, decimal: decimal, binary: binary), at: node)
      }
      return nil
    }
  }

  /// A size, or `none`: nil inside.
  mutating func optionalSize(_ key: String) -> ByteCount?? {
    guard let node = peek(key) else { return nil }
    if node.scalarText == "none" {
      _ = take(key)
      return .some(nil)
    }
    return size(key).map { .some($0.bytes) }
  }

  mutating func deleteLimit(_ key: String) -> StoragePolicy.DeleteLimit? {
    converted(key, .shareOrCount) { text in
      if let count = Int(text), count >= 0 { return .count(count) }
      return Share(percentage: text).map { .share($0) }
    }
  }

  mutating func layout(_ key: String) -> LayoutTemplate? {
    guard let node = take(key), let text = context.text(node, path(key), .text) else { return nil }
    do throws(LayoutTemplate.Problem) { return try LayoutTemplate(text) } catch {
      context.report(.layout(text, error), at: node)
      return nil
    }
  }

  mutating func url(_ key: String) -> RemoteURL? { take(key).flatMap { context.url($0, path(key)) } }

  /// Absolute, without `.` and `..`.
  mutating func filePath(_ key: String) -> String? {
    guard let node = take(key), let text = context.text(node, path(key), .path) else { return nil }
    guard !text.contains("\0"), !text.isEmpty else {
      context.report(.badValue(key: path(key), value: text, expected: .path), at: node)
      return nil
    }
    return context.absolute(text)
  }

  func peek(_ key: String) -> YAMLNode? { entries.first { $0.name == key }?.pair.value }

  private mutating func converted<Value>(
    _ key: String, _ expected: Expectation, _ convert: (String) -> Value?
  ) -> Value? {
    guard let node = take(key), let text = context.text(node, path(key), expected) else { return nil }
    guard let value = convert(text) else {
      context.report(.badValue(key: path(key), value: text, expected: expected), at: node)
      return nil
    }
    return value
  }

  /// For types that a quoted text is not.
  private mutating func bare<Value>(_ key: String, _ expected: Expectation, _ convert: (String) -> Value?) -> Value? {
    if let node = peek(key), case .scalar(let scalar) = node.value, !scalar.isPlain {
      _ = take(key)
      context.report(.quoted(key: path(key), expected: expected), at: node)
      return nil
    }
    return converted(key, expected, convert)
  }
}

extension ReadingContext {
  func url(_ node: YAMLNode, _ key: String) -> RemoteURL? {
    guard let text = text(node, key, .url) else { return nil }
    do throws(RemoteURL.Problem) { return try RemoteURL(text) } catch {
      report(.url(text, error), at: node)
      return nil
    }
  }

  /// `~` is the home directory, anything relative is relative to the manifest.
  func absolute(_ path: String) -> String {
    var path = path
    if path == "~" || path.hasPrefix("~/"), let home { path = home + path.dropFirst() }
    if !path.hasPrefix("/") { path = directory + "/" + path }
    var components: [Substring] = []
    for component in path.split(separator: "/") where component != "." {
      if component == ".." { _ = components.popLast() } else { components.append(component) }
    }
    return "/" + components.joined(separator: "/")
  }
}

extension Share {
  /// Reads `85%`, `12.5%`.
  init?(percentage text: String) {
    guard text.hasSuffix("%"), let percent = Double(digits: text.dropLast()) else { return nil }
    let perMille = (percent * 10).rounded()
    guard perMille <= 1000, abs(percent * 10 - perMille) < 1e-9 else { return nil }
    self.init(perMille: Int(perMille))
  }

  var text: String { perMille % 10 == 0 ? "\(perMille / 10)%" : "\(perMille / 10).\(perMille % 10)%" }
}
