// SPDX-License-Identifier: Apache-2.0

/// The header of a frame of MPEG audio, layer III (ISO/IEC 11172-3 §2.4.1.3, ISO/IEC 13818-3 §2.4.2.3).
struct LayerIIIHeader {
  /// The length of the frame in bytes.
  let length: Int64
  private let isFirstVersion: Bool
  private let isMono: Bool

  private static let firstRates: [Int64] = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
  private static let laterRates: [Int64] = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
  private static let frequencies: [Int64] = [44100, 48000, 32000]

  /// - Parameter bytes: At least four.
  /// - Returns: Nil for anything else, and for a frame of free format, which does not tell its length.
  init?(_ bytes: [UInt8]) {
    let (version, layer) = (bytes[1] >> 3 & 3, bytes[1] >> 1 & 3)
    let (rate, frequency) = (Int(bytes[2] >> 4), Int(bytes[2] >> 2 & 3))
    guard bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0, version != 1, layer == 1, (1...14).contains(rate), frequency < 3
    else { return nil }
    isFirstVersion = version == 3
    isMono = bytes[3] >> 6 == 3
    let rates = isFirstVersion ? Self.firstRates : Self.laterRates
    let sampling = Self.frequencies[frequency] / (isFirstVersion ? 1 : version == 2 ? 2 : 4)
    length = (isFirstVersion ? 144_000 : 72_000) * rates[rate] / sampling + Int64(bytes[2] >> 1 & 1)
  }

  /// The places in the frame, and the names there, that mark a frame with a description of all frames. Programs disagree
  /// about a frame with a check of two bytes behind its header.
  var descriptions: [(place: Int, name: String)] {
    let sideInformation = isFirstVersion ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
    let places = [4 + sideInformation, 6 + sideInformation]
    return places.flatMap { [($0, "Xing"), ($0, "Info")] } + [(4 + 32, "VBRI")]
  }
}
