// SPDX-License-Identifier: Apache-2.0
import Glibc
package import SyncCore
import SyncDisk
import SyncFormats

/// A manifest's bytes and the place where they were found.
package struct ManifestFile: Sendable {
  package var bytes: [UInt8]
  /// The absolute path of the directory to which relative paths in the manifest refer: its own, or the working directory
  /// if the manifest is not a plain file.
  package var directory: String
  /// The file's name, and the same without its extension.
  package var name: String
  package var stem: String
  /// The absolute path.
  package var path: String

  /// The reason why the manifest cannot be read or written.
  package struct Problem: Error, Equatable, Sendable {
    package var path: String
    package var operation: String
    package var cause: FileError.Cause

    init(path: String, operation: String, code: ErrnoCode) {
      (self.path, self.operation, cause) = (path, operation, .system(code))
    }

    fileprivate init(_ error: FileError, _ path: String) {
      (self.path, operation, cause) = (path, error.operation.rawValue, error.cause)
    }

    package var words: String { ManifestFileWords.words(path: path, operation: operation, cause) }

    /// The message for a manifest that a saved plan names.
    package func words(plan: String) -> String {
      ManifestFileWords.words(path: path, operation: operation, cause, plan: plan)
    }
  }

  private static let limit = ByteCount(Int64(ManifestReader.maximumSize))

  /// - Returns: All bytes, or as many as the reader needs to refuse them.
  package static func read(_ path: String) throws(Problem) -> ManifestFile {
    var bytes: [UInt8] = []
    var comments = CommentRun()
    do throws(FileError) {
      // A manifest of this name is a file, not standard input.
      let pieces = try InputFile(path == "-" ? "./-" : path, limit: limit).pieces()
      bytes.reserveCapacity(pieces.expectedSize)
      while !comments.isEndless, let piece = try pieces.next() {
        comments.take(piece)
        bytes += piece
      }
    } catch { throw Problem(error, path) }
    let name = String(path.split(separator: "/").last ?? "")
    let folder = try directory(of: path)
    let isPlain = isPlain(path, in: folder)
    return ManifestFile(
      bytes: bytes, directory: isPlain ? folder : try directory(of: name), name: name, stem: stem(of: name),
      path: self.path(folder, name))
  }

  /// Writes `contents` to a new file.
  /// - Returns: False if the file exists. It is left as it is.
  package static func create(_ path: String, contents: String) throws(Problem) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    if descriptor < 0, errno == EEXIST { return false }
    guard descriptor >= 0 else { throw Problem(path: path, operation: "create", code: ErrnoCode(errno)) }
    defer { close(descriptor) }
    var rest = Array(contents.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Problem(path: path, operation: "write", code: ErrnoCode(errno)) }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// The file that `create` would write to `path`, where nothing exists. Writes nothing.
  package static func rehearse(_ path: String, contents: String) throws(Problem) -> ManifestFile {
    guard !path.hasSuffix("/") else { throw Problem(path: path, operation: "create", code: .eisdir) }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    guard access("\(folder).", W_OK | X_OK) == 0 else {
      throw Problem(path: path, operation: "create", code: ErrnoCode(errno))
    }
    let name = String(path.split(separator: "/").last ?? "")
    let directory = try directory(of: path)
    return ManifestFile(
      bytes: Array(contents.utf8), directory: directory, name: name, stem: stem(of: name),
      path: self.path(directory, name))
  }

  /// False for a pipe or a device, and for a file behind a name such as `/dev/stdin`, which says nothing about its place.
  private static func isPlain(_ path: String, in directory: String) -> Bool {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return false }
    return directory != "/dev" && (!directory.hasPrefix("/proc/") || directory.hasPrefix("/proc/self/cwd"))
  }

  private static func path(_ directory: String, _ name: String) -> String {
    directory == "/" ? "/\(name)" : "\(directory)/\(name)"
  }

  /// True if anything exists at `path`.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// True if `path` leads to this very file.
  package func isFile(at path: String) -> Bool {
    var (own, other) = (stat(), stat())
    return stat(self.path, &own) == 0 && stat(path, &other) == 0 && own.st_dev == other.st_dev
      && own.st_ino == other.st_ino
  }

  private static func directory(of path: String) throws(Problem) -> String {
    // No trailing slash: realpath(3) would then call faccessat2(2), which old sandboxes refuse.
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : path[..<$0] } ?? "."
    guard let resolved = realpath(String(folder), nil) else {
      throw Problem(path: path, operation: "find the directory of", code: ErrnoCode(errno))
    }
    defer { free(resolved) }
    if let text = String(validatingCString: resolved) { return text }
    return try otherName(of: String(folder), for: path)
  }

  /// A name in UTF-8 for a folder whose real name is not UTF-8. Decoding the real name would yield the name of another
  /// folder.
  private static func otherName(of folder: String, for path: String) throws(Problem) -> String {
    if folder.hasPrefix("/") { return folder }
    let name = folder == "." ? "/proc/self/cwd" : "/proc/self/cwd/\(folder)"
    guard access(name, F_OK) == 0 else {
      throw Problem(path: path, operation: "find the directory of", code: .eilseq)
    }
    return name
  }

  private static func stem(of name: String) -> String {
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    return stem.isEmpty ? name : String(stem)
  }
}

