// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncDisk
import SyncFormats
import SyncJob

/// The words of a library that a shell completes. Nothing is said about errors: without a manifest or a library there
/// are no words. Nothing is written, no network is used and no lock is taken.
struct LibraryCompletion {
  /// The number of words from which a shell gets none: it would ask whether to show them all.
  private static let most = 1000

  private let words: [String]
  private let prefix: String
  /// The part of the word that the shell takes for words of their own and leaves as it is.
  private var kept = ""

  /// - Parameters:
  ///   - words: the words of the command line, the program first.
  ///   - index: the place of the word to complete.
  init(_ words: [String], _ index: Int, _ prefix: String) {
    self.words = words
    // For bash each colon is a word of its own, and every feed's items have one in their ids.
    var start = min(index, words.count)
    if CompletionShell.requesting == .bash {
      while start > 1, start < words.count, words[start] == ":" || words[start - 1] == ":" { start -= 1 }
    }
    let before = words[min(start, words.count)..<min(max(start, index), words.count)].joined()
    let isColon = prefix == ":"
    kept = isColon ? before + prefix : before
    self.prefix = before + prefix
  }

  var items: [String] {
    guard let manifest = settings, let queue = queue(of: manifest) else { return [] }
    return completed(queue.items.lazy.map(\.id.text))
  }

  /// The names of the playlists in the manifest, and of those that its sources list.
  var playlists: [String] {
    guard let manifest = manifest?.withKnownPlaylists() else { return [] }
    return completed(manifest.playlists.lazy.map(\.name.text))
  }

  /// The names of whatever gets tokens from a provider.
  var logins: [String] {
    guard let manifest else { return [] }
    return completed(manifest.tokenOwners.lazy.filter { $0.source.client != nil }.map(\.name))
  }

  private func completed(_ candidates: some Sequence<String>) -> [String] {
    let found = candidates.filter { $0.hasPrefix(prefix) && Self.isSafe($0) }.prefix(Self.most + 1)
    // Some of them would complete to a beginning that the others do not have.
    guard found.count <= Self.most else { return [] }
    return found.map { found in
      let rest = String(found.dropFirst(kept.count))
      return switch CompletionShell.requesting {
      // zsh takes what follows a colon for a description.
      case .zsh: rest.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
      case .bash: Self.quotedForBash(rest)
      default: rest
      }
    }
  }

  /// False for a word that would be a command on the command line: bash puts these two characters there unquoted.
  private static func isSafe(_ word: String) -> Bool {
    CompletionShell.requesting != .bash || !word.utf8.contains { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "`") }
  }

  /// The word as `compgen -W` has to get it, which expands each word as a command line does: an id could run commands.
  private static func quotedForBash(_ word: String) -> String {
    var quoted = ""
    for scalar in word.unicodeScalars {
      let isPlain = !scalar.isASCII || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      if !isPlain, !"-_./:@%+=,".unicodeScalars.contains(scalar) { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted
  }

  // MARK: The library

  private func queue(of manifest: Manifest) -> Queue? {
    let options = JobOptions(plan: PlanOptions(maxDelete: manifest.storage.maxDelete))
    let context = JobContext(
      manifest: manifest, options: options, userAgent: "syncjob/\(Version.number)", tags: TagProgram())
    do throws(JobError) { return try Status(context).queue().queue } catch { return nil }
  }

  /// The settings are enough to find a library.
  private var settings: Manifest? { text?.settings ?? manifest }

  private var manifest: Manifest? {
    guard let text else { return nil }
    var environment = text.environment.forManifest
    environment.leavesSecretsOpen = true
    return ManifestReader.read(
      text.file.bytes, directory: text.file.directory, fileStem: text.file.stem, environment: environment
    ).manifest
  }

  private var text: ManifestText? {
    do { return try ManifestText.read(named) } catch { return nil }
  }

  /// The manifest that the command line names.
  private var named: String? {
    for (position, word) in words.enumerated().dropFirst() {
      if word == "-m" || word == "--manifest", position + 1 < words.count { return words[position + 1] }
      if word.hasPrefix("--manifest=") { return String(word.dropFirst("--manifest=".count)) }
    }
    return words.dropFirst().first { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
  }
}

extension CompletionKind {
  static var items: CompletionKind {
    .custom { words, index, prefix in LibraryCompletion(words, index, prefix).items }
  }

  static var playlists: CompletionKind {
    .custom { words, index, prefix in LibraryCompletion(words, index, prefix).playlists }
  }

  static var logins: CompletionKind {
    .custom { words, index, prefix in LibraryCompletion(words, index, prefix).logins }
  }

  static var manifest: CompletionKind { .file(extensions: ["yaml", "yml"]) }

  static func words<Value: RawRepresentable & CaseIterable>(of type: Value.Type) -> CompletionKind
  where Value.RawValue == String {
    .list(type.allCases.map(\.rawValue))
  }
}
