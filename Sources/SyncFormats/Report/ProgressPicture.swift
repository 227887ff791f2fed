// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// What a terminal shows of a run that is going on: a line for each transfer and one for all of them.
package struct ProgressPicture: Sendable {
  private let progress: RunProgress
  private let time: Duration
  private let columns: Int
  private let rows: Int

  /// The narrowest terminal that is drawn for.
  private static let narrowest = 20
  private static let widestBar = 24
  private static let widestTitle = 48
  /// `1.91 MiB / 3.81 MiB`.
  private static let widestAmount = 19

  /// - Parameters:
  ///   - time: on the clock of `RunProgress.fold`.
  ///   - columns: of the terminal; no line takes them all, so that none wraps.
  ///   - rows: of the terminal.
  package init(_ progress: RunProgress, at time: Duration, columns: Int, rows: Int) {
    self.progress = progress
    self.time = time
    self.columns = columns
    self.rows = rows
  }

  /// Without any while nothing is on its way.
  package var lines: [String] {
    guard columns >= Self.narrowest, rows >= 2, !progress.transfers.isEmpty else { return [] }
    // The line below the last one is the cursor's.
    let room = max(0, rows - 2)
    let shown = progress.transfers.prefix(progress.transfers.count > room ? max(0, room - 1) : room)
    var lines = shown.map(line)
    let hidden = progress.transfers.count - shown.count
    if hidden > 0, room > 0 { lines.append("… and \(hidden) more".cut(toColumns: columns - 1)) }
    return lines + [total]
  }

  // MARK: A transfer

  private func line(_ transfer: RunProgress.Transfer) -> String {
    let numbers = numbers(transfer)
    let space = columns - 1
    let width = min(Self.widestTitle, max(8, (space - numbers.columns) / 2))
    let title = transfer.id.called(transfer.title).padded(toColumns: width)
    let bar = bar(transfer, space - width - numbers.columns - 2)
    return (title + " " + bar + numbers).cut(toColumns: space)
  }

  /// With the space behind it; nothing where there is no room for one or the size is unknown.
  private func bar(_ transfer: RunProgress.Transfer, _ space: Int) -> String {
    let width = min(Self.widestBar, space - 2)
    guard width >= 6 else { return "" }
    guard let share = transfer.share else { return String(repeating: " ", count: width + 3) }
    let full = Int(share * Double(width))
    return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: width - full) + "] "
  }

  private func numbers(_ transfer: RunProgress.Transfer) -> String {
    let percent = transfer.share.map { "\(Int($0 * 100))%" } ?? ""
    let amount = amount(transfer.received, of: transfer.total).padded(toColumns: Self.widestAmount)
    if let until = transfer.waitsUntil {
      let wait = max(.zero, until - time)
      return percent.padded(before: 4) + "  " + amount + "  again in \(wait.clockWords)"
    }
    let left = transfer.total.flatMap { total in
      transfer.estimator.timeLeft(for: total - transfer.received, at: time)
    }
    return percent.padded(before: 4) + "  " + amount + "  " + pace(transfer.estimator.rate(at: time), left)
  }

  // MARK: All of them

  private var total: String {
    var line = "Total \(progress.endedCount) of \(progress.itemCount.counted("item"))  "
    line += amount(progress.received, of: progress.total) + "  "
    line += pace(progress.estimator?.rate(at: time), progress.timeLeft(at: time))
    return line.cut(toColumns: columns - 1)
  }

  // MARK: Words

  /// As wide at every moment as at any other, so that lines stand still.
  private func amount(_ received: ByteCount, of total: ByteCount?) -> String {
    received.words.padded(before: 8) + (total.map { " / " + $0.words.padded(before: 8) } ?? "")
  }

  private func pace(_ rate: Double?, _ left: Duration?) -> String {
    let speed = rate.map { ByteCount(Int64(min($0, 1e18))).words + "/s" } ?? "--/s"
    let time = left.map(\.clockWords) ?? "--:--"
    return speed.padded(before: 10) + "  " + time.padded(before: 7)
  }
}

extension RunProgress.Transfer {
  /// From 0 to 1; nil while the size is unknown.
  fileprivate var share: Double? {
    guard let total, total > .zero else { return nil }
    return min(1, Double(received.bytes) / Double(total.bytes))
  }
}
