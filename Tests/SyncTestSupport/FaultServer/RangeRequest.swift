// SPDX-License-Identifier: Apache-2.0

/// The part of a body that a `Range` header requests (RFC 9110 §14).
enum RangeRequest: Equatable {
  /// No header, or one that is malformed or has several ranges: the whole body is the response.
  case whole
  case part(Range<Int>)
  case unsatisfiable

  init(_ header: String?, total: Int) {
    self = .whole
    guard let header, header.lowercased().hasPrefix("bytes=") else { return }
    let ends = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else { return }
    if ends[0].isEmpty, let suffix = Int(ends[1]) {
      self = suffix == 0 || total == 0 ? .unsatisfiable : .part(max(0, total - suffix)..<total)
    } else if let first = Int(ends[0]) {
      let last = ends[1].isEmpty ? Int.max : Int(ends[1])
      guard let last, last >= first else { return }
      self = first >= total ? .unsatisfiable : .part(first..<min(last, total - 1) + 1)
    }
  }
}

/// The conditions of a request for a resource (RFC 9110 §13).
struct Conditions {
  let headers: [HTTPHeader]

  /// True when `304 Not Modified` is the response. `If-None-Match` compares weakly and overrides `If-Modified-Since`.
  func notModified(_ resource: Resource) -> Bool {
    if let tags = headers["If-None-Match"] {
      guard let etag = resource.etag else { return false }
      return tags == "*" || tags.split(separator: ",").contains { opaque($0) == opaque(etag[...]) }
    }
    return headers["If-Modified-Since"].map { $0 == resource.lastModified } ?? false
  }

  /// False when `If-Range` names another entity or has only a weak validator.
  func rangeApplies(to resource: Resource) -> Bool {
    guard let validator = headers["If-Range"] else { return true }
    if validator.hasPrefix("\"") { return validator == resource.etag }
    return !validator.hasPrefix("W/") && validator == resource.lastModified
  }

  /// An entity tag without its weakness marker and the space around it.
  private func opaque(_ tag: Substring) -> Substring {
    let tag = tag.drop { $0 == " " }
    let end = tag.lastIndex(of: "\"").map { tag.index(after: $0) } ?? tag.endIndex
    let trimmed = tag[..<end]
    return trimmed.hasPrefix("W/") ? trimmed.dropFirst(2) : trimmed
  }
}
