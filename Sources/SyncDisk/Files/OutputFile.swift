// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore
import SyncFormats

/// A file that a person asked for by its path.
package struct OutputFile: Sendable {
  private let path: String
  private let output: FileError.Output?
  private let protected: ProtectedFiles
  private let files: any FileSystem

  private static let limit = ByteCount(64 << 20)

  /// - Parameter output: the kind of the file, which replaces only a file of the same kind; nil for a report, which is
  ///   checked by its contents.
  package init(
    _ path: String, of output: FileError.Output?, besides protected: ProtectedFiles,
    _ files: any FileSystem = POSIXFileSystem()
  ) {
    self.path = path
    self.output = output
    self.protected = protected
    self.files = files
  }

  /// Refuses a path that belongs to something else, before there is anything to write.
  package func check() throws(FileError) {
    if let conflict = protected.conflict(at: path) { throw FileError(.write, path, conflict.cause) }
    if let output { try checkContents(output) }
  }

  /// Only an earlier file of the same kind, or an empty or missing one, is overwritten; also through a link, since a
  /// reader follows it.
  private func checkContents(_ output: FileError.Output) throws(FileError) {
    var facts = stat()
    // A reason why the file cannot be created is reported when it is created.
    guard stat(path, &facts) == 0 else { return }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      guard output == .events, facts.st_mode & S_IFMT != S_IFDIR else { throw FileError(.write, path, .notAFile) }
      return
    }
    guard facts.st_size > 0 else { return }
    let head = try InputFile(path).beginning(256).filter { !" \t\r\n".utf8.contains($0) }
    guard output.beginnings.contains(where: { head.starts(with: $0.utf8) }) else {
      throw FileError(.write, path, .otherContents(than: output))
    }
  }

  /// Writes the file completely or not at all, in place of a plain file or a missing one. Only its owner can read it:
  /// URLs in it may carry tokens.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    try check()
    try replace(bytes, mode: .privateFile, makingFolder: nil)
  }

  /// Writes a report to the path that the manifest gives, which may be in the library, replacing an older one.
  package func write(_ report: [UInt8], as copy: ReportCopy) throws(FileError) {
    switch protected.conflict(at: path, writing: copy.key) {
    case nil: break
    case .library?: try checkReport(copy.beginning)
    case let conflict?: throw FileError(.write, path, conflict.cause)
    }
    try replace(report, mode: .sharedFile, makingFolder: .sharedFolder)
  }

  /// Reads such a file. Returns nil if there is none, or another file in its place.
  package func read(as copy: ReportCopy) throws(FileError) -> [UInt8]? {
    do throws(FileError) {
      let bytes = try files.read(try place(makingFolder: nil), limit: Self.limit)
      return bytes.flatMap { $0.starts(with: copy.beginning.utf8) ? $0 : nil }
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }

  private func replace(_ bytes: [UInt8], mode: FileMode, makingFolder folderMode: FileMode?) throws(FileError) {
    let place = try place(makingFolder: folderMode)
    if let status = try files.status(of: place), status.kind != .file { throw FileError(.write, path, .notAFile) }
    try files.replace(place, bytes, mode: mode)
  }

  private func place(makingFolder mode: FileMode?) throws(FileError) -> FilePlace {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let root = try files.openRoot(folder, making: mode)
    guard let place = FilePlace(root).child(slash.map { path[path.index(after: $0)...] } ?? path[...]) else {
      throw FileError(.write, path, .notAFile)
    }
    return place
  }

  /// Any other file in the library is somebody's media or playlist.
  private func checkReport(_ beginning: String) throws(FileError) {
    let place = try place(makingFolder: .sharedFolder)
    guard let status = try files.status(of: place) else { return }
    guard status.kind == .file else { throw FileError(.write, path, .notAFile) }
    let head = UnsafeMutableRawBufferPointer.allocate(byteCount: beginning.utf8.count, alignment: 1)
    defer { head.deallocate() }
    let file = try files.open(place, for: .reading)
    let count = try file.read(into: head, at: 0)
    try file.close()
    guard head[..<count].elementsEqual(beginning.utf8) else { throw FileError(.write, path, .inLibrary) }
  }
}

/// A report that the manifest wants at a path of its own.
package enum ReportCopy: CaseIterable, Sendable {
  case json, html, metrics

  /// The key in the manifest.
  package var key: String {
    switch self {
    case .json: "report.json"
    case .html: "report.html"
    case .metrics: "report.metrics"
    }
  }

  fileprivate var beginning: String {
    switch self {
    case .json: RunReport.beginning
    case .html: ReportPage.beginning
    case .metrics: MetricsText.beginning
    }
  }
}

extension FileError.Output {
  private static let xmlHead = "<?xmlversion=\"1.0\"encoding=\"UTF-8\"?>"

  /// The possible beginnings of such a file, without blanks.
  fileprivate var beginnings: [String] {
    switch self {
    case .plan: ["{\"format\":\"\(Plan.format)\""]
    case .export: ["{\"format\":\"\(StateExport.format)\""]
    case .events: ["{\"event\":"]
    case .opml: ["\(Self.xmlHead)<opmlversion="]
    case .m3u8: ["#EXTM3U"]
    case .xspf: ["\(Self.xmlHead)<playlistversion="]
    case .jspf: ["{\"playlist\":"]
    case .csv: [ItemTable.beginning]
    case .page: [ReportPage.beginning.filter { !$0.isWhitespace }]
    case .reports: [KeptRun.beginning]
    }
  }
}

extension ProtectedFiles.Conflict {
  fileprivate var cause: FileError.Cause {
    switch self {
    case .manifest: .isManifest
    case .named(let key): .namedByManifest(key: key)
    case .memory: .ownFolder
    case .library: .inLibrary
    }
  }
}
