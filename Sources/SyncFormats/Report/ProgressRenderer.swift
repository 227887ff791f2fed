// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The progress of a run on a terminal: a line for each transfer and one for all of them.
package struct ProgressRenderer: Sendable {
  private let progress: RunProgress
  private let time: Duration
  private let columns: Int
  private let rows: Int

  /// The width below which nothing is drawn.
  private static let narrowest = 20
  private static let widestBar = 24
  private static let widestTitle = 48
  private static let narrowestTitle = 8
  /// The width of `1.91 MiB / 3.81 MiB`.
  private static let widestAmount = 19

  /// - Parameters:
  ///   - time: A time on the clock of `RunProgress.fold`.
  ///   - columns: The width of the terminal. Every line is narrower, so that none wraps.
  ///   - rows: The height of the terminal.
  package init(_ progress: RunProgress, at time: Duration, columns: Int, rows: Int) {
    self.progress = progress
    self.time = time
    self.columns = columns
    self.rows = rows
  }

  /// Empty while there is neither a transfer nor work that takes its time.
  package var lines: [String] {
    guard columns >= Self.narrowest, rows >= 2 else { return [] }
    guard !progress.transfers.isEmpty else { return work.map { [$0] } ?? [] }
    // The line below the last one is for the cursor.
    let room = max(0, rows - 2)
    let shown = progress.transfers.prefix(progress.transfers.count > room ? max(0, room - 1) : room)
    var lines = shown.map(line)
    let hidden = progress.transfers.count - shown.count
    if hidden > 0, room > 0 { lines.append("… and \(hidden) more".cut(toColumns: columns - 1)) }
    return lines + [total]
  }

  // MARK: Other work

  /// The time after which work is worth a line.
  private static let patience = Duration.milliseconds(400)

  private var work: String? {
    guard let (state, since) = progress.work, time - since >= Self.patience, state.all > 0 else { return nil }
    let share = Double(state.done) / Double(state.all)
    let left = state.done > 0 ? (time - since) * (Double(state.all - state.done) / Double(state.done)) : nil
    let count = "\(state.done) of \(state.all.counted(state.kind.noun))"
    let bar = TextBar(share, width: Self.widestBar).words
    return Self.first(
      [
        ["\(state.kind.words) \(bar)\(count)", timeWords(left)], ["\(state.kind.words) \(count)", timeWords(left)],
        [count, timeWords(left)], [count],
      ], in: columns - 1
    ).cut(toColumns: columns - 1)
  }

  // MARK: A transfer

  private func line(_ transfer: RunProgress.Transfer) -> String {
    let space = columns - 1
    let numbers = numbers(transfer, in: space - Self.narrowestTitle - 1)
    let width = min(Self.widestTitle, max(Self.narrowestTitle, (space - numbers.columns) / 2))
    let title = transfer.id.called(transfer.title).padded(toColumns: width)
    let bar = bar(transfer, space - width - numbers.columns - 2)
    return (title + " " + bar + numbers).cut(toColumns: space)
  }

  /// The bar and the space after it. Empty if there is no room for one or the size is unknown.
  private func bar(_ transfer: RunProgress.Transfer, _ space: Int) -> String {
    let width = min(Self.widestBar, space - 2)
    guard width >= 6 else { return "" }
    guard let share = transfer.share else { return String(repeating: " ", count: width + 3) }
    return TextBar(share, width: width).words
  }

  /// The columns that fit: the total is dropped first, then the rate, then the bytes received, then the time left.
  private func numbers(_ transfer: RunProgress.Transfer, in space: Int) -> String {
    let percent = (transfer.share.map { "\(Int($0 * 100))%" } ?? "").padded(before: 4)
    let received = transfer.received.words.padded(before: 8)
    let amount = amount(transfer.received, of: transfer.total).padded(toColumns: Self.widestAmount)
    if let until = transfer.waitsUntil {
      let wait = "again in \(max(.zero, until - time).clockWords)"
      return Self.first([[percent, amount, wait], [percent, received, wait], [percent, wait], [wait]], in: space)
    }
    let left = transfer.total.flatMap { total in
      transfer.estimator.timeLeft(for: total - transfer.received, at: time)
    }
    let (rate, rest) = (rateWords(transfer.estimator.rate(at: time)), timeWords(left))
    return Self.first(
      [
        [percent, amount, rate, rest], [percent, received, rate, rest], [percent, received, rest], [percent, rest],
        [percent],
      ],
      in: space)
  }

  /// The first of several rows of columns that fits, otherwise the last one.
  private static func first(_ rows: [[String]], in space: Int) -> String {
    let lines = rows.map { $0.joined(separator: "  ") }
    return lines.first { $0.columns <= space } ?? lines.last ?? ""
  }

  // MARK: All transfers

  private var total: String {
    let space = columns - 1
    let count = "\(progress.endedCount) of \(progress.itemCount.counted("item"))"
    let amount = amount(progress.received, of: progress.total)
    let (rate, left) = (rateWords(progress.estimator?.rate(at: time)), timeWords(progress.timeLeft(at: time)))
    return Self.first(
      [
        ["Total \(count)", amount, rate, left],
        ["Total \(count)", progress.received.words.padded(before: 8), rate, left],
        [count, rate, left], [count, left], [count],
      ], in: space
    ).cut(toColumns: space)
  }

  // MARK: Words

  /// The amount in a constant width, so that lines do not move.
  private func amount(_ received: ByteCount, of total: ByteCount?) -> String {
    received.words.padded(before: 8) + (total.map { " / " + $0.words.padded(before: 8) } ?? "")
  }

  private func rateWords(_ rate: Double?) -> String {
    (rate.map { ByteCount(Int64(min($0, 1e18))).words + "/s" } ?? "--/s").padded(before: 10)
  }

  private func timeWords(_ left: Duration?) -> String { (left.map(\.clockWords) ?? "--:--").padded(before: 7) }
}

