// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The items that need a licence, one a line.
package struct LicenseList: Sendable {
  private let items: [QueueItem]
  private let time: Timestamp

  /// - Parameter time: Judges the licences.
  package init(_ items: [QueueItem], at time: Timestamp) { (self.items, self.time) = (items, time) }

  /// For people: offline state, id, how long, and restrictions.
  package func text(style: TextStyle) -> String {
    var style = style
    style.limit = nil
    var rows = TextRows(style)
    for item in items {
      let state = item.offlineState(at: time)
      let (sign, tone): (String, TextStyle.Tone) =
        switch state {
        case .notOfflined: ("no file", .faint)
        case .offlinedAndValid: ("valid", .good)
        case .offlinedButNotValid: ("not valid", .bad)
        }
      rows.add(
        TextRow(
          sign: sign.padded(toColumns: 9), tone: tone, subject: item.id.text.printable, bytes: nil, note: note(item)))
    }
    return rows.lines.map { $0 + "\n" }.joined()
  }

  private func note(_ item: QueueItem) -> String {
    guard let record = item.license else { return "" }
    var parts: [String] = []
    if let license = record.license {
      parts.append("\(license.isValid(at: time) ? "until" : "over since") \(license.expiresAt.rfc3339)")
      if let limit = license.restrictions.qualityLimit { parts.append("at most \(limit.words)") }
      if let count = license.restrictions.maxOfflineDevices { parts.append("at most \(count.counted("device"))") }
      if !license.restrictions.allowsExport { parts.append("no export") }
      if license.hasContentKey { parts.append("with a content key") }
    } else if record.refusal == nil {
      parts.append("none yet")
    }
    if let refusal = record.refusal { parts.append("refused: \(refusal.rawValue)") }
    return parts.joined(separator: ", ")
  }

  /// One JSON object per line.
  package func jsonLines() -> [UInt8] {
    items.flatMap { item in
      var writer = JSONWriter()
      writer.object { writer in
        writer.field("id", item.id.text)
        writer.field("title", item.item.title)
        writer.field("offline_state", item.offlineState(at: time).rawValue)
        writer.license(item)
      }
      writer.endLine()
      return writer.bytes
    }
  }
}

extension JSONWriter {
  /// The licence of an item. Nothing for an item that needs none.
  mutating func license(_ item: QueueItem) {
    guard let record = item.license else { return }
    object("license") { writer in
      if let license = record.license {
        writer.field("issued_at", license.issuedAt.rfc3339)
        writer.field("expires_at", license.expiresAt.rfc3339)
        writer.object("restrictions") { writer in
          writer.field("max_offline_devices", license.restrictions.maxOfflineDevices)
          writer.field("allows_export", license.restrictions.allowsExport)
          writer.field("quality_limit", license.restrictions.qualityLimit?.rawValue)
        }
        writer.field("has_content_key", license.hasContentKey)
      }
      writer.field("refused", record.refusal?.rawValue)
    }
  }
}

/// The devices that are registered with a licence server.
package struct DeviceListing: Sendable {
  private let devices: [LicensedDevice]
  private let maximum: Int?
  private let own: String?

  /// - Parameter own: The id of this device.
  package init(_ devices: [LicensedDevice], maximum: Int?, own: String?) {
    (self.devices, self.maximum, self.own) = (devices, maximum, own)
  }

  package func text() -> String {
    let lines = devices.map { device in
      let facts = [
        device.name?.excerpt.printable, device.registeredAt.map { "since \($0.rfc3339)" },
        device.id == own ? "this device" : nil,
      ]
      return "  \(device.id.excerpt.printable)  \(facts.compactMap(\.self).joined(separator: ", "))\n"
    }
    let total = maximum.map { "\(devices.count) of \($0.counted("device"))" } ?? devices.count.counted("device")
    return lines.joined() + "\(total)\n"
  }

  package func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", "syncjob-devices")
      writer.field("version", 1)
      writer.field("max_devices", maximum)
      writer.array("devices") { writer in
        for device in devices {
          writer.object { writer in
            writer.field("device_id", device.id)
            writer.field("name", device.name)
            writer.field("registered_at", device.registeredAt?.rfc3339)
            writer.field("own", device.id == own)
          }
        }
      }
    }
    writer.endLine()
    return writer.bytes
  }
}
