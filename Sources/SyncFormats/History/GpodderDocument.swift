// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Further documents of the gpodder.net API, version 2
/// (https://gpoddernet.readthedocs.io/en/latest/api/index.html).
package enum GpodderDocument {
  /// The request that creates or changes a device. What it leaves out stays as it is.
  package static func device(_ device: GpodderDevice) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("caption", device.caption)
      writer.field("type", device.kind?.rawValue)
    }
    return writer.bytes
  }

  /// The request that adds subscriptions.
  package static func subscriptions(to feeds: [String]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.array("add") { writer in for feed in feeds { writer.value(feed) } }
      writer.array("remove") { _ in }
    }
    return writer.bytes
  }
}
