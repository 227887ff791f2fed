// SPDX-License-Identifier: Apache-2.0
package import SyncCore

extension Verification {
  /// One JSON object on one line.
  package func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-verify")
      writer.field("version", 1)
      writer.field("deep", isDeep)
      writer.field("exit_status", Int(status.rawValue))
      writer.field("files", checkedFiles)
      writer.field("bytes", checkedBytes.bytes)
      writer.field("well", checkedFiles - lines.count)
      if isRecordDamaged { writer.field("record_damaged", true) }
      writer.field("missing", lines.count { $0.finding == .missing })
      writer.field("moved_by_hand", lines.count(where: \.finding.isElsewhere))
      writer.field("retagged", lines.count(where: \.finding.isRetagged))
      writer.field("damaged", lines.count(where: \.finding.isDamage))
      writer.field("foreign", lines.count { $0.finding == .foreign })
      writer.field("repaired", lines.count(where: \.isRepaired))
      writer.array("findings") { writer in for line in lines { writer.write(line) } }
    }
    writer.endLine()
    return writer.bytes
  }

  /// For people; ends with a newline.
  package func text(style: TextStyle) -> String { style.text { textLines(style) } }

  private func textLines(_ style: TextStyle) -> [String] {
    var rows = TextRows(style)
    for line in lines {
      rows.add(
        TextRow(
          sign: "!", tone: line.isRepaired || line.finding.isRetagged ? .notable : .bad,
          subject: line.file.path.text.printable,
          bytes: line.file.size, note: line.words))
    }
    let how = isDeep ? "read and compared" : "checked"
    let head = "\(checkedFiles.counted("file")) (\(checkedBytes.words)) \(how): "
    return rows.lines + [head + (lines.isEmpty ? verdict : counts) + hint(style.invocation)]
  }

  private var verdict: String {
    isRecordDamaged
      ? "each is as it was recorded, but the state itself is damaged; a run restores it" : "all OK"
  }

  private var counts: String {
    joinedCounts([
      (checkedFiles - lines.count, "OK"), (lines.count { $0.finding == .missing }, "missing"),
      (lines.count(where: \.finding.isElsewhere), "moved by hand"),
      (lines.count(where: \.finding.isRetagged), "with changed tags"),
      (lines.count(where: \.isOnlyChanged), "changed"),
      (lines.count { $0.finding.isDamage && !$0.isOnlyChanged }, "damaged"),
      (lines.count { [.foreign, .ofAnotherItem].contains($0.finding) }, "replaced by something else"),
      (lines.count { $0.finding == .closed }, "that do not open"),
      (lines.count { if case .unreadable = $0.finding { true } else { false } }, "unreadable"),
      (lines.count { $0.isRepaired && !$0.finding.isElsewhere && !$0.finding.isRetagged }, "queued again"),
    ])
  }

  private func hint(_ invocation: Invocation) -> String {
    guard lines.contains(where: \.wantsFetching) else { return "" }
    return "; have them fetched again with: \(invocation.command("verify")) --repair\(isDeep ? " --deep" : "")"
  }
}

extension Verification.Line {
  /// True if `--repair` would have the item fetched again.
  fileprivate var wantsFetching: Bool {
    finding.isRepairable && !finding.isElsewhere && !finding.isRetagged && !isRepaired && !isUnnamed
  }

  /// True for a file of another size whose audio is not recorded. It may be damaged, or have other tags.
  fileprivate var isOnlyChanged: Bool {
    if case .wrongSize = finding { file.tagged?.mediaSHA256 == nil } else { false }
  }

  fileprivate var words: String {
    let what: String =
      switch finding {
      case .elsewhere(let path):
        "moved by hand: it is at \(path.text.quoted); "
          + (isRepaired
            ? "recorded there; the next run moves it to its place"
            : isHidden
              ? "a file of the same size is in its place, so no run notices it: record it with --repair"
              : "the next run moves it to its place")
      case .retagged:
        "its tags were changed, and its audio is as it was stored; "
          + (isRepaired ? "recorded" : "nothing has to be done")
      case .missing: "missing"
      case .wrongSize(let size) where isOnlyChanged:
        "changed: it has \(size.bytes) bytes instead of \(file.size.bytes)"
      case .wrongSize(let size): "damaged: it has \(size.bytes) bytes instead of \(file.size.bytes)"
      case .wrongContent: "damaged: its contents have changed"
      case .foreign: "a folder, a link or a hard link is in its place; it is left alone"
      case .ofAnotherItem:
        "the file of another item is in its place; it is left alone: repair all playlists together, without --playlist"
      case .closed: "sealed, and does not open with the keys of the library as the file of this item"
      case .unreadable(let failure): "unreadable: \(failure.words)"
      }
    if isUnnamed {
      return what + "; it stays as it is: nothing names it any more, so that it would not be fetched again"
    }
    guard isRepaired, !finding.isElsewhere, !finding.isRetagged else { return what }
    return what + (finding == .missing ? "; queued again" : "; moved to the trash and queued again")
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ line: Verification.Line) {
    object { writer in
      writer.field("id", line.id.text)
      writer.field("path", line.file.path.text)
      writer.field("finding", line.finding.name)
      writer.field("bytes", line.file.size.bytes)
      if case .wrongSize(let size) = line.finding { writer.field("found_bytes", size.bytes) }
      if case .retagged(let file) = line.finding { writer.field("found_bytes", file.size.bytes) }
      if case .elsewhere(let path) = line.finding { writer.field("found_at", path.text) }
      if case .unreadable(let failure) = line.finding { writer.field("message", failure.words) }
      writer.field("repaired", line.isRepaired)
      if line.isUnnamed { writer.field("unnamed", true) }
    }
  }
}

extension Verification.Finding {
  fileprivate var name: String {
    switch self {
    case .missing: "missing"
    case .elsewhere: "moved_by_hand"
    case .retagged: "retagged"
    case .wrongSize: "wrong_size"
    case .wrongContent: "wrong_content"
    case .foreign: "foreign"
    case .ofAnotherItem: "of_another_item"
    case .closed: "closed"
    case .unreadable: "unreadable"
    }
  }
}

extension CheckingProgress {
  /// One line for a terminal.
  /// - Parameter span: the time since the beginning.
  package func words(after span: Duration) -> String {
    let seconds = span.inSeconds
    let rate = seconds >= 1 ? ", \(ByteCount(Int64(Double(bytes.bytes) / seconds)).words)/s" : ""
    return "checked \(files) of \(allFiles.counted("file")), \(bytes.words) of \(allBytes.words)\(rate)"
  }
}
