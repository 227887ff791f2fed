// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

struct ImportOPMLCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "opml", abstract: "Print a manifest with the feeds of an OPML file.",
    discussion: """
      Podcast programs export their subscriptions as OPML. Each feed becomes a playlist; folders become comments. \
      Nothing is fetched, and no library is touched. An address that contains a password or a token is not printed: \
      its playlist is commented out. Exit status: 0; 1 if the file cannot be read whole.
      """)

  @Argument(
    help: ArgumentHelp("The OPML file. - is stdin.", valueName: "file"), completion: .file(extensions: ["opml", "xml"]))
  var file: String
  @OptionGroup var output: OutputOptions

  func run() throws {
    Terminal.standardOutput.write(try StarterManifest.read(file, output))
  }
}

extension StarterManifest {
  /// The text of a manifest with the feeds of an OPML file. What it leaves out is said on stderr.
  static func read(_ path: String, _ output: OutputOptions) throws -> String {
    let outlines: Listing
    do throws(SourceProblem) { outlines = try ReadOutlines.perform(path) } catch {
      throw CommandExit(OutlineWords.notRead(path, error), .fatal)
    }
    let manifest = text(of: outlines, schema: SchemaFile.place)
    if !output.quiet {
      for words in OutlineWords.warnings(path, outlines, manifest, isVerbose: output.verbose > 0) {
        Log.warn(words)
      }
    }
    return manifest.text
  }
}
