// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

struct InitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Write a starter manifest and mark the library as initialised.",
    discussion: "Keeps a manifest that exists already, and only initialises its library.")

  @OptionGroup var manifest: ManifestArgument
  @Option(
    name: .customLong("from-opml"),
    help: ArgumentHelp(
      "Begin with a playlist for each feed of this OPML file, which podcast programs export. - is stdin.",
      valueName: "file"), completion: .file(extensions: ["opml", "xml"]))
  var fromOPML: String?
  @Option(
    name: .customLong("from-url"),
    help: ArgumentHelp("Begin with a playlist for the feed at this URL, which is read once.", valueName: "feed"))
  var fromURL: String?
  @Flag(name: .long, help: "Confirm that the library may be a system folder, such as / or /home.")
  var yes = false
  @OptionGroup var rehearsal: DryRunOption
  @OptionGroup var clock: ClockOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let environment = ProcessEnvironment.current
    let path = try manifest.path() ?? environment.manifest ?? "syncjob.yaml"
    if path.hasPrefix("http://") || path.hasPrefix("https://") {
      throw CommandExit(OutlineWords.manifestIsURL(path), .usage)
    }
    let contents = try await contents(for: path)
    let unwritten = try rehearsal.dryRun ? unwrittenManifest(path, contents) : nil
    let isNew = try rehearsal.dryRun ? unwritten != nil : makeManifest(path, contents)
    var words = InitWords(path: path, isManifestNew: isNew, isRehearsal: rehearsal.dryRun)
    // The starter declares no playlist yet; a warning about that would be pointless here.
    let session = try Session(
      unwritten ?? .read(path), lock: lock, clock: clock, output: output, reportsWarnings: false)
    let library = session.manifest.library.path
    if !yes, SystemFolders.contains(library) { throw CommandExit(InitWords.systemFolder(library), .usage) }
    let outcome = try await session.stopping { () async throws(JobError) in
      try await rehearsal.dryRun
        ? Initialise(session.context).rehearse() : Initialise(session.context).perform()
    }
    words.library = library
    words.isEmpty = session.manifest.playlists.isEmpty
    switch outcome {
    case .made: words.outcome = .made
    case .known: words.outcome = .known
    case .takenOver(let owner): words.outcome = .takenOver(from: owner, by: session.manifest.name)
    }
    show(words)
  }

  /// The text of a new manifest.
  private func contents(for path: String) async throws -> String {
    if fromOPML != nil, fromURL != nil { throw CommandExit(OutlineWords.twoOrigins, .usage) }
    guard let origin = fromOPML ?? fromURL else { return StarterManifest.text(schema: SchemaFile.place) }
    guard !ManifestFile.exists(path) else { throw CommandExit(OutlineWords.manifestExists(path), .usage) }
    return fromURL == nil ? try StarterManifest.read(origin, output) : try await contents(of: origin, for: path)
  }

  /// The text of a new manifest with the feed at an address.
  private func contents(of address: String, for path: String) async throws -> String {
    let url: RemoteURL
    do throws(RemoteURL.Problem) { url = try RemoteURL(address) } catch {
      throw CommandExit(OutlineWords.badAddress(address, error), .usage)
    }
    let starter = StarterManifest.text(schema: SchemaFile.place)
    guard let unwritten = try unwrittenManifest(path, starter) else { return starter }
    let session = try Session(unwritten, lock: lock, clock: clock, output: output, reportsWarnings: false)
    let result = try await session.stopping { () async throws(JobError) in
      try await ReadFeed(url, session.context).perform()
    }
    switch result {
    case .failure(let problem): throw CommandExit(OutlineWords.notRead(url, problem), .fatal)
    case .success(let feed):
      let manifest = StarterManifest.text(feed: feed.url, title: feed.title, schema: SchemaFile.place)
      if !output.quiet, let words = OutlineWords.warning(manifest) { session.warn(words) }
      return manifest.text
    }
  }

  /// Writes a new manifest if there is none. Returns true if it is new.
  private func makeManifest(_ path: String, _ contents: String) throws -> Bool {
    do throws(ManifestFile.Problem) {
      return try ManifestFile.create(path, contents: contents)
    } catch { throw CommandExit(error.words, .fatal) }
  }

  /// The manifest that a rehearsal does not write. Nil if there is one.
  private func unwrittenManifest(_ path: String, _ contents: String) throws -> ManifestText? {
    guard !ManifestFile.exists(path) else { return nil }
    do throws(ManifestFile.Problem) {
      let file = try ManifestFile.rehearse(path, contents: contents)
      return ManifestText(path: path, named: path, file: file, environment: .current)
    } catch { throw CommandExit(error.words, .fatal) }
  }

  private func show(_ words: InitWords) {
    if result.json {
      Terminal.standardOutput.write(words.json())
    } else if !output.quiet {
      Terminal.standardOutput.write(words.text)
    }
  }
}
