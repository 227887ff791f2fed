// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncFormats

/// Keeps the reports of the last runs, and a copy of the newest where the manifest wants one.
struct ReportFiles {
  private let library: Library
  private let copy: OutputFile?

  private static let kept = 30

  init(_ library: Library, _ context: JobContext) {
    self.library = library
    let protected = ProtectedFiles(context.manifest, at: context.options.manifestPath)
    copy = context.manifest.report.json.map { OutputFile($0, of: nil, besides: protected, library.files) }
  }

  func write(_ report: RunReport) throws(FileError) {
    let bytes = report.json()
    guard let place = library.report("\(report.runID).json") else { return }
    try library.files.replace(place, bytes, mode: .privateFile)
    // With a clock that went back, the newest report looks like the oldest.
    if !report.isClockDoubtful { try prune(place.parent) }
  }

  /// Writes the copy that the manifest wants. Nothing of the job depends on it.
  func writeCopy(_ report: RunReport) throws(FileError) {
    try copy?.write(report: report.json())
  }

  /// Names begin with the time, so the first ones are the oldest.
  private func prune(_ folder: FilePlace) throws(FileError) {
    let reports = try library.files.list(folder).filter { $0.name.hasSuffix(".json") && $0.status.kind == .file }
    for entry in reports.dropLast(Self.kept) {
      if let place = folder.child(entry.name) { try library.files.removeFileIfPresent(place) }
    }
  }
}
