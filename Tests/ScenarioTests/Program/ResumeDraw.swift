// SPDX-License-Identifier: Apache-2.0

import SyncTestSupport

/// One case of the lottery: a file that a server cuts, a change of the file, and the server's second response.
struct ResumeDraw: Sendable {
  /// The validator that the server sends.
  enum Validator: CaseIterable, Sendable { case strong, weak, malformed, oldDate, freshDate, both, none }

  /// The change of the file between the two runs.
  enum Change: CaseIterable, Sendable {
    case none, sameLength, otherLength, appended, inOverlap, afterCut, beforeOverlap, around
  }

  /// The deviation of the second response.
  enum Trick: CaseIterable, Sendable {
    case honest, ignored, fromZero, shifted, unlabelled, multipart, otherStart, otherTotal, noTotal
    case unsatisfiable, unsatisfiableAtCut, unsatisfiableBare, encoded, ifRangeIgnored, validatorsLeftOut, moved
    case brokenAgain, chunked, chunkedCut, untilClose, otherLength, serverError
  }

  /// The version of the file whose checksum is in the manifest.
  enum Checksum: CaseIterable, Sendable { case none, old, new }

  let validator: Validator
  private(set) var change: Change
  let trick: Trick
  let checksum: Checksum
  let old: [UInt8]
  private(set) var new: [UInt8]
  let cut: Int
  let isReset: Bool
  let isChunked: Bool
  /// True if the validator stays although the bytes change.
  private(set) var isLying: Bool
  /// A number for the second response.
  let number: Int

  init(_ chance: inout SplitMix64, _ pool: AudioPool) {
    validator = Self.any(Validator.allCases, &chance)
    trick = chance.next() % 3 == 0 ? .honest : Self.any(Trick.allCases, &chance)
    checksum = chance.next() % 4 == 0 ? Self.any(Checksum.allCases, &chance) : .none
    let size = Int.random(
      in: Self.any([600...8000, 8000...150_000, 8000...150_000, 150_000...400_000], &chance), using: &chance)
    old = pool.file(size, &chance)
    let anywhere = Int.random(in: 0...size, using: &chance)
    cut = Self.any([0, 1, size / 2, size - 1, size] + [Int](repeating: anywhere, count: 15), &chance)
    isReset = chance.next() % 5 == 0
    isChunked = chance.next() % 4 == 0
    number = Int.random(in: 0...size, using: &chance)
    change = Self.any(Change.allCases + [.none, .none], &chance)
    isLying = !isReset && chance.next() % 3 == 0
    new = old
    new = changed(&chance, pool)
    guard !isProvable else { return }
    // No program could tell these versions apart: the case is changed to one that can be told.
    isLying = false
    guard !isProvable else { return }
    (change, new) = (.none, old)
  }

  private static func any<Element>(_ elements: [Element], _ chance: inout SplitMix64) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &chance)]
  }

  /// The position before which nothing is compared.
  private var overlap: Int { cut - min(65_536, cut / 2) }

  private func changed(_ chance: inout SplitMix64, _ pool: AudioPool) -> [UInt8] {
    let other = pool.file(old.count, &chance)
    switch change {
    case .none: return old
    case .sameLength: return other
    case .otherLength: return pool.file(Int.random(in: 600...400_000, using: &chance), &chance)
    case .appended: return old + other[(old.count / 2)...]
    case .inOverlap:
      var bytes = Array(old[..<cut] + other[cut...])
      if overlap < cut { bytes[Int.random(in: overlap..<cut, using: &chance)] ^= 0xFF }
      return bytes
    case .afterCut: return Array(old[..<cut] + other[cut...])
    case .beforeOverlap: return Array(other[..<overlap] + old[overlap...])
    case .around: return Array(other[..<overlap] + old[overlap..<cut] + other[cut...])
    }
  }

  /// True if a program can tell that old and new bytes must not be combined: because the server says so, by a checksum,
  /// by the bytes that come again, or because the result is correct anyway.
  private var isProvable: Bool {
    if checksum != .none { return true }
    let says =
      !isLying && [.strong, .oldDate, .both].contains(validator) && ![.validatorsLeftOut, .moved].contains(trick)
    let shift = trick == .shifted ? overlap : 0
    if says, shift == 0 || new != old { return true }
    guard overlap - shift <= new.count else { return true }
    let coming = new[(overlap - shift)...]
    if Array(old[overlap..<cut]) != Array(coming.prefix(cut - overlap)) { return true }
    let together = Array(old[..<cut] + coming.dropFirst(cut - overlap)).prefix(new.count)
    return Array(together) == old || Array(together) == new
  }

  var isChanged: Bool { new != old }
}

extension ResumeDraw: CustomStringConvertible {
  var description: String {
    "\(validator), \(old.count) bytes cut at \(cut)\(isReset ? " by a reset" : "")\(isChunked ? ", chunked" : ""), "
      + "change \(change)\(isLying ? " unsaid" : "") to \(new.count) bytes, \(trick) \(number), checksum \(checksum)"
  }
}

/// Bytes to cut files from, made once.
struct AudioPool: Sendable {
  private let bytes: [UInt8]

  init(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var bytes: [UInt8] = []
    for _ in 0..<(1 << 17) { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
    self.bytes = bytes
  }

  /// A file that begins like an MP3 and differs from every other.
  func file(_ size: Int, _ chance: inout SplitMix64) -> [UInt8] {
    let seed = chance.next()
    let head = GeneratedAudio(title: "\(seed)", seconds: 0.03, seed: seed).bytes.prefix(size)
    let start = Int(chance.next() % UInt64(bytes.count - size))
    return Array(head + bytes[start..<start + size - head.count])
  }
}
