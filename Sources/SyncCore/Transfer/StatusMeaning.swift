// SPDX-License-Identifier: Apache-2.0

/// What a response's status means to a download (RFC 9110 §15, RFC 6585).
package enum StatusMeaning: CaseIterable, Sendable {
  /// The final answer is still to come.
  case interim
  case whole
  /// Counts only as the answer to the range that was asked for.
  case part
  /// Success, but not with the file.
  case unusable
  case redirect
  /// As the answer to a range: everything is here, or the file has changed.
  case unsatisfiable
  /// Passes by itself.
  case transient
  /// Passes by itself, when the server's `Retry-After` says.
  case pause
  /// Stays as it is until somebody does something.
  case final

  package init(_ status: Int) { self = Self.rows.first { $0.statuses.contains(status) }?.meaning ?? .final }

  /// A request may succeed later without anybody's help.
  package var isTransient: Bool { self == .transient || self == .pause }

  /// Every status once, in order.
  package static let rows: [(statuses: ClosedRange<Int>, meaning: StatusMeaning)] = [
    (100...199, .interim),
    (200...200, .whole),
    (201...205, .unusable),
    (206...206, .part),
    (207...299, .unusable),
    (300...300, .final),
    (301...303, .redirect),
    (304...304, .unusable),
    (305...306, .final),
    (307...308, .redirect),
    (309...407, .final),
    (408...408, .transient),
    (409...415, .final),
    (416...416, .unsatisfiable),
    (417...424, .final),
    (425...425, .transient),
    (426...428, .final),
    (429...429, .pause),
    (430...499, .final),
    (500...500, .transient),
    (501...501, .final),
    (502...502, .transient),
    (503...503, .pause),
    (504...504, .transient),
    (505...505, .final),
    (506...599, .transient),
    (600...999, .final),
  ]
}
