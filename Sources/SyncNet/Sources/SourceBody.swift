// SPDX-License-Identifier: Apache-2.0
import Gzip
import SyncCore

/// The body of a source's response on its way to the intake. A body that begins as gzip is unpacked here, whatever the
/// response says about it: some servers send a stored `.gz` file without a word. libcurl accepts a gzip stream that is
/// cut within its check and refuses one of several members, so it does not get to decode gzip
/// (docs/decisions/0050-unpack-gzip-here.md).
final class SourceBody {
  private enum State {
    /// Too short to tell.
    case undecided([UInt8])
    case plain
    case packed(GzipDecoder)
  }

  private let intake: any SourceIntake
  private var state = State.undecided([])

  init(into intake: any SourceIntake) { self.intake = intake }

  /// True for a response whose body has to arrive as it is sent.
  static func isGzip(_ coding: String?) -> Bool { ["gzip", "x-gzip"].contains(coding?.lowercased() ?? "") }

  func take(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    switch state {
    case .undecided(let before):
      let known = before + Array(bytes)
      guard known.count >= GzipDecoder.signature.count else {
        state = .undecided(known)
        return
      }
      try begin(known)
    case .plain: try intake.take(Array(bytes))
    case .packed(let decoder): try unpack(bytes, decoder)
    }
  }

  /// Called at the end of a response that arrived whole.
  func finish() throws(Failure) {
    switch state {
    case .undecided(let bytes): if !bytes.isEmpty { try intake.take(bytes) }
    case .plain: break
    case .packed(let decoder): if !decoder.isWhole { throw .compressedBodyCut }
    }
  }

  private func begin(_ known: [UInt8]) throws(Failure) {
    guard known.starts(with: GzipDecoder.signature), let decoder = GzipDecoder() else {
      state = .plain
      return try intake.take(known)
    }
    state = .packed(decoder)
    var failure: Failure?
    known.withUnsafeBytes { bytes in
      do throws(Failure) { try unpack(bytes, decoder) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func unpack(_ bytes: UnsafeRawBufferPointer, _ decoder: GzipDecoder) throws(Failure) {
    var failure: Failure?
    let progress = decoder.decode(bytes) { piece in
      do throws(Failure) { try intake.take(Array(piece)) } catch { failure = error }
      return failure == nil
    }
    if let failure { throw failure }
    if progress == .damaged { throw .compressedBodyDamaged }
  }
}

/// The charset parameter of a `Content-Type` (RFC 9110 §8.3.2).
struct ContentCharset {
  /// Lower case; only letters, digits and the characters `-_:.+`.
  let name: String

  private static let maximumLength = 40

  /// - Returns: nil without such a parameter, and for a text that cannot be the name of an encoding.
  init?(contentType: String) {
    for parameter in contentType.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingSpaces.lowercased() }
      guard parts.count == 2, parts[0] == "charset" else { continue }
      let name = parts[1].filter { $0 != "\"" && $0 != "'" }
      let isName = name.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "-_:.+".utf8.contains(byte)
      }
      guard isName, (1...Self.maximumLength).contains(name.utf8.count) else { return nil }
      self.name = name
      return
    }
    return nil
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    var rest = drop { $0 == " " || $0 == "\t" }
    while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return rest
  }
}
