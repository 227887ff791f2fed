// SPDX-License-Identifier: Apache-2.0

import Glibc
import SyncTestSupport
import Testing

/// A long manifest is kept in a form that is read quickly. These tests compare a plan with the cache with one without.
@Suite("the cache of a long manifest")
struct LongManifestTests {
  private let home: LibraryFixture
  private let caches: String

  init() throws {
    home = try LibraryFixture()
    caches = home.folder.file("caches")
    try declare("A")
  }

  private var folder: String { "\(caches)/syncjob" }

  private func declare(_ title: String, padding: Int = 1 << 20, more: String = "") throws {
    let line = "# one of many lines that only make the file longer\n"
    try home.declare(
      String(repeating: line, count: padding / line.utf8.count + 1) + """
        downloads: { network: { allow_private: true } }\(more)
        playlists: { p: { items: [{ id: a, title: "\(title)", url: "http://127.0.0.1:1/a.mp3", size: 1000 }] } }
        """)
  }

  private func plan(_ command: String = "plan", cache: String? = nil) throws -> CommandResult {
    var command = home.command(command)
    command.environment["XDG_CACHE_HOME"] = cache ?? caches
    return try command.run()
  }

  private func planText(cache: String? = nil) throws -> String {
    let result = try plan(cache: cache)
    #expect(result.ending == .exited(0) && result.standardError.isEmpty, "\(result)")
    return result.standardOutput.withoutFreeSpace
  }

  private func cacheFiles() throws -> [String] { try FileTree.files(caches, hidden: true) }

  @Test("is private, one for each manifest, and changes no plan")
  func same() throws {
    let without = try planText(cache: "/dev/null")
    #expect(without.contains("A.mp3"), "\(without)")
    #expect(access(caches, F_OK) != 0)
    for _ in 1...2 {
      #expect(try planText() == without)
      #expect(try cacheFiles().count == 1)
    }
    for (path, mode) in [(folder, mode_t(0o700)), ("\(caches)/\(try cacheFiles()[0])", 0o600)] {
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == mode, "\(path)")
    }
    try declare("B")
    #expect(try planText() == without.replacing("A.mp3", with: "B.mp3"))
    #expect(try cacheFiles().count == 1)
  }

  @Test("is made anew when it is damaged")
  func damaged() throws {
    let good = try planText()
    let path = "\(caches)/\(try cacheFiles()[0])"
    let bytes = try FileBytes.read(path)
    for damaged in [[], Array(bytes.dropLast()), bytes.map { $0 == UInt8(ascii: "A") ? UInt8(ascii: "C") : $0 }] {
      try FileBytes.write(damaged, to: path)
      #expect(try planText() == good)
      #expect(try FileBytes.read(path) == bytes)
    }
  }

  @Test("hides no mistake, and is not written for a manifest that names variables or is short")
  func absent() throws {
    #expect(try plan().ending == .exited(0))
    try declare("A", more: "\nstorage: { budgett: 1GB }")
    #expect(try plan().ending == .exited(78))
    for (padding, more) in [(1 << 20, "\nname: \"${SHELL:-x}\""), (0, "")] {
      if access(folder, F_OK) == 0 { try FileTree.remove(folder) }
      try declare("A", padding: padding, more: more)
      #expect(try plan().ending == .exited(0))
      #expect(access(folder, F_OK) != 0)
    }
  }

  @Test("is done without where it cannot be written")
  func obstructed() throws {
    let without = try planText(cache: "/dev/null")
    try FileBytes.write([], to: caches)
    #expect(try planText() == without)
  }

  @Test("is not used by validate, which reads the manifest itself")
  func validate() throws {
    let without = try plan("validate", cache: "/dev/null")
    #expect(try plan().ending == .exited(0))
    #expect(try plan("validate").standardOutput == without.standardOutput)
  }
}
