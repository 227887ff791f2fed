// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncDiskTestSupport
import Testing

@Suite("every file system")
struct FileSystemContractTests {
  @Test("what was written is read, wherever in the file it went", arguments: FileSystemTwin.allCases)
  func writesAndReads(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    let file = try work.files.open(try work.place("a"), for: .creating(.sharedFile))
    try file.write(Array("world".utf8), at: 6)
    try file.write(Array("hello ".utf8), at: 0)
    try file.sync()
    #expect(try file.status().size == ByteCount(11))
    try file.close()
    #expect(try work.text("a") == "hello world")
  }

  @Test("a file is read in pieces from any offset", arguments: FileSystemTwin.allCases)
  func readsChunks(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    try work.write("a", "0123456789")
    let file = try work.files.open(try work.place("a"), for: .reading)
    var pieces: [String] = []
    try file.readChunks(of: 4, from: 1) { pieces.append(String(decoding: $0, as: UTF8.self)) }
    #expect(pieces == ["1234", "5678", "9"])
  }

  @Test("a file larger than the limit is not read", arguments: FileSystemTwin.allCases)
  func refusesLarge(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    try work.write("a", "0123456789")
    let place = try work.place("a")
    #expect(try work.files.read(place, limit: ByteCount(10))?.count == 10)
    #expect(throws: FileError(.read, place.text, .tooLarge(limit: ByteCount(9)))) {
      try work.files.read(place, limit: ByteCount(9))
    }
  }

  @Test("what is missing has no status and no bytes, and is an error to open", arguments: FileSystemTwin.allCases)
  func missing(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    for path in ["a", "no/such"] {
      #expect(try work.files.status(of: work.place(path)) == nil)
      #expect(try work.text(path) == nil)
      let error = #expect(throws: FileError.self) { try work.files.open(work.place(path), for: .writing) }
      #expect(error?.isMissing == true)
    }
  }

  @Test("a folder that is there accepts files, and one that is missing does not", arguments: FileSystemTwin.allCases)
  func writable(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    try work.files.makeFolders(work.place("a"), mode: .sharedFolder)
    try work.files.checkWritable(work.place("a"))
    let error = #expect(throws: FileError.self) { try work.files.checkWritable(work.place("b")) }
    #expect(error?.isMissing == true)
  }

  @Test("a file that must be new is refused where one is", arguments: FileSystemTwin.allCases)
  func exclusive(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    try work.write("a", "mine")
    let error = #expect(throws: FileError.self) {
      try work.files.open(work.place("a"), for: .creating(.sharedFile))
    }
    #expect(error?.isPresent == true)
    #expect(try work.text("a") == "mine")
  }

  @Test("an existing file is written over in place", arguments: FileSystemTwin.allCases)
  func overwrites(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    try work.write("a", "0123456789")
    let file = try work.files.open(try work.place("a"), for: .writingOrCreating(.sharedFile))
    try file.write(Array("AB".utf8), at: 2)
    try file.truncate(to: ByteCount(5))
    try file.close()
    #expect(try work.text("a") == "01AB4")
  }

  @Test(
    "folders are made with all that lead to them, and made again without trouble", arguments: FileSystemTwin.allCases)
  func makesFolders(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    let inner = try work.place("a/b/c")
    try work.files.makeFolders(inner, mode: .privateFolder)
    try work.files.makeFolders(inner, mode: .privateFolder)
    #expect(try work.files.status(of: inner)?.kind == .directory)
    #expect(try work.files.status(of: work.place("a"))?.mode == .privateFolder)
  }

  @Test("a file in the way of a folder is an obstruction", arguments: FileSystemTwin.allCases)
  func fileInTheWay(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    try work.write("a", "mine")
    for path in ["a", "a/b"] {
      let error = #expect(throws: FileError.self) {
        try work.files.makeFolders(work.place(path), mode: .sharedFolder)
      }
      #expect(error?.isObstructed == true)
    }
  }

  @Test("a folder is listed by the bytes of its names, each with what it is", arguments: FileSystemTwin.allCases)
  func lists(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    for name in ["b", "a", "e\u{301}", "\u{E9}", "B"] { try work.write(name, name) }
    try work.files.makeFolders(try work.place("c"), mode: .sharedFolder)
    try work.plantLink("l", "/etc")
    let entries = try work.files.list(FilePlace(work.root))
    #expect(
      entries.map { Array($0.name.utf8) } == ["B", "a", "b", "c", "e\u{301}", "l", "\u{E9}"].map { Array($0.utf8) })
    #expect(entries.map(\.status.kind) == [.file, .file, .file, .directory, .file, .symbolicLink, .file])
    #expect(entries.map(\.status.size.bytes).prefix(3) == [1, 1, 1])
    #expect(!entries.map(\.isNameExact).contains(false))
  }

  @Test("a move never replaces unless it is told to", arguments: FileSystemTwin.allCases)
  func moves(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    try work.write("a", "mine")
    try work.write("b", "theirs")
    try work.files.makeFolders(try work.place("d"), mode: .sharedFolder)
    let error = #expect(throws: FileError.self) {
      try work.files.move(work.place("a"), to: work.place("b"), replacing: false)
    }
    #expect(error?.isPresent == true)
    #expect(try work.text("b") == "theirs")
    try work.files.move(try work.place("a"), to: try work.place("d/c"), replacing: false)
    #expect(try work.text("d/c") == "mine")
    #expect(try work.text("a") == nil)
    try work.files.move(try work.place("d/c"), to: try work.place("b"), replacing: true)
    #expect(try work.text("b") == "mine")
  }

  @Test("a file may move into another root of the same disk", arguments: FileSystemTwin.allCases)
  func movesAcrossRoots(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    try work.write("a", "mine")
    let other = try work.files.openRoot(try work.place("state"), making: .privateFolder)
    try work.files.move(try work.place("a"), to: other[try #require(LibraryPath("b"))], replacing: false)
    #expect(try work.text("state/b") == "mine")
  }

  @Test("a second name is counted, and such a file is never opened to be written", arguments: FileSystemTwin.allCases)
  func links(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    try work.write("a", "mine")
    #expect(try work.files.link(work.place("a"), to: work.place("b")))
    let status = try work.files.status(of: work.place("a"))
    #expect(status?.linkCount == 2)
    #expect(try status?.identity == work.files.status(of: work.place("b"))?.identity)
    let place = try work.place("b")
    #expect(throws: FileError(.open, place.text, .hardLinked)) { try work.files.open(place, for: .writing) }
    #expect(try work.text("b") == "mine")
  }

  @Test("removing takes the file, or the empty folder, and nothing else", arguments: FileSystemTwin.allCases)
  func removes(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    try work.files.makeFolders(try work.place("d"), mode: .sharedFolder)
    try work.write("d/a", "mine")
    let error = #expect(throws: FileError.self) { try work.files.removeFolder(work.place("d")) }
    #expect(error?.isNotEmpty == true)
    try work.files.removeFile(try work.place("d/a"))
    try work.files.removeFileIfPresent(try work.place("d/a"))
    try work.files.removeFolder(try work.place("d"))
    try work.files.syncFolder(FilePlace(work.root))
    #expect(try work.files.list(FilePlace(work.root)).isEmpty)
  }

  @Test("no operation follows a symbolic link below the root", arguments: FileSystemTwin.allCases)
  func refusesLinks(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    let outside = try ScratchDirectory()
    try work.write("a", "mine")
    try work.plantLink("folder", outside.path)
    try work.plantLink("file", "\(outside.path)/target")
    let attempts: [() throws -> Void] = [
      { _ = try work.files.open(work.place("folder/x"), for: .creating(.sharedFile)) },
      { _ = try work.files.open(work.place("file"), for: .writingOrCreating(.sharedFile)) },
      { _ = try work.files.open(work.place("file"), for: .reading) },
      { _ = try work.files.list(work.place("folder")) },
      { try work.files.makeFolders(work.place("folder/x"), mode: .sharedFolder) },
      { try work.files.move(work.place("a"), to: work.place("folder/x"), replacing: false) },
      { _ = try work.files.openRoot(work.place("folder"), making: nil) },
    ]
    for (index, attempt) in attempts.enumerated() {
      let error = #expect(throws: FileError.self, "attempt \(index)") { try attempt() }
      #expect(error?.isObstructed == true, "attempt \(index): \(String(describing: error))")
    }
    #expect(try work.files.status(of: work.place("file"))?.kind == .symbolicLink)
    #expect(try POSIXFileSystem().list(FilePlace(POSIXFileSystem().openRoot(outside.path, making: nil))).isEmpty)
    #expect(try work.text("a") == "mine")
  }

  @Test("a FIFO in the place of a file is refused without waiting", arguments: FileSystemTwin.allCases)
  func refusesFIFO(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    try work.plantFIFO("p")
    for access in [FileAccess.reading, .writing, .writingOrCreating(.sharedFile)] {
      let error = #expect(throws: FileError.self) { try work.files.open(work.place("p"), for: access) }
      #expect(error?.isObstructed == true)
    }
  }

  @Test("a lock keeps every other opening out until its file is closed", arguments: FileSystemTwin.allCases)
  func locks(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    let place = try work.place("lock")
    let first = try work.files.open(place, for: .writingOrCreating(.privateFile))
    let second = try work.files.open(place, for: .writingOrCreating(.privateFile))
    #expect(try first.tryLock())
    #expect(try !second.tryLock())
    try first.close()
    #expect(try second.tryLock())
  }

  @Test("free space is not more than there is", arguments: FileSystemTwin.allCases)
  func measuresSpace(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    let space = try work.files.space(at: work.root)
    #expect(space.total > .zero)
    #expect(space.available <= space.total)
  }
}
