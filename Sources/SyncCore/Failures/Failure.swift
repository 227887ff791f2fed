// SPDX-License-Identifier: Apache-2.0

/// The stable names of the reasons why an item could not be fetched.
package enum FailureKind: String, CaseIterable, Sendable {
  case network, timeout, dns, tls, http
  case notMedia = "not_media"
  case size, checksum, duration
  case storageFull = "storage_full"
  case io
  case invalidURL = "invalid_url"
  case forbiddenAddress = "forbidden_address"
  case tooLarge = "too_large"
  case license, login, cancelled
}

/// The reason why a candidate or an item could not be fetched. It contains facts only. The sentences are in the words
/// folder.
package enum Failure: Error, Hashable, Sendable {
  /// The connection could not be made, or it broke. `detail` is the engine's own short text.
  case network(detail: String)
  /// The proxy could not be reached or refused the request. It is named without its user.
  case proxy(String, detail: String)
  /// libcurl ended the transfer with a code that explains the failure.
  case engine(EngineCode, detail: String)
  /// No byte arrived for `after`, or no connection was made within it.
  case timeout(TimeoutPhase, after: Duration)
  case dns(host: String)
  case tls(TLSProblem, detail: String)
  /// A response status that is not success.
  case http(status: Int)
  /// The status is a success, but the body is empty.
  case emptyBody
  /// The body ended early: `received` of `expected` bytes.
  case shortBody(received: ByteCount, expected: ByteCount)
  /// A compressed body ended before its end.
  case compressedBodyCut
  /// A compressed body cannot be unpacked, or does not match its check.
  case compressedBodyDamaged
  /// A response that contradicts itself or the request.
  case malformedResponse(detail: String)
  /// The first bytes are those of `found`, e.g. `a web page`.
  case notMedia(found: String)
  case size(expected: ByteCount, actual: ByteCount)
  case checksum(expected: Checksum, actual: String)
  /// The file plays longer or shorter than declared.
  case duration(declared: Duration, actual: Duration)
  case storageFull(ErrnoCode)
  /// A system call on a path failed.
  case io(operation: String, path: String, ErrnoCode)
  /// Something other than a folder of the library is where the file should go.
  case blocked(path: String)
  /// The system accepts no new files in this one folder of the library. Other folders are not affected.
  case folderClosed(path: String, ErrnoCode)
  /// The library's file system does not accept this name of a file.
  case nameRefused(path: String, ErrnoCode)
  /// The file to be replaced is not the published one.
  case changedByOthers(path: String)
  /// The file of another quality is complete but cannot replace the present one, which stays.
  case notReplaced(path: String, ReplacementObstacle)
  /// The file of the run's lock was removed or replaced, so that another run may be at work.
  case lockReplaced(path: String)
  case invalidURL(String)
  case redirectRefused(to: String, RedirectProblem)
  case forbiddenAddress(String)
  case tooLarge(limit: ByteCount)
  /// The library's file system takes no file of more than `limit` bytes. Nil if it refused this file without giving a
  /// limit.
  case tooLargeForFileSystem(limit: ByteCount?)
  /// The local file that a list names cannot be copied.
  case localFile(path: String, LocalFileProblem)
  /// yt-dlp did not tell where the file is.
  case extraction(ExtractionProblem)
  /// The item has no licence, so that its file may not be kept.
  case license(LicenseProblem, server: String)
  /// There is no access token for the request. `command` makes a new login.
  case login(LoginProblem, command: String)
  case cancelled

  package enum TimeoutPhase: Hashable, Sendable { case connect, stall }

  package enum TLSProblem: Hashable, Sendable {
    /// The certificate is unknown, expired or for another host.
    case verification
    /// The server's key is not one of those that the manifest names.
    case pin
    /// The client and the server have no protocol version or cipher in common.
    case handshake
    /// The manifest's certificates cannot be used.
    case caFile
    /// The server requires a client certificate.
    case clientCertificate
    case other
  }

  package var kind: FailureKind {
    switch self {
    case .network, .proxy, .shortBody, .emptyBody, .compressedBodyCut, .compressedBodyDamaged,
      .malformedResponse:
      .network
    case .engine(let code, _): code.meaning.kind ?? .network
    case .timeout: .timeout
    case .dns: .dns
    case .tls: .tls
    case .http: .http
    case .notMedia: .notMedia
    case .size: .size
    case .checksum: .checksum
    case .duration: .duration
    case .storageFull: .storageFull
    case .io, .blocked, .folderClosed, .nameRefused, .changedByOthers, .notReplaced, .lockReplaced: .io
    case .invalidURL, .redirectRefused: .invalidURL
    case .forbiddenAddress, .localFile(_, .outsideRoots): .forbiddenAddress
    case .localFile(_, .notMedia): .notMedia
    case .localFile: .io
    case .tooLarge, .tooLargeForFileSystem: .tooLarge
    case .extraction(let problem): problem.kind
    case .license: .license
    case .login: .login
    case .cancelled: .cancelled
    }
  }

  /// The exit status of a run that this failure stops.
  package var statusOfRun: ExitStatus {
    if case .lockReplaced = self { .fatal } else { .storage }
  }

  package var status: Int? {
    if case .http(let status) = self { status } else { nil }
  }
}

/// The reason why a local file is not copied.
package enum LocalFileProblem: Hashable, Sendable {
  /// It is not below a folder that the list may name, or a symbolic link leads out of that folder.
  case outsideRoots
  /// A directory, FIFO, socket or device.
  case notAFile
  case empty
  /// Its first bytes are those of `found`.
  case notMedia(found: String)
  /// Its size or its time of modification changed while it was copied.
  case changed
  /// It does not exist, or cannot be opened or read.
  case unreadable(ErrnoCode)
}

/// The reason why a finished file is not replaced by one of another quality.
package enum ReplacementObstacle: Hashable, Sendable {
  /// The system refuses to remove the present file or to rename another one over it.
  case refused(ErrnoCode)
  /// Nothing proves that the new file is complete: the end of its connection is the end of its body.
  case unproven
}

/// The reason why an item is deferred, with the number of bytes that it lacks.
package enum RoomShortage: Hashable, Sendable {
  case budget(lacking: ByteCount)
  /// The playlist's own share is short.
  case playlist(PlaylistName, lacking: ByteCount)
  case freeSpace(lacking: ByteCount)
  /// There is no room below `target` for an item that was evicted before.
  case noRoomToReturn
  /// There is no room below `target` for an item that was deferred before, or a file evicted in this plan ranks above
  /// it.
  case belowTarget(lacking: ByteCount)
  /// There is room below `target`, but these bytes of it are held back for files that were evicted and rank higher.
  /// - Parameter until: The time when the last of them may return. Nil if one of them waits for more room.
  case heldBack(ByteCount, until: Timestamp?)
  /// There is no room for a file of another quality beside the one that it replaces.
  case beside(lacking: ByteCount)
}

/// The reason why the program cannot start, whatever the command: the system gives the process too little.
package enum ProcessProblem: Error, Hashable, Sendable {
  /// The argument list is empty, without even the program's name, so the command is unknown.
  case noArguments
  case tooFewDescriptors(limit: Int, needed: Int)
  /// pthread_create(3) failed.
  case noThreads(ErrnoCode)

  package var status: ExitStatus {
    switch self {
    case .noArguments: .usage
    case .tooFewDescriptors, .noThreads: .fatal
    }
  }
}
