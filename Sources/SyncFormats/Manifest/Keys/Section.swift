// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

/// The keys of one mapping of the manifest: one table that reads, checks, suggests and writes.
struct Section<Root>: Sendable {
  typealias Check = @Sendable (Field, Root, ReadingContext) -> Void

  let keys: [ManifestKey<Root>]
  private let positions: [String: Int]
  private let isOrdered: Bool
  /// The rules between keys that the schema knows.
  let rules: [SectionRule]
  private let check: Check

  /// - Parameters:
  ///   - isOrdered: true if later keys of the table depend on earlier ones, whatever their order in the manifest.
  ///   - rules: the rules between keys that a schema can express.
  ///   - check: checks the rules between keys, after they were read.
  init(
    _ keys: [ManifestKey<Root>], isOrdered: Bool = false, rules: [SectionRule] = [],
    check: @escaping Check = { _, _, _ in }
  ) {
    self.keys = keys
    self.isOrdered = isOrdered
    self.rules = rules
    self.check = check
    positions = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1.name, $0) })
  }

  /// An empty mapping declares nothing.
  func read(_ field: Field, into root: inout Root, _ context: ReadingContext) {
    guard let pairs = context.pairs(of: field) else { return }
    let path = field.path
    let holdsCredentials = Field.isCredentials(path)
    var misspelt: [String] = []
    for pair in isOrdered ? inTableOrder(pairs) : pairs {
      if holdsCredentials { context.noteCredential(pair) }
      if let position = positions[pair.key] {
        keys[position].read(Field(section: path, key: pair.key, node: pair.value), &root, context)
      } else if !pair.key.hasPrefix("x-") {
        misspelt += context.reportUnknown(pair, in: path, known: keys.map(\.name))
        checkBelow(pair, in: path, root, context)
      }
    }
    var checked = field
    checked.misspelt = misspelt
    check(checked, root, context)
  }

  /// The keys inside a misspelt section are checked as those of the section that was meant.
  private func checkBelow(_ pair: YAMLPair, in path: String, _ root: Root, _ context: ReadingContext) {
    guard case .mapping = pair.value.content, let meant = NearestName.of(pair.key, among: keys.map(\.name)),
      let position = positions[meant]
    else { return }
    var unused = root
    keys[position].read(Field(section: path, key: pair.key, node: pair.value), &unused, context)
  }

  private func inTableOrder(_ pairs: [YAMLPair]) -> [YAMLPair] {
    pairs.sorted { (positions[$0.key] ?? .max) < (positions[$1.key] ?? .max) }
  }

  func write(_ root: Root) -> ManifestText {
    .mapping(keys.compactMap { key in key.write(root).map { ManifestText.Entry(key: key.name, value: $0) } })
  }

  /// The dotted names of all keys below.
  var paths: [String] { keys.flatMap { key in [key.name] + key.paths.map { "\(key.name).\($0)" } } }
}

/// A key with its reader into `Root` and its writer out of it.
struct ManifestKey<Root>: Sendable {
  let name: String
  private let below: @Sendable () -> [String]
  /// Returns the schema of its values; nil for a key that has no legal value yet.
  let schema: @Sendable (SchemaPlace<Root>) -> Schema?
  let read: @Sendable (Field, inout Root, ReadingContext) -> Void
  /// Returns nil for a key that is not written.
  let write: @Sendable (Root) -> ManifestText?

  /// The dotted names of the keys below it.
  var paths: [String] { below() }

  /// - Parameter paths: used only for errors and for the schema.
  init(
    name: String, paths: @autoclosure @escaping @Sendable () -> [String] = [],
    schema: @escaping @Sendable (SchemaPlace<Root>) -> Schema?,
    read: @escaping @Sendable (Field, inout Root, ReadingContext) -> Void,
    write: @escaping @Sendable (Root) -> ManifestText? = { _ in nil }
  ) {
    (self.name, below, self.schema, self.read, self.write) = (name, paths, schema, read, write)
  }
}

