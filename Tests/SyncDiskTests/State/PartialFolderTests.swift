// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDiskTestSupport
import Testing

@testable import SyncDisk

@Suite("the folder of partials")
struct PartialFolderTests {
  @Test("a name is the same in every run, another for another item or URL, and a plain component")
  func names() throws {
    let ids = ["a", "b", "../../x", "a/b", "\u{1F600}"].compactMap { ItemID($0) }
    let urls = try ["https://h.example/1", "https://h.example/2"].map { text throws(RemoteURL.Problem) in
      try RemoteURL(text)
    }
    let names = ids.flatMap { id in urls.map { PartialFolder.name(for: id, url: $0) } }
    #expect(Set(names).count == 10)
    #expect(names[0] == "ca978112ca1bbdca-8eadbe954e365022.part")
    for name in names { #expect(LibraryPath(name)?.components.count == 1) }
  }

  @Test("a name that a folder has is not used", arguments: FileSystemTwin.allCases)
  func folders(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    let partials = try StateFolder.open(work.files, inLibrary: work.root, making: true).partials
    let (id, url) = (try #require(ItemID("a")), try RemoteURL("https://h.example/1"))
    let usual = PartialFolder.name(for: id, url: url)
    #expect(try partials.folders().isEmpty)
    try work.files.makeFolders(try work.place(".syncjob/partial/\(usual)"), mode: .sharedFolder)
    try work.write(".syncjob/partial/b.part", "abc")
    let taken = try partials.folders()
    #expect(taken == [usual])
    let second = PartialFolder.name(for: id, url: url, avoiding: taken)
    #expect(second == "ca978112ca1bbdca-8eadbe954e365022-2.part")
    #expect(PartialFolder.name(for: id, url: url, avoiding: [usual, second]).hasSuffix("-3.part"))
  }

  @Test("files are listed with their sizes, and nothing else is", arguments: FileSystemTwin.allCases)
  func lists(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    let partials = try StateFolder.open(work.files, inLibrary: work.root, making: true).partials
    #expect(try partials.list().isEmpty)
    try partials.make()
    try work.write(".syncjob/partial/a.part", "abc")
    try work.files.makeFolders(try work.place(".syncjob/partial/folder"), mode: .sharedFolder)
    try work.plantLink(".syncjob/partial/link", "/etc/passwd")
    #expect(try partials.list().mapValues(\.size) == ["a.part": ByteCount(3)])
    try partials.remove("a.part")
    try partials.remove("a.part")
    #expect(try partials.list().isEmpty)
  }
}
