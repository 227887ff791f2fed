// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncFormats

/// The file of the tokens of one login, in the state folder or where the manifest names it. Only its owner has access.
/// It has a lock of its own, because commands that do not lock the library, and runs on other libraries, renew the same
/// tokens.
package struct TokenStore: Sendable {
  private enum Home: Sendable {
    case state(StateFolder)
    case folder(String, any FileSystem)
    /// The library has no state folder yet.
    case none
  }

  private let home: Home
  private let name: String
  private let identity: String
  /// The path for people.
  package let path: String

  /// - Parameter state: Nil if the library has no state folder yet.
  package init(_ client: OAuthClient, state: StateFolder?, _ files: any FileSystem) {
    identity = client.identity
    if let file = client.tokenFile {
      let slash = file.lastIndex(of: "/") ?? file.startIndex
      home = .folder(slash == file.startIndex ? "/" : String(file[..<slash]), files)
      name = String(file[slash...].dropFirst())
      path = file
    } else {
      home = state.map { .state($0) } ?? .none
      name = client.fileName
      path = "\(state?.root.path ?? StateFolder.name)/\(Self.folderName)/\(name)"
    }
  }

  private static let folderName = "oauth"

  /// True if the manifest names the file, so that a person's file may be in its place.
  private var isNamed: Bool { if case .folder = home { true } else { false } }

  /// Nil if the folder does not exist.
  private func place(making: Bool) throws(FileError) -> (FilePlace, any FileSystem)? {
    switch home {
    case .none: return nil
    case .state(let state):
      let folder = FilePlace(state.root, LibraryPath(Self.folderName))
      if making { try state.files.makeFolders(folder, mode: .privateFolder) }
      return folder.child(name).map { ($0, state.files) }
    case .folder(let path, let files):
      let root: FileRoot
      do throws(FileError) { root = try files.openRoot(path, making: making ? .privateFolder : nil) } catch {
        if !making, error.isMissing { return nil }
        throw error
      }
      return FilePlace(root).child(name).map { ($0, files) }
    }
  }

  /// The tokens, as somebody who changes nothing sees them. Nil if there are none for this client.
  package func read() throws(LoginProblem) -> OAuthTokens? {
    let found: (FilePlace, any FileSystem)?
    do throws(FileError) { found = try place(making: false) } catch { throw .file(error) }
    guard let (place, files) = found else { return nil }
    return try Self.read(place, files, identity, isNamed: isNamed)
  }

  /// True if others than the owner can read the file.
  package func isPublic() throws(LoginProblem) -> Bool {
    do throws(FileError) {
      guard let (place, files) = try place(making: false), let status = try files.status(of: place) else {
        return false
      }
      return status.kind == .file && !status.mode.isPrivate
    } catch { throw .file(error) }
  }

  fileprivate static func read(
    _ place: FilePlace, _ files: any FileSystem, _ identity: String, isNamed: Bool
  ) throws(LoginProblem) -> OAuthTokens? {
    let bytes: [UInt8]?
    do throws(FileError) { bytes = try files.read(place, limit: TokenFile.maximumSize) } catch {
      if error.isMissing { return nil }
      throw .file(error)
    }
    guard let bytes else { return nil }
    do throws(QueueFileProblem) { return try TokenFile.decode(bytes, of: identity) } catch {
      throw !isNamed || TokenFile.isOwn(bytes) ? .fileDamaged(path: place.text) : .fileForeign(path: place.text)
    }
  }

  /// Takes the lock, or waits for it.
  /// - Parameters:
  ///   - wait: The maximum time.
  ///   - sleep: Waits for one pause; false gives up.
  package func lock(
    waiting wait: Duration, sleep: (Duration) async -> Bool
  ) async throws(LoginProblem) -> LockedTokens {
    do throws(FileError) {
      guard let (place, files) = try place(making: true), let lockPlace = place.parent.child(".\(name).lock"),
        let new = place.parent.child(".\(name).new")
      else { throw FileError(.open, path, code: .enoent) }
      let file = try files.open(lockPlace, for: .locking(.privateFile))
      var (waited, isLocked) = (Duration.zero, try file.tryLock())
      while !isLocked, waited < wait, await sleep(StateLock.pause) {
        waited += StateLock.pause
        isLocked = try file.tryLock()
      }
      if isLocked { return try LockedTokens(place, new: new, lock: file, files, (identity, isNamed)) }
    } catch { throw .file(error) }
    throw .busy(path: path, after: wait)
  }
}

