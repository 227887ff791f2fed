// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// A cell of a table on a page.
enum HTMLCell {
  case text(String)
  /// Text that may be long.
  case long(String)
  case number(String)
  case time(Timestamp)
  /// Text about something that went wrong.
  case bad(String)
  /// A bar for a share from 0 to 1, and the words beside it.
  case bar(Double, String)

  fileprivate var isNumber: Bool { if case .number = self { true } else { false } }
}

extension HTMLWriter {
  /// The number of rows after which another table begins: a browser lays out only those tables that are in sight.
  private static let rowsOfTable = 100

  /// Writes a table that scrolls by itself where the window is too narrow for it; several of them for many rows.
  mutating func table(_ caption: String, _ columns: [String], _ rows: [[HTMLCell]]) {
    guard rows.count > Self.rowsOfTable else { return table(caption, columns, rows[...], isPart: false) }
    for start in stride(from: 0, to: rows.count, by: Self.rowsOfTable) {
      let part = rows[start..<min(start + Self.rowsOfTable, rows.count)]
      table("\(caption), \(start + 1) to \(part.endIndex) of \(rows.count)", columns, part, isPart: true)
    }
  }

  private mutating func table(
    _ caption: String, _ columns: [String], _ rows: ArraySlice<[HTMLCell]>, isPart: Bool
  ) {
    let attributes: KeyValuePairs = [
      "class": isPart ? "scroll part" : "scroll", "role": "group", "aria-label": caption, "tabindex": "0",
    ]
    element("div", attributes) { page in
      page.element("table") { page in
        page.element("caption") { $0.element("span", caption) }
        page.element("thead") { page in
          page.element("tr") { page in
            for (column, name) in columns.enumerated() {
              let isNumber = rows.first?[column].isNumber ?? false
              page.element("th", ["scope": "col", "class": isNumber ? "number" : "words"], name)
            }
          }
        }
        page.element("tbody") { page in
          for row in rows {
            page.element("tr") { page in for cell in row { page.write(cell) } }
            page.verbatim("\n")
          }
        }
      }
    }
  }

  private mutating func write(_ cell: HTMLCell) {
    switch cell {
    case .text(let text): element("td", ["dir": "auto"], text)
    case .long(let text): element("td", ["class": "long", "dir": "auto"], text)
    case .number(let text): element("td", ["class": "number"], text)
    case .time(let time):
      element("td", ["class": "time"]) { page in
        page.element("time", ["datetime": time.rfc3339], time.pageWords)
      }
    case .bad(let text): element("td", ["class": "bad", "dir": "auto"], text)
    case .bar(let share, let words):
      element("td", ["class": "bars"]) { page in
        page.element("span", ["class": "number"], words)
        page.element("svg", ["width": "100", "height": "10", "aria-hidden": "true"]) { page in
          page.element("rect", ["class": "rest", "width": "100", "height": "10"]) { _ in }
          page.element("rect", ["class": "bar", "width": (min(1, share) * 100).fixed(1), "height": "10"]) { _ in }
        }
      }
    }
  }
}

extension Timestamp {
  /// The time as a page shows it: `2026-11-26 06:00:00`.
  var pageWords: String {
    let text = rfc3339
    return text.hasSuffix("Z") ? String(text.dropLast().map { $0 == "T" ? " " : $0 }) : text
  }
}

/// The size of a library over its runs, a bar for each.
struct StorageChart {
  private let points: [(at: Timestamp, storage: StorageSummary)]
  private let most: ByteCount

  /// The heights in CSS pixels. Widths are percentages, so that the text keeps its size on a narrow screen.
  private static let (top, height) = (18.0, 130.0)

  /// Nil without a run that knew the size.
  init?(_ points: [(at: Timestamp, storage: StorageSummary)]) {
    guard !points.isEmpty else { return nil }
    self.points = points
    most = points.map { max($0.storage.used, $0.storage.budget ?? .zero) }.max() ?? .zero
  }

  func write(_ page: inout HTMLWriter) {
    guard most > .zero, let first = points.first, let last = points.last else { return }
    let span =
      points.count == 1
      ? "one run: \(last.storage.used.words)"
      : "\(points.count.counted("run")): \(first.storage.used.words) at first, \(last.storage.used.words) at last"
    let budget = last.storage.budget.map { ". The dashed line is the budget, \($0.words)" } ?? ""
    let words = "The size of the library at the end of \(span)\(budget)."
    page.element("figure") { page in
      page.element("figcaption", ["class": "soft"], words)
      let height = (Self.top + Self.height + 22).fixed(0)
      page.element("svg", ["width": "100%", "height": height, "role": "img", "aria-label": words]) { draw(&$0) }
    }
  }

  private func y(_ bytes: ByteCount) -> Double {
    Self.top + Self.height * (1 - Double(bytes.bytes) / Double(most.bytes))
  }

  private func draw(_ svg: inout HTMLWriter) {
    let bottom = Self.top + Self.height
    // A few runs are bars, not walls.
    let step = 100 / Double(max(points.count, 12))
    for (number, point) in points.enumerated() {
      let height = max(1, bottom - y(point.storage.used))
      svg.element(
        "rect",
        [
          "class": "bar", "x": "\((step * Double(number)).fixed(2))%", "width": "\((step * 0.8).fixed(2))%",
          "y": (bottom - height).fixed(1), "height": height.fixed(1),
        ]
      ) { $0.element("title", "\(point.at.pageWords): \(point.storage.used.words)") }
    }
    line(&svg, "axis", at: bottom)
    if let budget = points.last?.storage.budget { line(&svg, "limit", at: y(budget)) }
    text(&svg, most.words, x: "0", y: 12, "start")
    text(&svg, points.first?.at.dayWords ?? "", x: "0", y: bottom + 16, "start")
    let end = step * (Double(points.count) - 0.2)
    if end > 40 { text(&svg, points.last?.at.dayWords ?? "", x: "\(end.fixed(2))%", y: bottom + 16, "end") }
  }

  private func line(_ svg: inout HTMLWriter, _ name: String, at y: Double) {
    svg.element("line", ["class": name, "x1": "0", "x2": "100%", "y1": y.fixed(1), "y2": y.fixed(1)]) { _ in }
  }

  private func text(_ svg: inout HTMLWriter, _ text: String, x: String, y: Double, _ anchor: String) {
    svg.element("text", ["x": x, "y": y.fixed(0), "text-anchor": anchor], text)
  }
}

extension Timestamp {
  fileprivate var dayWords: String { String(pageWords.prefix(10)) }
}