extension ManifestFile {
  /// A digest of everything that determines how a manifest is understood: the program itself, the text, the manifest's
  /// path, and the variables that it may name.
  /// - Parameter version: the program's version.
  package func digest(version: String, variables: [String: String]) -> SHA256Digest {
    var digest = RunningDigest()
    for part in [version, Self.build, directory, stem] + used(variables) {
      Array("\(part.utf8.count):\(part)".utf8).withUnsafeBytes { digest.update($0) }
    }
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finishHash()
  }

  /// The same in its parts, for a plan that is saved and for the check whether it still holds.
  package func planInputs(version: String, variables: [String: String]) -> PlanInputs {
    // The paths in a manifest from a pipe depend on the working directory, as others depend on `HOME`.
    let named =
      ["\(directory)\u{0}"]
      + (["HOME"] + namedVariables.sorted()).map { name in "\(name)=\(variables[name] ?? "")\u{0}" }
    return PlanInputs(
      manifest: path, manifestDigest: SHA256Digest(of: bytes), variables: SHA256Digest(of: named.joined().utf8),
      program: Self.program(version: version))
  }

  /// Identifies the program: another version or another build may read the same file differently.
  package static func program(version: String) -> SHA256Digest { SHA256Digest(of: "\(version) \(build)".utf8) }

  /// True if `${` occurs anywhere in the text.
  var namesVariables: Bool { !namedVariables.isEmpty }

  /// The names that follow `${` anywhere in the text.
  private var namedVariables: Set<String> {
    var names: Set<String> = []
    var position = 0
    while let dollar = bytes[position...].firstIndex(of: UInt8(ascii: "$")) {
      position = dollar + 1
      guard position < bytes.count, bytes[position] == UInt8(ascii: "{") else { continue }
      let name = bytes[(position + 1)...].prefix { $0.isNameByte }
      names.insert(String(decoding: name, as: UTF8.self))
    }
    return names
  }

  /// All variables if the manifest names any, else those that any path may depend on.
  private func used(_ variables: [String: String]) -> [String] {
    let names = bytes.contains(UInt8(ascii: "$")) ? variables.keys.sorted() : ["CREDENTIALS_DIRECTORY", "HOME"]
    return names.compactMap { name in variables[name].map { "\(name)=\($0)" } }
  }

  /// Without /proc only the version counts.
  private static var build: String {
    var facts = stat()
    guard stat("/proc/self/exe", &facts) == 0 else { return "" }
    return "\(facts.st_dev) \(facts.st_ino) \(facts.st_size) \(facts.st_mtim.tv_sec) \(facts.st_mtim.tv_nsec)"
  }
}

extension UInt8 {
  /// True for a byte that a variable's name may contain.
  fileprivate var isNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
