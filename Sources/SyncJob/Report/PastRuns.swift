// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats

/// The kept reports of a library, in the order of their runs.
package struct PastRuns: Sendable {
  /// The number of all kept reports.
  package let count: Int
  /// Those that were asked for and could be read.
  package private(set) var runs: [KeptRun] = []
  /// The contents of their files, if they were asked for.
  package private(set) var documents: [[UInt8]] = []
  /// The reports that could not be read.
  package private(set) var unreadable: [(name: String, problem: QueueFileProblem)] = []

  private static let largest = ByteCount(1 << 30)

  /// - Parameters:
  ///   - last: The number of reports to read, the newest. Nil for all.
  ///   - keepsDocuments: True if the contents of the files are wanted.
  package init(_ context: JobContext, last: Int? = nil, keepsDocuments: Bool = false) throws(JobError) {
    let library = try Library.look(context.manifest.library, context.files)
    do throws(FileError) { try self.init(library, last: last, keepsDocuments: keepsDocuments) } catch {
      throw .file(error)
    }
  }

  init(_ library: Library, last: Int?, keepsDocuments: Bool = false) throws(FileError) {
    guard let folder = library.reports else {
      count = 0
      return
    }
    let names = try Self.names(in: folder, library.files)
    count = names.count
    for name in names.suffix(last ?? names.count) {
      guard let place = folder.child(name), let bytes = try library.files.read(place, limit: Self.largest) else {
        continue
      }
      do throws(QueueFileProblem) {
        runs.append(try KeptRun.decode(bytes))
        if keepsDocuments { documents.append(bytes) }
      } catch { unreadable.append((name, error)) }
    }
  }

  /// The names of the reports, the oldest first: they begin with the time.
  static func names(in folder: FilePlace, _ files: any FileSystem) throws(FileError) -> [String] {
    do throws(FileError) {
      return try files.list(folder).filter { $0.name.hasSuffix(".json") && $0.status.kind == .file }.map(\.name)
        .sorted()
    } catch {
      // No run has been here yet.
      guard error.isMissing else { throw error }
      return []
    }
  }
}