extension RunProgress.Transfer {
  /// The share from 0 to 1. Nil while the size is unknown.
  fileprivate var share: Double? {
    guard let total, total > .zero else { return nil }
    return min(1, Double(received.bytes) / Double(total.bytes))
  }
}

/// The lines at the bottom of a terminal, and the control sequences that replace them (ECMA-48).
package struct ProgressBlock: Sendable {
  private var shown: [String] = []

  private static let escape = "\u{1B}["
  /// DECAWM: a line that the terminal considers wider than it is must not wrap.
  private static let withoutWrapping = escape + "?7l"
  private static let withWrapping = escape + "?7h"
  private static let eraseToEndOfLine = escape + "K"
  private static let eraseBelow = escape + "J"

  package init() {}

  /// The text to write so that the terminal shows `lines`, with `said` above them; empty if it shows them already.
  /// - Parameter columns: the present width of the terminal: lines drawn for a wider one have wrapped since.
  package mutating func update(to lines: [String], below said: [String], columns: Int) -> String {
    guard lines != shown || !said.isEmpty else { return "" }
    var text = home(columns: columns)
    // A line that is said may take several rows: they are all cleared first.
    if !said.isEmpty { text += Self.eraseBelow }
    for line in said { text += line + "\n" }
    if !lines.isEmpty {
      text += Self.withoutWrapping
      text += lines.map { $0 + Self.eraseToEndOfLine }.joined(separator: "\n")
    }
    // Nothing needs to be erased below the last line.
    let hasRowsBelow = lines.isEmpty || rowsOnScreen(shown, columns: columns) > lines.count
    if hasRowsBelow, said.isEmpty { text += Self.eraseBelow }
    // Back to the first column: a `^C` that the terminal echoes at the end of a full line would begin another one.
    if !lines.isEmpty { text += "\r" + Self.withWrapping }
    shown = lines
    return text
  }

  /// Moves to the first column of the first line: the cursor is in the last one.
  private func home(columns: Int) -> String {
    guard !shown.isEmpty else { return "" }
    let above = rowsOnScreen(shown.dropLast(), columns: columns)
    return "\r" + (above > 0 ? "\(Self.escape)\(above)A" : "")
  }

  private func rowsOnScreen(_ lines: some Sequence<String>, columns: Int) -> Int {
    lines.reduce(0) { $0 + max(1, ($1.columns + columns - 1) / max(1, columns)) }
  }
}

extension RunWork.Kind {
  fileprivate var words: String {
    switch self {
    case .readingSources: "Reading"
    case .readingFiles: "Examining"
    case .importingFiles: "Importing"
    case .callingHooks: "Hooks"
    }
  }

  fileprivate var noun: String {
    switch self {
    case .readingSources: "source"
    case .readingFiles, .importingFiles: "file"
    case .callingHooks: "call"
    }
  }
}
