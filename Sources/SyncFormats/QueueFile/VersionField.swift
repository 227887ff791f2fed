// SPDX-License-Identifier: Apache-2.0

/// A damaged digit in the field `version` looks like a file of a later version, which would stop every run. The check of
/// the whole file tells the two apart: with the known version in its place, the check of a damaged file is right.
enum VersionField {
  private static let name = Array("\"version\":".utf8)
  /// The field is the second of a file.
  private static let reach = 64

  /// The same bytes with that version; nil without a version among the first bytes.
  static func saying(_ version: Int, in bytes: [UInt8]) -> [UInt8]? {
    let head = bytes.prefix(reach)
    guard let start = head.indices.first(where: { head[$0...].starts(with: name) }).map({ $0 + name.count }) else {
      return nil
    }
    let digits = head[start...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    var mended = bytes
    mended.replaceSubrange(digits.startIndex..<digits.endIndex, with: String(version).utf8)
    return mended
  }
}
