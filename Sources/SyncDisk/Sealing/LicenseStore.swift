// SPDX-License-Identifier: Apache-2.0
package import SyncCore
package import SyncFormats
import Synchronization

/// This device and the content keys of licences, `licenses.json` in the state folder. Every change is durable before
/// the call returns. Content keys are sealed with the key of the library, if it has one, so that whoever finds the
/// library does not find them with it.
package final class LicenseStore: Sendable {
  private struct Contents {
    var holdings: LicenseHoldings
    /// The keys that could be opened.
    var keys: [ItemID: SealingKey]
    var file: File
  }

  private enum File { case missing, kept, damaged }

  private let folder: StateFolder
  private let library: String
  private let primary: SealingKey?
  private let contents: Mutex<Contents>

  /// Reads the file. Nothing is written.
  /// - Parameters:
  ///   - library: The id of the library.
  ///   - keys: Nil without keys. Content keys that are sealed stay closed then.
  package init(_ folder: StateFolder, library: String, keys: Keyset?) throws(StateError) {
    self.folder = folder
    self.library = library
    primary = keys?.primary
    let place = folder.place(.licenses)
    let bytes: [UInt8]?
    do throws(FileError) { bytes = try folder.files.read(place, limit: LicenseFile.maximumSize) } catch {
      throw .file(error)
    }
    var holdings: LicenseHoldings?
    if let bytes {
      do throws(QueueFileProblem) { holdings = try LicenseFile.decode(bytes) } catch {
        if case .newerVersion(let found, let known) = error {
          throw .newerVersion(path: place.text, found: found, known: known)
        }
      }
    }
    if holdings?.library != library { holdings = nil }
    let found = holdings ?? LicenseHoldings(library: library, device: Self.newDevice())
    let opened = found.keys.compactMap { id, key in
      Self.open(key, of: id, library, keys).map { (id, SealingKey(content: $0)) }
    }
    contents = Mutex(
      Contents(
        holdings: found, keys: Dictionary(uniqueKeysWithValues: opened),
        file: holdings != nil ? .kept : bytes != nil ? .damaged : .missing))
  }

  private static func newDevice() -> String {
    let digits = String(UInt128.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 32 - digits.utf8.count) + digits
  }

  private static func open(
    _ key: LicenseHoldings.Key, of id: ItemID, _ library: String, _ keys: Keyset?
  ) -> [UInt8]? {
    switch key {
    case .clear(let bytes): bytes.count == 32 ? bytes : nil
    case .sealed(let bytes):
      keys?.keys.lazy.compactMap {
        SealedBytes.open(bytes, with: $0, Sealing.associatedData(library: library, contentKeyOf: id))
      }.first { $0.count == 32 }
    }
  }

  /// True if the file is there and was usable, so that the id of this device stays.
  package var isKept: Bool { contents.withLock { $0.file == .kept } }

  /// The id of this device.
  package var device: String { contents.withLock { $0.holdings.device } }

  /// The content keys that are known.
  package var keys: [ItemID: SealingKey] { contents.withLock { $0.keys } }

  /// True if the file has no key of the item, neither an open one nor one that is sealed.
  package func lacksKey(of id: ItemID) -> Bool { contents.withLock { $0.holdings.keys[id] == nil } }

  /// True if this device was registered with the server, whether it was released since or not.
  package func isRegistered(with server: RemoteURL) -> Bool {
    contents.withLock { $0.holdings.servers.contains(server.text) }
  }

  // MARK: Changes

  /// Puts a file aside that could not be used or is that of another library, and writes a new one. Seals the content keys
  /// that are not sealed with the present key of the library.
  /// - Returns: True if a file was put aside. Its content keys are missing until licences are renewed.
  package func prepare() throws(FileError) -> Bool {
    let (file, isStale) = contents.withLock { contents in
      let isStale = contents.holdings.keys.contains { id, key in contents.keys[id] != nil && !isOfPrimary(key, id) }
      return (contents.file, isStale)
    }
    if file == .damaged { try folder.move(.licenses, to: .damagedLicenses) }
    if isStale || file != .kept { try change(resealing: true) { _ in } }
    return file == .damaged
  }

  private func isOfPrimary(_ key: LicenseHoldings.Key, _ id: ItemID) -> Bool {
    switch (key, primary) {
    case (.clear, nil): true
    case (.sealed(let bytes), let primary?):
      SealedBytes.open(bytes, with: primary, Sealing.associatedData(library: library, contentKeyOf: id)) != nil
    default: false
    }
  }

  /// Keeps content keys.
  package func put(_ new: [ItemID: SealingKey]) throws(FileError) {
    guard contents.withLock({ contents in new.contains { contents.keys[$0] != $1 } }) else { return }
    try change { $0.keys.merge(new) { $1 } }
  }

  /// Destroys the content keys of all items but those.
  /// - Returns: The items whose key was there.
  @discardableResult
  package func keep(only isKept: (ItemID) -> Bool) throws(FileError) -> [ItemID] {
    let gone = contents.withLock { contents in contents.holdings.keys.keys.filter { !isKept($0) } }.sorted()
    guard !gone.isEmpty else { return [] }
    try change { contents in
      for id in gone { (contents.keys[id], contents.holdings.keys[id]) = (nil, nil) }
    }
    return gone
  }

  /// Removes a damaged file that was put aside. It may have keys that are to be destroyed.
  package func dropDamaged() throws(FileError) {
    try folder.files.removeFileIfPresent(folder.place(.damagedLicenses))
  }

  /// Notes that this device is registered with a server.
  package func register(with server: RemoteURL) throws(FileError) {
    guard !isRegistered(with: server) else { return }
    try change { $0.holdings.servers.append(server.text) }
  }

  /// - Parameter resealing: True to seal all keys anew. Otherwise those that are new.
  private func change(resealing: Bool = false, _ change: (inout Contents) -> Void) throws(FileError) {
    var problem: FileError?
    contents.withLock { contents in
      var next = contents
      change(&next)
      next.file = .kept
      for (id, key) in next.keys where resealing || contents.keys[id] != key {
        next.holdings.keys[id] = stored(key, of: id)
      }
      do throws(FileError) {
        try folder.files.replace(folder.place(.licenses), LicenseFile.encode(next.holdings), mode: .privateFile)
        contents = next
      } catch { problem = error }
    }
    if let problem { throw problem }
  }

  private func stored(_ key: SealingKey, of id: ItemID) -> LicenseHoldings.Key {
    guard let primary else { return .clear(key.material) }
    return .sealed(
      SealedBytes.seal(key.material, with: primary, Sealing.associatedData(library: library, contentKeyOf: id)))
  }
}
