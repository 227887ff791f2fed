// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

struct CatCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cat", abstract: "Write the media of a finished item to stdout, opened if it is sealed.",
    discussion: """
      Each part is authenticated before a byte of it is written. A damaged file ends with status 3 after its last \
      genuine byte.
      """)

  @Argument(help: "An item, by id, by the beginning of an id, or by title.", completion: .items)
  var item: String
  @Option(name: .long, help: ArgumentHelp("Begin at this byte of the media.", valueName: "bytes"))
  var offset: Word?
  @Option(name: .long, help: ArgumentHelp("Write at most this many bytes.", valueName: "bytes"))
  var length: Word?
  @OptionGroup var manifest: ManifestOption
  @OptionGroup var clock: ClockOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let offset = try offset?.value(of: "--offset", .offset) ?? .zero
    let length = try length?.value(of: "--length", .offset)
    try manifest.check(item)
    let session = try Session(.read(manifest.path(besides: nil)), lock: nil, clock: clock, output: output)
    let media = try await session.openMedia()
    try session.stoppingMedia { () throws(MediaProblem) in
      let item = try media.find(item)
      try media.read(item, from: offset, length: length) { Terminal.standardOutput.write($0) }
    }
  }
}

struct DecryptCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decrypt", abstract: "Write finished items in clear to files outside the library.",
    discussion: """
      With --playlist, all finished items of the playlist go into the folder that -o names, under the names that they \
      have in the library. Files that are there already are left as they are, so that the command can be called again \
      after it was stopped. Nothing is overwritten. Items that are not sealed are copied.
      """)

  @Argument(help: "An item, by id, by the beginning of an id, or by title.", completion: .items)
  var item: String?
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The new file, or with --playlist the folder.", valueName: "path"), completion: .file())
  var path: String
  @OptionGroup var playlists: PlaylistOption
  @OptionGroup var manifest: ManifestOption
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    if let item { try manifest.check(item) }
    let session = try Session(.read(manifest.path(besides: nil)), lock: nil, clock: clock, output: output)
    let scope = try playlists.scope(session.manifest)
    guard item != nil || scope != nil else { throw CommandExit(KeyWords.decryptNeeds, .usage) }
    guard item == nil || scope == nil else { throw CommandExit(KeyWords.decryptBoth, .usage) }
    if path == "-" { throw CommandExit(KeyWords.decryptToStandardOutput, .usage) }
    let (folder, name) = try scope == nil ? file() : (path, nil)
    let media = try await session.openMedia()
    let items = try session.stoppingMedia { () throws(MediaProblem) in try chosen(media, scope, name) }
    let (copies, problems) = try await copy(items, media, to: folder, session)
    for words in problems { session.warn(words) }
    if result.json {
      Terminal.standardOutput.write(copies.json())
    } else if !session.isQuiet {
      Terminal.standardOutput.write(copies.text)
    }
    if !copies.failed.isEmpty { throw CommandExit.silent(.partial) }
  }

  /// Writes the copies. A file that does not open, or that is in the way, says nothing about the others.
  private func copy(
    _ items: [(item: QueueItem, path: LibraryPath)], _ media: OpenMedia, to folder: String, _ session: Session
  ) async throws -> (ClearCopies, [String]) {
    let (path, invocation, stops) = (path, session.invocation, StopSignals.stops)
    let end = try await session.stopping { () async throws(JobError) in
      try await OpenMedia.stopped(by: stops) { () throws(MediaProblem) -> (ClearCopies, [String]) in
        var (copies, problems) = (ClearCopies(path: path), [String]())
        for (item, place) in items {
          do throws(MediaProblem) { copies.note(item.id, isNew: try media.write(item, to: place, in: folder)) } catch {
            guard error.status == .partial else { throw error }
            problems.append(error.words(invocation))
            copies.failed.append(item.id)
          }
        }
        return (copies, problems)
      }
    }
    return try session.stoppingMedia { () throws(MediaProblem) in try end.get() }
  }

  /// The items with their paths in the folder.
  private func chosen(
    _ media: OpenMedia, _ scope: Set<PlaylistName>?, _ name: LibraryPath?
  ) throws(MediaProblem) -> [(item: QueueItem, path: LibraryPath)] {
    if let scope { return media.items(of: scope) }
    guard let item, let name else { return [] }
    return [(try media.find(item), name)]
  }

  /// The folder and the name of the new file.
  private func file() throws -> (String, LibraryPath?) {
    let slash = path.lastIndex(of: "/")
    guard let name = LibraryPath(slash.map { path[path.index(after: $0)...] } ?? path[...]) else {
      throw CommandExit(KeyWords.decryptFile(path), .usage)
    }
    return (slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".", name)
  }
}

extension ManifestOption {
  /// Refuses a manifest in the place of an item, if there is no manifest.
  fileprivate func check(_ item: String) throws {
    if manifest == nil, ManifestText.looksLikeManifest(item) { throw UsageProblem.manifestForItem(item) }
  }
}

extension Session {
  /// The finished files with the keys, for commands that read them.
  fileprivate func openMedia() async throws -> OpenMedia {
    let (media, warnings) = try await stopping { () async throws(JobError) in try await OpenMedia.begin(context) }
    emit(warnings)
    return media
  }

  fileprivate func stoppingMedia<Result>(_ body: () throws(MediaProblem) -> Result) throws -> Result {
    do { return try body() } catch { throw CommandExit(error.words(invocation), error.status) }
  }
}
