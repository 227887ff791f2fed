// SPDX-License-Identifier: Apache-2.0
import SyncCore

extension Codec where Value == String {
  /// An absolute path: relative ones begin at the manifest's directory, and `~` is the home directory.
  static let path = Codec(
    .path,
    read: { field, context in
      guard let scalar = context.scalar(field, expecting: .path) else { return nil }
      guard !scalar.text.isEmpty else {
        context.report(.wrongType(expected: .path, found: scalar.found), of: field)
        return nil
      }
      return context.absolutePath(scalar.text, of: field)
    }, write: { .string($0) })

  /// The same as `path`, but `.syncjob`, the default, means the folder inside the library, which is not known yet.
  static let statePath = Codec(
    .path,
    read: { field, context in
      if field.node.holds(LibraryDraft.defaultState) { return LibraryDraft.defaultState }
      return path.read(field, context)
    }, write: path.write)
}

extension Codec where Value == RemoteURL {
  static let url = Codec(
    .url,
    read: { field, context in
      guard let scalar = context.scalar(field, expecting: .url) else { return nil }
      guard !scalar.text.isEmpty else {
        context.report(.wrongType(expected: .url, found: scalar.found), of: field)
        return nil
      }
      return context.url(scalar.text, of: field)
    }, write: { .string(EffectiveManifest.withoutCredentials($0)) })
}

extension Codec where Value == ListingLocation {
  /// A URL when it begins with a scheme, otherwise a path.
  static let location = Codec(
    .urlOrPath,
    read: { field, context in
      guard let scalar = context.scalar(field, expecting: .urlOrPath) else { return nil }
      guard !scalar.text.isEmpty else {
        context.report(.wrongType(expected: .urlOrPath, found: scalar.found), of: field)
        return nil
      }
      if scalar.text.contains("://") { return context.url(scalar.text, of: field).map { .remote($0) } }
      return context.absolutePath(scalar.text, of: field).map { .file($0) }
    },
    write: { location in
      switch location {
      case .remote(let url): Codec<RemoteURL>.url.write(url)
      case .file(let path): .string(path)
      }
    })
}

extension ReadingContext {
  /// Nil after a report. A wrong URL may still contain a credential: it is never part of a fact.
  func url(_ text: String, of field: Field) -> RemoteURL? {
    do throws(RemoteURL.Problem) {
      return try RemoteURL(text)
    } catch {
      report(.url(error), of: field)
      return nil
    }
  }

  /// Nil after a report. `.` and `..` are resolved by name only, without a look at the disk.
  func absolutePath(_ text: String, of field: Field) -> String? {
    var base = text.hasPrefix("/") ? "" : directory
    var rest = text[...]
    if text.hasPrefix("~") {
      let name = text.dropFirst().prefix { $0 != "/" }
      guard name.isEmpty else {
        report(.path(.homeOfOther(String(name))), of: field)
        return nil
      }
      guard !environment.unreadable.contains("HOME") else {
        report(.variable(.notUTF8("HOME")), of: field)
        return nil
      }
      guard let home = environment.home, home.hasPrefix("/") else {
        report(.path(.homeUnknown), of: field)
        return nil
      }
      base = home
      rest = text.dropFirst()
    }
    guard !text.utf8.contains(0) else {
      report(.path(.nul), of: field)
      return nil
    }
    return Self.normalised("\(base)/\(rest)")
  }

  private static func normalised(_ path: String) -> String {
    var components: [Substring] = []
    for component in path.split(separator: "/") where component != "." {
      if component == ".." {
        _ = components.popLast()
      } else {
        components.append(component)
      }
    }
    return components.isEmpty ? "/" : components.reduce(into: "") { $0 += "/\($1)" }
  }
}
