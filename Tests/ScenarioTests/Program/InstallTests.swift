// SPDX-License-Identifier: Apache-2.0
import SyncTestSupport
import Testing

@Suite("make install")
struct InstallTests {
  private static let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()

  private func install(_ arguments: [String], into folder: String, prefix: String = "/opt/sync") throws -> CommandResult
  {
    var environment = Command.plainEnvironment
    environment["PREFIX"] = prefix
    environment["DESTDIR"] = folder
    environment["PROGRAM"] = Program.syncjob
    environment["TAGS_PROGRAM"] = "/bin/true"
    return try Command("\(Self.root)/scripts/install", arguments, environment: environment).run(timeout: 60)
  }

  @Test("puts every file into its place, and uninstall removes every one")
  func places() throws {
    let folder = try TemporaryDirectory("syncjob-install")
    for _ in 1...2 {
      let result = try install([], into: folder.path)
      #expect(result.ending == .exited(0) && result.standardError == "", "\(result.standardError)")
    }
    let files = try FileTree.files(folder.file("opt/sync"), hidden: true)
    let expected = [
      "bin/syncjob", "libexec/syncjob/syncjob-tags", "share/man/man1/syncjob.1",
      "share/bash-completion/completions/syncjob", "share/zsh/site-functions/_syncjob",
      "share/fish/vendor_completions.d/syncjob.fish", "share/syncjob/syncjob.schema.json",
      "lib/systemd/system/syncjob@.service", "lib/systemd/system/syncjob@.timer", "share/doc/syncjob/manual/README.md",
      "share/doc/syncjob/examples/car-stick.yaml", "share/doc/syncjob/LICENSE",
    ]
    for file in expected { #expect(files.contains { $0 == file || $0 == "/\(file)" }, "\(file) of \(files)") }
    let unit = try FileBytes.text(folder.file("opt/sync/lib/systemd/system/syncjob@.service"))
    #expect(unit.contains("\nExecStart=/opt/sync/bin/syncjob -q "))
    #expect(try install(["--uninstall"], into: folder.path).ending == .exited(0))
    #expect(try FileTree.files(folder.path, hidden: true).isEmpty)
  }

  @Test("the program that is installed names its own schema in a starter manifest")
  func schema() throws {
    let folder = try TemporaryDirectory("syncjob-install")
    #expect(try install([], into: "", prefix: folder.file("usr")).ending == .exited(0))
    let manifest = folder.file("car.yaml")
    let result = try Command(folder.file("usr/bin/syncjob"), ["init", "-q", manifest]).run()
    #expect(result.ending == .exited(0), "\(result.standardError)")
    let text = try FileBytes.text(manifest)
    #expect(text.hasPrefix("# yaml-language-server: $schema=\(folder.file("usr/share/syncjob/syncjob.schema.json"))\n"))
  }

  @Test("without a built program it says what to do, and a relative prefix is refused")
  func refusals() throws {
    let folder = try TemporaryDirectory("syncjob-install")
    let relative = try install([], into: folder.path, prefix: "opt")
    #expect(relative.ending == .exited(1) && relative.standardError.contains("must be an absolute path"))
    var environment = Command.plainEnvironment
    (environment["PROGRAM"], environment["DESTDIR"]) = (folder.file("none"), folder.path)
    let missing = try Command("\(Self.root)/scripts/install", [], environment: environment).run()
    #expect(missing.ending == .exited(1) && missing.standardError.contains("Run `make release` first"))
    #expect(try FileTree.files(folder.path, hidden: true).isEmpty)
  }
}
