// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport
import Testing

/// Bytes that are not UTF-8 can only be passed by a shell.
@Suite("bytes that are not UTF-8")
struct ForeignBytesTests {
  private let home: LibraryFixture

  init() throws {
    home = try LibraryFixture()
    try home.declare("playlists: {}")
  }

  private func shell(_ script: String) throws -> CommandResult {
    let program = try #require(Program.syncjob)
    let line = "B=$(printf '\\351'); \(script)"
    return try Command("/bin/sh", ["-c", line, "sh", program, home.manifest], directory: home.folder.path).run()
  }

  private func folders() throws -> [String] { try FileTree.files(home.folder.path, hidden: true) }

  @Test(
    "an argument is refused with a sentence, wherever it stands",
    arguments: ["\"$1\" run \"a$B.yaml\"", "\"$1\" run \"$2\" --events \"e$B\"", "\"$1\" run -m\"$B\" --help"])
  func arguments(_ call: String) throws {
    let result = try shell(call)
    #expect(result.ending == .exited(64))
    #expect(result.standardError.contains("\\xE9"))
    #expect(result.standardError.contains("is not UTF-8; rename the file, or go to its folder first"))
    #expect(try folders() == ["manifest.yaml"])
  }

  @Test("a variable that the program reads is refused, and no other one matters")
  func variables() throws {
    let refused = try shell("SYNCJOB_EVENTS=\"e$B\" \"$1\" run \"$2\"")
    #expect(refused.ending == .exited(64))
    #expect(refused.standardError.contains("the value of $SYNCJOB_EVENTS is not UTF-8"))
    #expect(try folders() == ["manifest.yaml"])
    let manifest = try shell("SYNCJOB_MANIFEST=\"e$B\" \"$1\" run")
    #expect(manifest.ending == .exited(64))
    #expect(manifest.standardError.contains("the value of $SYNCJOB_MANIFEST is not UTF-8"))
    #expect(try shell("OTHER=\"e$B\" \"$1\" plan \"$2\"").ending == .exited(0))
  }

  @Test("a variable and a home that the manifest names are findings")
  func manifest() throws {
    for (path, call, name) in [("${LIB}", "LIB=\"$B\"", "LIB"), ("~/l", "HOME=\"/$B\"", "HOME")] {
      try FileBytes.write("version: 1\nlibrary: { path: \"\(path)\" }\nplaylists: {}\n", to: home.manifest)
      let result = try shell("\(call) \"$1\" run \"$2\"")
      #expect(result.ending == .exited(78))
      #expect(result.standardError.contains("the value of the environment variable \"\(name)\" is not UTF-8"))
      #expect(try folders() == ["manifest.yaml"])
    }
  }

  @Test("a working folder whose name is not UTF-8 is the folder that relative paths begin at")
  func workingFolder() throws {
    let result = try shell(
      "mkdir \"w$B\" && cp \"$2\" \"w$B\" && cd \"w$B\" && \"$1\" init manifest.yaml && ls -d library")
    #expect(result.ending == .exited(0), "\(result.standardError)")
    #expect(result.standardOutput.hasSuffix("library\n"))
  }
}
