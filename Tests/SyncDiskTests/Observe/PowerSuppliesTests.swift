// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncTestSupport
import Testing

@Suite("the batteries of the machine")
struct PowerSuppliesTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory("syncjob-power") }

  /// Writes the attributes of a supply as the kernel does.
  private func supply(_ name: String, _ attributes: [String: String]) throws {
    for (attribute, value) in attributes { try FileBytes.write(value + "\n", to: folder.file("\(name)/\(attribute)")) }
  }

  private var battery: Battery? { PowerSupplies(POSIXFileSystem(), folder: folder.path).battery() }

  @Test("one battery has its charge, and charges if it says so or the mains are on")
  func one() throws {
    #expect(battery == nil)
    try supply("BAT0", ["type": "Battery", "capacity": "42", "status": "Discharging", "energy_full": "50000000"])
    #expect(battery == Battery(charge: .percent(42), isCharging: false))
    try supply("AC", ["type": "Mains", "online": "1"])
    #expect(battery?.isCharging == false, "the charger is too weak")
    try supply("BAT0", ["status": "Not charging"])
    #expect(battery?.isCharging == true)
    try supply("AC", ["type": "Mains", "online": "0"])
    #expect(battery?.isCharging == false)
    try supply("BAT0", ["type": "Battery", "capacity": "42", "status": "Full"])
    #expect(battery?.isCharging == true)
  }

  @Test("several batteries count by their sizes; that of a mouse, an absent one and one without a charge do not")
  func several() throws {
    try supply("BAT0", ["type": "Battery", "capacity": "10", "status": "Discharging", "energy_full": "30000000"])
    try supply("BAT1", ["type": "Battery", "capacity": "90", "status": "Not charging", "energy_full": "10000000"])
    try supply("hid-1", ["type": "Battery", "scope": "Device", "capacity": "1", "status": "Charging"])
    try supply("BAT2", ["type": "Battery", "present": "0", "capacity": "0", "status": "Charging"])
    try supply("BAT3", ["type": "Battery", "capacity": "many", "status": "Unknown"])
    #expect(battery == Battery(charge: .percent(30), isCharging: false))
    for size in ["0", "inf", "1e400", "nan", "-5", ""] {
      try supply("BAT1", ["energy_full": size, "charge_full": "90"])
      #expect(battery?.charge == .percent(50), "sizes in other units cannot be added")
    }
  }

  @Test("a machine without the folder, or with other things in it, has none")
  func none() throws {
    #expect(PowerSupplies(POSIXFileSystem(), folder: folder.file("nowhere")).battery() == nil)
    try FileBytes.write("x", to: folder.file("BAT0"))
    try supply("AC", ["type": "Mains", "online": "1"])
    try supply("BAT1", ["type": "Battery", "capacity": "101"])
    #expect(battery == nil)
  }
}
