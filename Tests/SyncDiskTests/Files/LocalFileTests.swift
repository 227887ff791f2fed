// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncDiskTestSupport
import Testing

@testable import SyncDisk

@Suite("a local file that a list names")
struct LocalFileTests {
  private let work: Workshop
  private let folder: String
  private var roots: LocalRoots { LocalRoots(list: path("music/list.m3u")) }

  init() throws {
    work = try FileSystemTwin.real.workshop()
    folder = try #require(work.directory).path
    for name in ["music/sub", "other"] { try work.files.makeFolders(work.place(name), mode: .sharedFolder) }
    for name in ["music/a b.mp3", "music/sub/c.mp3", "other/secret.mp3"] { try write("bytes", name) }
  }

  private func path(_ name: String) -> String { "\(folder)/\(name)" }

  private func write(_ text: String, _ name: String) throws {
    try work.files.create(work.place(name), Array(text.utf8), mode: .sharedFile)
  }

  private func open(_ name: String, _ roots: LocalRoots? = nil) throws -> LocalFile {
    try LocalFile(RemoteURL(file: path(name).utf8), below: roots ?? self.roots)
  }

  private func problem(_ name: String, _ roots: LocalRoots? = nil) -> LocalFileProblem? {
    do { _ = try open(name, roots) } catch {
      if case .localFile(_, let problem)? = error as? Failure { return problem }
    }
    return nil
  }

  @Test("is read below a root, also through a link that stays there")
  func below() throws {
    symlink("sub/c.mp3", path("music/link.mp3"))
    symlink("sub", path("music/folder"))
    for name in ["music/a b.mp3", "music/sub/c.mp3", "music/link.mp3", "music/folder/c.mp3"] {
      #expect(try open(name).size == ByteCount(5))
    }
    #expect(try open("other/secret.mp3", LocalRoots(list: "/x/l", others: [path("other")])).size == ByteCount(5))
  }

  @Test("is refused elsewhere, and behind a link that leads out of the root")
  func outside() throws {
    symlink("../other/secret.mp3", path("music/out.mp3"))
    symlink("../other", path("music/way"))
    symlink(path("music/a b.mp3"), path("music/absolute.mp3"))
    for name in ["other/secret.mp3", "music/out.mp3", "music/way/secret.mp3", "music/absolute.mp3"] {
      #expect(problem(name) == .outsideRoots, "\(name)")
    }
    #expect(problem("music/a b.mp3", LocalRoots()) == .outsideRoots)
    #expect(throws: Failure.localFile(path: "/etc/shadow", .outsideRoots)) {
      try LocalFile(RemoteURL(file: "/etc/shadow".utf8), below: roots)
    }
  }

  @Test("is a regular file, and nothing else is waited for")
  func kinds() throws {
    mkfifo(path("music/pipe.mp3"), 0o644)
    symlink("pipe.mp3", path("music/pipelink.mp3"))
    symlink("loop.mp3", path("music/loop.mp3"))
    for name in ["music/pipe.mp3", "music/pipelink.mp3", "music/sub"] { #expect(problem(name) == .notAFile) }
    #expect(problem("music/gone.mp3") == .unreadable(.enoent) && problem("music/a b.mp3/x") == .unreadable(.enotdir))
    #expect(problem("music/loop.mp3") == .unreadable(.eloop))
    #expect(throws: Failure.localFile(path: "/dev/null", .notAFile)) {
      try LocalFile(RemoteURL(file: "/dev/null".utf8), below: LocalRoots(list: "/l", others: ["/dev"]))
    }
  }

  @Test("is examined before it is copied")
  func contents() async throws {
    try write("", "music/empty.mp3")
    for (name, problem) in [("empty", LocalFileProblem.empty), ("a b", .notMedia(found: "plain text"))] {
      let path = self.path("music/\(name).mp3")
      let opened = await LocalFile.open(try RemoteURL(file: path.utf8), below: roots, mayBeImage: false)
      guard case .failure(let failure) = opened else {
        Issue.record("\(name) was opened")
        continue
      }
      #expect(failure == .localFile(path: path, problem))
    }
    let any = await LocalFile.open(
      try RemoteURL(file: path("music/a b.mp3").utf8), below: roots, mayBeImage: nil)
    #expect(try any.get().changeSinceOpened == nil)
  }

  @Test("that changes while it is copied is noticed, and one that is replaced is the old one")
  func changes() throws {
    let file = try open("music/a b.mp3")
    try write("other", "music/new.mp3")
    rename(path("music/new.mp3"), path("music/a b.mp3"))
    #expect(file.changeSinceOpened == nil)
    let other = try open("music/sub/c.mp3")
    try work.files.open(work.place("music/sub/c.mp3"), for: .writing).truncate(to: ByteCount(3))
    #expect(other.changeSinceOpened == .localFile(path: other.path, .changed))
  }

  @Test("has a size for the plan")
  func size() throws {
    #expect(LocalFile.size(of: try RemoteURL(file: path("music/a b.mp3").utf8)) == ByteCount(5))
    for name in ["music", "music/gone"] {
      #expect(LocalFile.size(of: try RemoteURL(file: path(name).utf8)) == nil)
    }
  }
}
