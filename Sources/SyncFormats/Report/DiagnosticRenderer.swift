// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Shows findings with the lines that they concern:
///
///     car.yaml:7:18: error: "downloads.concurrency" must be a whole number, but is "many"
///       concurrency: many
///                    ^~~~
package struct DiagnosticRenderer: Sendable {
  /// The number of findings of one manifest that are shown; the rest is counted.
  private static let limit = 50

  private let file: String
  private let source: [UInt8]
  /// The start of each line, so that many findings do not search for them again and again.
  private let lineStarts: [Int]

  /// - Parameter file: the manifest's name as the user gave it.
  package init(file: String, source: [UInt8]) {
    self.file = file
    self.source = source
    lineStarts = Self.lineStarts(in: source)
  }

  /// All findings, each with a line end. If there are very many, only the first are shown, errors before warnings,
  /// followed by the number of the others.
  package func render(_ findings: [Finding]) -> String {
    let errors = findings.filter { $0.severity == .error }
    let isLong = findings.count > Self.limit
    let shown = isLong ? (errors + findings.filter { $0.severity != .error }).prefix(Self.limit) : findings[...]
    var text = inOrder(shown).map { render($0) + "\n" }.joined()
    if isLong { text += "\(visibleFile): " + ManifestWords.unshown(findings.count - shown.count) + "\n" }
    return text
  }

  /// A line of the log for each finding.
  package func logLines(_ findings: [Finding]) -> [LogLine] {
    inOrder(findings[...]).map { finding in
      let level: LogLevel = finding.severity == .error ? .error : finding.severity == .warning ? .warning : .info
      return LogLine(
        level, sentence(finding, picture(finding)), file: visibleFile, line: finding.mark.line,
        column: finding.mark.column)
    }
  }

  /// The findings sorted by place; those of one place in the order in which they were found.
  private func inOrder(_ findings: ArraySlice<Finding>) -> [Finding] {
    findings.enumerated().sorted { ($0.element.mark, $0.offset) < ($1.element.mark, $1.offset) }.map(\.element)
  }

  private var visibleFile: String { file.unicodeScalars.map { VisibleScalar.text(of: $0) }.joined() }

  /// Three lines without a line end after the last; only the first when the place is not in the text.
  package func render(_ finding: Finding) -> String {
    let mark = finding.mark
    let picture = picture(finding)
    let sentence = sentence(finding, picture)
    let headline = "\(visibleFile):\(mark.line):\(mark.column): \(finding.severity.rawValue): \(sentence)"
    guard let picture, !picture.isBlank else { return headline }
    return "\(headline)\n\(picture.text)\n\(picture.caret)"
  }

  private func picture(_ finding: Finding) -> SourceLine? {
    let mark = finding.mark
    return line(mark.line).map {
      SourceLine(
        $0, from: mark.column, length: mark.length, hidesRest: finding.hidesValue, in: section(around: finding))
    }
  }

  private func sentence(_ finding: Finding, _ picture: SourceLine?) -> String {
    ManifestWords.sentence(picture?.hidesPlace ?? false ? finding.fact.withoutValue : finding.fact)
  }

  private func section(around finding: Finding) -> CredentialSection? {
    let number = finding.mark.line
    if let section = CredentialSection.around(number - 1, line: { line($0 + 1) ?? [] }) { return section }
    guard finding.isAmongCredentials, let line = line(number), !CredentialSection.begins(in: line) else { return nil }
    return CredentialSection(parent: nil)
  }

  private func line(_ number: Int) -> ArraySlice<UInt8>? {
    guard lineStarts.indices.contains(number - 1) else { return nil }
    let end = number < lineStarts.count ? lineStarts[number] : source.count
    let line = source[lineStarts[number - 1]..<end]
    return line.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
  }

  /// A line ends with LF, CR or both; a byte order mark is not part of the first line.
  private static func lineStarts(in source: [UInt8]) -> [Int] {
    var starts = [source.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    source.withUnsafeBufferPointer { bytes in
      for position in bytes.indices where bytes[position] == UInt8(ascii: "\n") || bytes[position] == UInt8(ascii: "\r")
      {
        let next = position + 1
        let isSplit = bytes[position] == UInt8(ascii: "\r") && next < bytes.count && bytes[next] == UInt8(ascii: "\n")
        if !isSplit { starts.append(next) }
      }
    }
    return starts
  }
}
