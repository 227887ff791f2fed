// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// Reads the machine's batteries from the kernel (Documentation/ABI/testing/sysfs-class-power).
package struct PowerSupplies {
  /// The folder with one folder for each power supply.
  package static let folder = "/sys/class/power_supply"
  private static let limit = ByteCount(4096)

  private let files: any FileSystem
  private let folder: String

  package init(_ files: any FileSystem, folder: String = Self.folder) {
    self.files = files
    self.folder = folder
  }

  /// One battery, or the mains.
  private struct Supply {
    var isBattery: Bool
    /// Per cent.
    var capacity: Int?
    /// The size of the battery, by its attribute: drivers have different units.
    var sizes: [String: Double] = [:]
    /// The battery's own word for what it does, or nil.
    var status: String?
    var isOnline = false
  }

  private static let sizes = ["energy_full", "charge_full"]

  /// The charge of all batteries together, each by its size. Nil without a battery, and where the kernel tells nothing.
  package func battery() -> Battery? {
    let supplies = names().compactMap { supply($0) }
    let batteries = supplies.filter { $0.isBattery && $0.capacity != nil }
    guard !batteries.isEmpty else { return nil }
    let size = Self.sizes.first { name in batteries.allSatisfy { $0.sizes[name] != nil } }
    func weight(_ battery: Supply) -> Double { size.flatMap { battery.sizes[$0] } ?? 1 }
    let whole = batteries.reduce(0) { $0 + weight($1) }
    let charge = batteries.reduce(0) { $0 + Double($1.capacity ?? 0) * weight($1) / whole }
    let isDraining = batteries.contains { $0.status == "Discharging" }
    let isCharging =
      batteries.contains { ["Charging", "Full"].contains($0.status) }
      || supplies.contains(where: \.isOnline) && !isDraining
    return Battery(charge: .percent(min(100, max(0, Int(charge.rounded(.down))))), isCharging: isCharging)
  }

  private func names() -> [String] {
    do throws(FileError) {
      let root = try files.openRoot(folder, making: nil)
      return try files.list(FilePlace(root)).filter(\.isNameExact).map(\.name).sorted()
    } catch {
      // Without /sys there is nothing to know.
      return []
    }
  }

  /// Nil for anything that does not power the machine, such as the battery of a mouse.
  private func supply(_ name: String) -> Supply? {
    func text(_ attribute: String) -> String? {
      do throws(FileError) {
        // Each is a link to the folder of a device.
        let root = try files.openRoot("\(folder)/\(name)", making: nil)
        let bytes = try files.read(FilePlace(root, LibraryPath(attribute)), limit: Self.limit)
        return bytes.map { String(decoding: $0, as: UTF8.self).filter { !$0.isNewline } }
      } catch {
        // A supply that was unplugged meanwhile, or a driver without this attribute.
        return nil
      }
    }
    guard let type = text("type"), text("scope") != "Device" else { return nil }
    guard type == "Battery" else {
      return Supply(isBattery: false, isOnline: text("online") == "1")
    }
    guard text("present") != "0" else { return nil }
    let sizes = Self.sizes.compactMap { name in
      // More than any battery has is no size.
      text(name).flatMap(Double.init).flatMap { (1..<1e12).contains($0) ? (name, $0) : nil }
    }
    return Supply(
      isBattery: true, capacity: text("capacity").flatMap { Int($0) }.flatMap { (0...100).contains($0) ? $0 : nil },
      sizes: Dictionary(uniqueKeysWithValues: sizes), status: text("status"))
  }
}
