// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

extension ItemFilter {
  static let section = Section<ItemFilter>([
    .listed("title", \.titles, .titlePatterns), .bounds("duration", \.duration, .duration()),
    .bounds("size", \.size, .size()), .listed("type", \.types, .itemTypes), .season,
    .optional("explicit", \.isExplicit, .boolean),
  ])
}

extension ManifestKey where Root: Sendable {
  /// A filter. Each declaration replaces an earlier one completely.
  static func filter(
    _ name: String, _ path: @autoclosure @escaping LazyPath<Root, ItemFilter>
  ) -> ManifestKey {
    ManifestKey(
      name: name, paths: ItemFilter.section.paths, schema: { ItemFilter.section.schema(at: $0.path) },
      read: { field, root, context in
        var filter = ItemFilter()
        ItemFilter.section.read(field, into: &filter, context)
        root[keyPath: path()] = filter
      },
      write: { ItemFilter.section.write($0[keyPath: path()]) })
  }
}

extension ManifestKey where Root == ItemFilter {
  /// A list that is written only when it is not empty.
  fileprivate static func listed<Element: Sendable>(
    _ name: String, _ path: @autoclosure @escaping LazyPath<Root, [Element]>, _ codec: Codec<[Element]>
  ) -> ManifestKey {
    ManifestKey(
      name: name, schema: { _ in codec.schema() },
      read: { field, root, context in
        guard !context.reportIfEmpty(field) else { return }
        if let value = codec.read(field, context) { root[keyPath: path()] = value }
      },
      write: { $0[keyPath: path()].isEmpty ? nil : codec.write($0[keyPath: path()]) })
  }

  /// `{ min: …, max: … }`, with at least one of them.
  fileprivate static func bounds<Value: Comparable & Hashable & Sendable>(
    _ name: String, _ path: @autoclosure @escaping LazyPath<Root, ItemFilter.Bounds<Value>>, _ codec: Codec<Value>
  ) -> ManifestKey {
    let section = Section<ItemFilter.Bounds<Value>>(
      [.optional("min", \.min, codec), .optional("max", \.max, codec)], rules: [.anyOf(["min", "max"])],
      check: { field, bounds, context in
        if let min = bounds.min, let max = bounds.max, min > max {
          context.report(.rule(.minAboveMax), of: field, key: "min", "max")
        }
      })
    return ManifestKey(
      name: name, paths: section.paths, schema: { section.schema(at: $0.path) },
      read: { field, root, context in
        if !context.reportIfEmpty(field) { section.read(field, into: &root[keyPath: path()], context) }
      },
      write: { $0[keyPath: path()].isEmpty ? nil : section.write($0[keyPath: path()]) })
  }

  /// A number, or bounds.
  fileprivate static let season: ManifestKey = {
    let number = Codec<Int>.integer(0...100_000)
    let bounds = bounds("season", \.season, number)
    return ManifestKey(
      name: "season", paths: bounds.paths,
      schema: { place in .any([number.schema()] + (bounds.schema(place).map { [$0] } ?? [])) },
      read: { field, root, context in
        if case .sequence(let nodes) = field.node.content, !nodes.isEmpty {
          context.report(.wrongType(expected: .integerOrBounds, found: .list), of: field)
        } else if case .scalar = field.node.content, !field.node.isNothing {
          if let season = number.read(field, context) { root.season = ItemFilter.Bounds(min: season, max: season) }
        } else {
          bounds.read(field, &root, context)
        }
      }, write: bounds.write)
  }()
}

extension ReadingContext {
  /// True if a condition is an empty list or mapping, or one with empty bounds; reports it in that case.
  fileprivate func reportIfEmpty(_ field: Field) -> Bool {
    let isEmpty =
      switch field.node.content {
      case .sequence(let nodes): nodes.isEmpty
      case .mapping(let pairs): pairs.allSatisfy { $0.value.isNothing }
      case .scalar: false
      }
    if isEmpty { report(.emptyCondition, of: field) }
    return isEmpty
  }
}

extension Codec where Value == [TitlePattern] {
  /// One pattern, or a list.
  static let titlePatterns = Codec.oneOrMore(
    of: { text throws(ValueProblem) in
      do throws(TitlePattern.Problem) { return try TitlePattern(text) } catch { throw .titlePattern(text, error) }
    }, write: \.text)
}

extension Codec where Value == [ItemType] {
  /// One type, or a list.
  static let itemTypes = Codec.oneOrMore(
    of: { text throws(ValueProblem) in
      guard let type = ItemType(text) else { throw .itemType(text) }
      return type
    }, write: \.text)
}

extension Codec {
  /// A text, or a list of texts.
  fileprivate static func oneOrMore<Element: Sendable>(
    of parse: @escaping @Sendable (String) throws(ValueProblem) -> Element,
    write: @escaping @Sendable (Element) -> String
  ) -> Codec where Value == [Element] {
    Codec(
      .text, schema: { .oneOrMore(.shared(.text), atLeast: 1) },
      read: { field, context in
        let nodes = if case .sequence(let nodes) = field.node.content { nodes } else { [field.node] }
        return nodes.compactMap { node in
          let element = Field(section: field.section, key: field.key, node: node)
          guard let scalar = context.scalar(element, expecting: .text) else { return nil }
          do throws(ValueProblem) { return try parse(scalar.text) } catch {
            context.report(error, of: element)
            return nil
          }
        }
      }, write: { .list($0.map { .string(write($0)) }) })
  }
}

extension Codec where Value == Selection.Since {
  /// A date, or an age.
  static let since = Codec.scalar(
    .dateOrAge,
    // Zero has no meaning here.
    schema: {
      Schema.any([.shared(.date), .shared(.age)]).with("not", Schema.choice([.integer(0), .string("0")]).json)
    },
    parse: { scalar throws(ValueProblem) in
      if let date = Timestamp(rfc3339: scalar.text) { return .date(date) }
      guard !DurationText.isNumber(scalar.text) else { throw .withoutUnit(scalar.found, orDate: true) }
      return try DurationText.read(scalar).map { .age($0) }
    },
    write: { since in
      switch since {
      case .date(let date): .word(date.rfc3339)
      case .age(let age): .word(DurationText.spelled(age))
      }
    })
}
