// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats
import Testing

@Suite("the latest time that was seen")
struct ClockLineTests {
  private let time = Timestamp(secondsSince1970: 1_800_000_000)

  @Test("is read back, also from a file of an earlier version, which has no check")
  func roundTrip() {
    #expect(ClockLine.decode(ClockLine.encode(time)) == time)
    #expect(ClockLine.decode(Array("\(time.rfc3339)\n".utf8)) == time)
  }

  @Test("is not believed if any bit is flipped, or if the file is cut inside its lines")
  func damage() {
    let bytes = ClockLine.encode(time)
    for position in bytes.indices {
      for bit in 0..<8 {
        var flipped = bytes
        flipped[position] ^= 1 << UInt8(bit)
        #expect(ClockLine.decode(flipped) == nil, "bit \(bit) of byte \(position)")
      }
    }
    let line = time.rfc3339.utf8.count + 1
    for length in bytes.indices where length != line { #expect(ClockLine.decode(Array(bytes[..<length])) == nil) }
  }
}