/// The key path to a value that a key sets. It is made when the key is read or written: to make those of every key that
/// there is takes longer than to read a short manifest.
typealias LazyPath<Root, Value> = @Sendable () -> any WritableKeyPath<Root, Value> & Sendable

extension ManifestKey {
  static func value<Value: Sendable>(
    _ name: String, _ path: @autoclosure @escaping LazyPath<Root, Value>, _ codec: Codec<Value>
  ) -> ManifestKey {
    ManifestKey(
      name: name,
      schema: { place in
        codec.schema().with(default: place.defaults.map { codec.write($0[keyPath: path()]) })
      },
      read: { field, root, context in
        if let value = codec.read(field, context) { root[keyPath: path()] = value }
      },
      write: { codec.write($0[keyPath: path()]) })
  }

  /// A key that is absent when its value is nil.
  static func optional<Value: Sendable>(
    _ name: String, _ path: @autoclosure @escaping LazyPath<Root, Value?>, _ codec: Codec<Value>
  ) -> ManifestKey {
    ManifestKey(
      name: name, schema: { _ in codec.schema() },
      read: { field, root, context in
        if let value = codec.read(field, context) { root[keyPath: path()] = value }
      },
      write: { $0[keyPath: path()].map(codec.write) })
  }

  static func section<Value: Sendable>(
    _ name: String, _ path: @autoclosure @escaping LazyPath<Root, Value>,
    _ section: @autoclosure @escaping @Sendable () -> Section<Value>
  ) -> ManifestKey {
    ManifestKey(
      name: name, paths: section().paths,
      schema: { place in section().schema(at: place.path, defaults: place.defaults.map { $0[keyPath: path()] }) },
      read: { field, root, context in section().read(field, into: &root[keyPath: path()], context) },
      write: { section().write($0[keyPath: path()]) })
  }
}

extension ReadingContext {
  /// The pairs of a mapping, none for a key without a value; nil, after a report, for anything else.
  func pairs(of field: Field) -> [YAMLPair]? {
    if field.node.isNothing { return [] }
    guard case .mapping(let pairs) = field.node.content else {
      report(.wrongType(expected: .mapping, found: field.node.found), of: field)
      return nil
    }
    return pairs
  }

  /// The elements of a list, none for a key without a value; nil, after a report, for anything else.
  func elements(of field: Field) -> [YAMLNode]? {
    if field.node.isNothing { return [] }
    guard case .sequence(let nodes) = field.node.content else {
      report(.wrongType(expected: .list, found: field.node.found), of: field)
      return nil
    }
    return nodes
  }

  /// - Returns: The known keys that the unknown one may stand for.
  @discardableResult
  func reportUnknown(_ pair: YAMLPair, in section: String, known: [String]) -> [String] {
    // `password:hush` is a key without a value, and `hush` alone may be one.
    if Field.isCredentials(section), pair.value.isNothing, NearestName.of(pair.key, among: known) == nil {
      let key = pair.key.firstIndex(of: ":").map { String(pair.key[..<$0]) } ?? "…"
      report(.key(.unknown(key, section: section, nearest: nil)), at: pair.keyMark)
      return []
    }
    let whole = section.isEmpty ? pair.key : "\(section).\(pair.key)"
    if pair.key.contains("."), ManifestDraft.section.paths.contains(whole) {
      report(.key(.flattened(pair.key, section: section)), at: pair.keyMark)
      return []
    }
    let nearest = NearestName.of(pair.key, among: known)
    let longer = nearest == nil ? known.filter { $0.hasPrefix("\(pair.key)_") } : []
    let elsewhere = nearest == nil ? ManifestDraft.pathsByName[pair.key] : nil
    if !longer.isEmpty {
      report(.key(.shortened(pair.key, section: section, known: longer)), at: pair.keyMark)
    } else if let elsewhere {
      report(.key(.misplaced(pair.key, section: section, belongs: elsewhere)), at: pair.keyMark)
    } else {
      report(.key(.unknown(pair.key, section: section, nearest: nearest)), at: pair.keyMark)
    }
    return nearest.map { [$0] } ?? longer
  }
}
