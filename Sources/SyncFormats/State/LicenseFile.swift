// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The contents of `licenses.json` in the state folder: this device, and the content keys of licences. The terms of the
/// licences are in the queue.
package struct LicenseHoldings: Hashable, Sendable {
  /// A content key as the file has it.
  package enum Key: Hashable, Sendable {
    case clear([UInt8])
    /// Sealed with a key of the library.
    case sealed([UInt8])
  }

  /// The id of the library. Another library is another device, and has other keys.
  package var library: String
  /// The id of this device: 128 random bits in hexadecimal.
  package var device: String
  /// The servers with which it was registered.
  package var servers: [String] = []
  package var keys: [ItemID: Key] = [:]

  package init(library: String, device: String) { (self.library, self.device) = (library, device) }
}

/// One JSON object on one line, with a check of itself at its end.
package enum LicenseFile {
  package static let format = "syncjob-licenses"
  package static let version = 1
  /// A million keys have 200 MB.
  package static let maximumSize = ByteCount(256 << 20)

  package static func encode(_ holdings: LicenseHoldings) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", format)
      writer.field("version", version)
      writer.field("library_id", holdings.library)
      writer.field("device_id", holdings.device)
      writer.array("servers") { writer in for server in holdings.servers { writer.value(server) } }
      writer.array("content_keys") { writer in
        for (id, key) in holdings.keys.sorted(by: { $0.key < $1.key }) {
          writer.object { writer in
            writer.field("id", id.text)
            switch key {
            case .clear(let bytes): writer.field("key", Base64.encoded(bytes))
            case .sealed(let bytes): writer.field("sealed_key", Base64.encoded(bytes))
            }
          }
        }
      }
    }
    writer.sealLine(from: 0)
    writer.endLine()
    return writer.bytes
  }

  /// - Throws: Also for a file that is not as it was written.
  package static func decode(_ bytes: [UInt8]) throws(QueueFileProblem) -> LicenseHoldings {
    let document: JSONValue
    do throws(JSONError) { document = try JSONValue(parsing: bytes) } catch { throw .wrongSeal }
    guard document["format"]?.string == format else { throw .wrongFormat(found: document["format"]?.string) }
    let found = document["version"]?.integer.flatMap { Int(exactly: $0) } ?? 0
    guard found <= version else { throw .newerVersion(found: found, known: version) }
    let end = (bytes.lastIndex(of: UInt8(ascii: "}")) ?? -1) + 1
    guard end > 0, LineCheck.isWhole(bytes, 0..<end) else { throw .wrongSeal }
    guard let library = document["library_id"]?.string, let device = document["device_id"]?.string,
      let keys = document["content_keys"]?.array
    else {
      throw .badField(.file, field: "device_id")
    }
    var holdings = LicenseHoldings(library: library, device: device)
    holdings.servers = (document["servers"]?.array ?? []).compactMap(\.string)
    for entry in keys {
      guard let id = entry["id"]?.string.flatMap({ ItemID($0) }), let key = key(entry) else {
        throw .badField(.file, field: "content_keys")
      }
      holdings.keys[id] = key
    }
    return holdings
  }

  private static func key(_ entry: JSONValue) -> LicenseHoldings.Key? {
    func bytes(_ name: String) -> [UInt8]? { entry[name]?.string.flatMap { Base64.decoded($0[...]) } }
    return bytes("key").map { .clear($0) } ?? bytes("sealed_key").map { .sealed($0) }
  }
}
