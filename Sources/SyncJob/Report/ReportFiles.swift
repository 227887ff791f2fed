// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// Keeps the reports of the last runs, and writes those that the manifest wants.
struct ReportFiles {
  private let library: Library
  private let context: JobContext
  private let protected: ProtectedFiles

  private static let kept = 30

  init(_ library: Library, _ context: JobContext) {
    (self.library, self.context) = (library, context)
    protected = ProtectedFiles(context.manifest, at: context.options.manifestPath)
  }

  func write(_ report: RunReport) throws(FileError) {
    let bytes = report.json()
    guard let place = library.reports?.child("\(report.runID).json") else { return }
    try library.files.replace(place, bytes, mode: .privateFile)
    // With a clock that went back, the newest report looks like the oldest.
    if !report.isClockDoubtful { try prune(place.parent) }
  }

  /// Writes the copy that the manifest wants. Nothing of the job depends on it.
  func writeCopy(_ report: RunReport) throws(FileError) {
    guard let path = context.manifest.report.json else { return }
    try file(path).write(report.json(), as: .json)
  }

  /// Writes the page that the manifest wants.
  /// - Parameter report: The report of this run, which is not kept yet.
  func writePage(_ report: RunReport, _ status: LibraryStatus) throws(FileError) {
    guard let path = context.manifest.report.html else { return }
    var runs = try PastRuns(library, last: Self.kept - 1).runs
    do throws(QueueFileProblem) { runs.append(try KeptRun.decode(report.json())) } catch {
      preconditionFailure("the report that was just made cannot be read: \(error)")
    }
    let page = ReportPage(
      status, runs: runs, invocation: Invocation(manifest: context.options.manifestPath),
      units: context.manifest.sizeUnits, madeAt: report.finishedAt)
    try file(path).write(Array(page.html.utf8), as: .html)
  }

  private func file(_ path: String) -> OutputFile { OutputFile(path, of: nil, besides: protected, library.files) }

  private func prune(_ folder: FilePlace) throws(FileError) {
    for name in try PastRuns.names(in: folder, library.files).dropLast(Self.kept) {
      if let place = folder.child(name) { try library.files.removeFileIfPresent(place) }
    }
  }
}