/// The tokens of a login, while nobody else changes them.
///
/// A renewal has three steps: `begin` makes sure that there is room for the new tokens and leaves a mark, the provider is
/// asked, and `commit` replaces the old tokens. After a kill before the answer came, the mark shows that the provider may
/// have taken the refresh token. After a kill in `commit`, the new tokens are beside the old ones and take their place
/// when the lock is taken again.
package final class LockedTokens: Sendable {
  private let place: FilePlace
  private let new: FilePlace
  private let lock: any OpenFile
  private let files: any FileSystem
  private let identity: String
  private let isNamed: Bool
  /// The time of a renewal whose answer never came. Nil if there is none.
  package let interruptedAt: Timestamp?

  /// Larger than the tokens of most providers. Larger ones need more room when they have come.
  private static let room = 16 << 10
  private static let mark = "renewing since "

  fileprivate init(
    _ place: FilePlace, new: FilePlace, lock: any OpenFile, _ files: any FileSystem,
    _ owner: (identity: String, isNamed: Bool)
  ) throws(FileError) {
    (self.place, self.new, self.lock, self.files) = (place, new, lock, files)
    (identity, isNamed) = owner
    var interruptedAt: Timestamp?
    if let bytes = try files.read(new, limit: TokenFile.maximumSize) {
      if Self.isWhole(bytes, owner.identity) {
        try files.move(new, to: place, replacing: true)
        try files.syncFolder(place.parent)
      } else {
        interruptedAt = if let time = Self.time(bytes) { time } else { try files.status(of: new)?.modifiedAt }
      }
    }
    self.interruptedAt = interruptedAt
  }

  private static func isWhole(_ bytes: [UInt8], _ identity: String) -> Bool {
    do throws(QueueFileProblem) { return try TokenFile.decode(bytes, of: identity) != nil } catch { return false }
  }

  private static func time(_ bytes: [UInt8]) -> Timestamp? {
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return line.hasPrefix(mark) ? Timestamp(rfc3339: String(line.dropFirst(mark.count))) : nil
  }

  package func read() throws(LoginProblem) -> OAuthTokens? {
    try TokenStore.read(place, files, identity, isNamed: isNamed)
  }

  /// Call this before the provider is asked for new tokens. Fails where they could not be kept.
  package func begin(at now: Timestamp) throws(LoginProblem) -> NewTokens {
    try checkPlace()
    do throws(FileError) {
      try files.removeFileIfPresent(new)
      let file = try files.open(new, for: .creating(.privateFile))
      let head = Array("\(Self.mark)\((interruptedAt ?? now).rfc3339)\n".utf8)
      try file.write(head + Array(repeating: UInt8(ascii: " "), count: Self.room - head.count), at: 0)
      try file.sync()
      try files.syncFolder(place.parent)
      return NewTokens(file)
    } catch { throw .file(error) }
  }

  /// Replaces the tokens. They are on the disk when this returns.
  package func commit(_ tokens: OAuthTokens, to file: NewTokens) throws(LoginProblem) {
    do throws(FileError) {
      let bytes = TokenFile.encode(tokens, of: identity)
      try file.file.write(bytes, at: 0)
      try file.file.truncate(to: ByteCount(Int64(bytes.count)))
      try file.file.sync()
      try file.file.close()
      try files.move(new, to: place, replacing: true)
      try files.syncFolder(place.parent)
    } catch { throw .file(error) }
  }

  /// Takes the mark away, after an answer that shows that the provider did nothing.
  package func abandon() throws(LoginProblem) {
    do throws(FileError) { try files.removeFileIfPresent(new) } catch { throw .file(error) }
  }

  /// Nothing but tokens is replaced or removed, whatever the manifest names.
  private func checkPlace() throws(LoginProblem) {
    guard isNamed else { return }
    do throws(FileError) {
      guard let bytes = try files.read(place, limit: TokenFile.maximumSize), !TokenFile.isOwn(bytes) else { return }
    } catch {
      if error.isMissing { return }
      throw .file(error)
    }
    throw .fileForeign(path: place.text)
  }

  /// Removes the tokens.
  package func remove() throws(LoginProblem) {
    try checkPlace()
    do throws(FileError) {
      try files.removeFileIfPresent(new)
      try files.removeFileIfPresent(place)
      try files.syncFolder(place.parent)
    } catch { throw .file(error) }
  }

  package func release() throws(LoginProblem) {
    do throws(FileError) { try lock.close() } catch { throw .file(error) }
  }
}

/// The file in which the new tokens will be.
package struct NewTokens: Sendable {
  fileprivate let file: any OpenFile
  fileprivate init(_ file: any OpenFile) { self.file = file }
}
