// SPDX-License-Identifier: Apache-2.0

/// A key that media are sealed with: one of Tink's kind `AesGcmHkdfStreamingKey`.
package struct SealingKey: Hashable, Sendable {
  /// The hash of HKDF (RFC 5869), from which the key of a file is derived.
  package enum Hash: CaseIterable, Sendable { case sha1, sha256, sha384, sha512 }

  /// The number by which the keyset names the key.
  package let id: KeyID
  /// Never printed. At least as long as the key of a file.
  package let material: [UInt8]
  package let layout: SealedLayout
  package let hash: Hash

  package init(_ id: KeyID, _ material: [UInt8], _ layout: SealedLayout, _ hash: Hash) {
    (self.id, self.material, self.layout, self.hash) = (id, material, layout, hash)
  }

  /// The layout of new keys: Tink's template `AES256_GCM_HKDF_1MB`.
  package static var newLayout: SealedLayout {
    guard let layout = SealedLayout(segmentSize: 1 << 20, derivedKeySize: 32) else {
      preconditionFailure("the format allows these sizes")
    }
    return layout
  }

  /// The content key of a licence.
  /// - Parameter material: 32 bytes.
  package init(content material: [UInt8]) {
    self.init(.content, material, Self.newLayout, .sha256)
  }

  /// The largest segment that is read. One segment is held in memory.
  package static let largestSegment = ByteCount(64 << 20)
}

extension SealingKey: CustomStringConvertible {
  package var description: String { "key \(id.number)" }
}

/// The number of a key in its keyset.
package struct KeyID: Hashable, Comparable, Sendable {
  /// In place of the number of a key: the content key of an item's licence. No keyset has a key with it.
  package static let content = KeyID(0)

  package let number: UInt32
  package init(_ number: UInt32) { self.number = number }
  package static func < (one: Self, other: Self) -> Bool { one.number < other.number }
}

/// The keys of a library: one primary, which seals, and others, which open what they once sealed.
package struct Keyset: Equatable, Sendable {
  /// A key as the keyset has it. A key that is not usable here is written back unchanged.
  package struct Entry: Equatable, Sendable {
    package enum Status: String, CaseIterable, Sendable {
      case enabled = "ENABLED"
      case disabled = "DISABLED"
      case destroyed = "DESTROYED"
    }

    package var id: KeyID
    package var status: Status
    package var data: SerialisedKey
    /// Nil for a key of another kind.
    package var key: SealingKey?

    package init(_ id: KeyID, _ status: Status, _ data: SerialisedKey, key: SealingKey?) {
      (self.id, self.status, self.data, self.key) = (id, status, data, key)
    }
  }

  /// A key in the form that Tink gives it.
  package struct SerialisedKey: Equatable, Sendable {
    /// Tink's name of the kind of key.
    package var type: String
    /// The bytes in Base64. Never printed.
    package var value: String
    package var material: String
    package var prefix: String

    package init(type: String, value: String, material: String = "SYMMETRIC", prefix: String = "RAW") {
      (self.type, self.value, self.material, self.prefix) = (type, value, material, prefix)
    }
  }

  package private(set) var entries: [Entry]
  package private(set) var primary: SealingKey

  /// Nil unless the primary key is one of the enabled entries and can seal.
  package init?(_ entries: [Entry], primary: KeyID) {
    guard let entry = entries.first(where: { $0.id == primary && $0.status == .enabled }), let key = entry.key else {
      return nil
    }
    (self.entries, self.primary) = (entries, key)
  }

  /// A keyset with one key.
  package init(_ entry: Entry, _ key: SealingKey) { (entries, primary) = ([entry], key) }

  /// The keys that open files, the primary first.
  package var keys: [SealingKey] {
    [primary] + entries.filter { $0.status == .enabled && $0.id != primary.id }.compactMap(\.key)
  }

  /// Adds a key that does not seal yet.
  package mutating func add(_ entry: Entry) { entries.append(entry) }

  /// Adds a key that seals from now on.
  package mutating func rotate(to entry: Entry, _ key: SealingKey) {
    entries.append(entry)
    primary = key
  }

  /// Has one of its keys seal from now on.
  /// - Returns: False if it has no such key that can.
  package mutating func rotate(to id: KeyID) -> Bool {
    guard let key = keys.first(where: { $0.id == id }) else { return false }
    primary = key
    return true
  }
}

/// The reason why bytes are not a usable keyset.
package enum KeysetProblem: Error, Hashable, Sendable {
  /// Not JSON, or not JSON of a keyset.
  case notAKeyset
  /// Tink can encrypt a keyset with another key.
  case encrypted
  case noKeys
  case repeatedID(KeyID)
  /// The primary key is not among the keys.
  case noPrimary(KeyID)
  case primaryNotEnabled(KeyID)
  /// The primary key is for something else.
  case primaryOfOtherKind(KeyID, type: String)
  /// A key with parameters that the format does not allow.
  case badKey(KeyID)
  case segmentTooLarge(KeyID, ByteCount)
}

/// The name and the binding of a sealed file.
package enum Sealing {
  /// The end of the name of a sealed file.
  package static let mark = ".sealed"

  /// True for a name that ends in the mark.
  static func marks(_ name: String) -> Bool {
    // Nearly every name is that of a file in clear, which its last byte shows.
    name.utf8.last == UInt8(ascii: "d") && name.hasSuffix(mark)
  }

  /// The associated data of an item's file. No other item and no other library opens it.
  package static func associatedData(library: String, item: ItemID) -> String { "syncjob:\(library):\(item.text)" }

  /// The associated data of the content key of an item's licence, sealed with a key of the library.
  package static func associatedData(library: String, contentKeyOf item: ItemID) -> String {
    "syncjob-content-key:\(library):\(item.text)"
  }

  /// The associated data of the value that shows whether a keyset is the library's.
  package static func associatedData(library: String) -> String { "syncjob:\(library)" }
}

/// The reason why the keys of a library cannot be used.
package enum KeysProblem: Error, Hashable, Sendable {
  case unreadable(SecretProblem)
  /// There is no such file.
  case missing(path: String)
  /// The service manager has passed no credentials.
  case noCredentials(name: String)
  case unusable(SecretPlace, KeysetProblem)
  /// The keys are those of another library.
  case ofAnotherLibrary(SecretPlace, library: String)
}

/// A change of the protection of a file that is in the library.
package enum ProtectionChange: Hashable, Sendable {
  case seal
  /// The file comes back in clear.
  case unseal
  /// The file was sealed with an older key.
  case reseal
}

/// The reason why the protection of a file stays as it is.
package enum ProtectionFailure: Error, Hashable, Sendable {
  /// There is no room for the new file beside the present one.
  case noRoom(lacking: ByteCount)
  case io(FileError)
  /// The run was stopped.
  case stopped
  /// It is not the file that was put there.
  case changed
  /// It does not open: it is damaged, or not the item's.
  case damaged
}
