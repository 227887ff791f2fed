// SPDX-License-Identifier: Apache-2.0

/// The meaning of a response's status for a download (RFC 9110 §15, RFC 6585).
package enum StatusMeaning: CaseIterable, Sendable {
  /// The final response follows.
  case interim
  case whole
  /// Valid only as the response to the requested range.
  case part
  /// A success, but without the file.
  case unusable
  case redirect
  /// In response to a range: all bytes are present, or the file has changed.
  case unsatisfiable
  /// Goes away by itself.
  case transient
  /// Goes away by itself, at the time in the server's `Retry-After`.
  case pause
  /// Stays until somebody acts.
  case final

  package init(_ status: Int) { self = Self.rows.first { $0.statuses.contains(status) }?.meaning ?? .final }

  /// True if a request may succeed later without any action.
  package var isTransient: Bool { self == .transient || self == .pause }

  /// Every status exactly once, in order.
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
