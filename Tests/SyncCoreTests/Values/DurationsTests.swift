// SPDX-License-Identifier: Apache-2.0
import SyncCore
import Testing

@Suite("durations")
struct DurationsTests {
  @Test("have their fraction in seconds")
  func seconds() {
    #expect(Duration.milliseconds(1500).inSeconds == 1.5)
    #expect(Duration.milliseconds(-250).inSeconds == -0.25)
  }

  @Test("count in minutes, hours and days")
  func units() {
    #expect(Duration.minutes(2) == .seconds(120))
    #expect(Duration.hours(2) == .seconds(7200))
    #expect(Duration.days(2) == .seconds(172_800))
  }

  @Test("have a magnitude without sign")
  func magnitude() {
    #expect(Duration.seconds(-5).magnitude == .seconds(5))
    #expect(Duration.seconds(5).magnitude == .seconds(5))
  }
}
