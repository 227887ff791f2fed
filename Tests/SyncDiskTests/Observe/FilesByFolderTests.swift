// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncDiskTestSupport
import Synchronization
import Testing

@testable import SyncDisk

@Suite("files that are examined folder by folder")
struct FilesByFolderTests {
  /// What was found at each path: a size, nothing, or an error.
  private func look(at paths: [String], in work: Workshop) throws -> [String: String] {
    var files = FilesByFolder()
    for (index, path) in paths.enumerated() { files.add(try #require(LibraryPath(path)), token: index) }
    var found: [String: String] = [:]
    try files.examine(below: work.root, work.files) { token, path, status in
      #expect(Array(paths[token].utf8) == Array(path.text.utf8))
      found["\(token)"] =
        switch status {
        case .success(let status): status.map { "\($0.size.bytes)" } ?? "nothing"
        case .failure(let error): error.isObstructed ? "obstructed" : "\(error)"
        }
    }
    return found
  }

  @Test("each is found in its folder, in whatever order they come", arguments: FileSystemTwin.allCases)
  func mixed(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    for folder in ["a", "a/b", "c"] { try work.files.makeFolders(work.place(folder), mode: .sharedFolder) }
    for (path, text) in [("top", "1"), ("a/x", "22"), ("a/b/x", "333"), ("c/x", "4444")] { try work.write(path, text) }
    let found = try look(at: ["c/x", "a/x", "top", "a/b/x", "c/y", "a/x", "gone/x"], in: work)
    #expect(found == ["0": "4", "1": "2", "2": "1", "3": "3", "4": "nothing", "5": "2", "6": "nothing"])
  }

  @Test("folders whose names differ only in their Unicode form are two folders", arguments: FileSystemTwin.allCases)
  func unicode(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    for (folder, text) in [("\u{E9}", "1"), ("e\u{301}", "22")] {
      try work.files.makeFolders(work.place(folder), mode: .sharedFolder)
      try work.write("\(folder)/x", text)
    }
    #expect(try look(at: ["\u{E9}/x", "e\u{301}/x", "\u{E9}/x"], in: work) == ["0": "1", "1": "2", "2": "1"])
  }

  @Test("a link or a file in the place of a folder is in the way of all its files", arguments: FileSystemTwin.allCases)
  func obstructed(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    try work.files.makeFolders(work.place("real"), mode: .sharedFolder)
    try work.write("real/x", "1")
    try work.plantLink("link", "real")
    try work.write("file", "1")
    let found = try look(at: ["link/x", "link/y", "file/x", "real/x"], in: work)
    #expect(found == ["0": "obstructed", "1": "obstructed", "2": "obstructed", "3": "1"])
  }

  @Test("the error of a folder is that of each of its files, and the others are found")
  func closed() throws {
    let work = try FileSystemTwin.fake.workshop()
    let files = try #require(work.files as? MemoryFileSystem)
    for folder in ["a", "b"] { try work.files.makeFolders(work.place(folder), mode: .sharedFolder) }
    for path in ["a/x", "a/y", "b/x"] { try work.write(path, "1") }
    files.state.withLock { $0.trap = DiskTrap(.open, 1, EACCES, lasts: false) }
    var denied: [Int] = []
    var looked = FilesByFolder()
    for (index, path) in ["a/x", "b/x", "a/y"].enumerated() {
      looked.add(try #require(LibraryPath(path)), token: index)
    }
    try looked.examine(below: work.root, work.files) { token, _, status in
      if case .failure(let error) = status, error.isDenied { denied.append(token) }
    }
    #expect(denied == [0, 2])
  }

  @Test("many files are each found once, in the order of their folders", arguments: FileSystemTwin.allCases)
  func many(_ twin: FileSystemTwin) throws {
    let work = try twin.workshop()
    let paths = (0..<7000).map { number in number < 5000 ? "long/\(number)" : "short \(number / 100)/\(number)" }
    for folder in Set(paths.compactMap { LibraryPath($0)?.folderText }) {
      try work.files.makeFolders(work.place(String(folder)), mode: .sharedFolder)
    }
    for (number, path) in paths.enumerated() where number % 3 != 0 {
      try work.write(path, number % 3 == 1 ? "1" : "22")
    }
    var files = FilesByFolder()
    for (token, path) in paths.enumerated() { files.add(try #require(LibraryPath(path)), token: token) }
    var found: [Int64?] = []
    var tokens: [Int] = []
    try files.examine(below: work.root, work.files) { token, _, status throws(FileError) in
      tokens.append(token)
      found.append(try status.get()?.size.bytes)
    }
    #expect(tokens == Array(paths.indices))
    #expect(found == paths.indices.map { $0 % 3 == 0 ? nil : Int64($0 % 3) })
  }

  @Test("without a library, nothing is there")
  func none() throws {
    var files = FilesByFolder()
    files.add(try #require(LibraryPath("a/x")), token: 7)
    var found: [Int] = []
    try files.examine(below: nil, MemoryFileSystem()) { token, _, status throws(FileError) in
      if try status.get() == nil { found.append(token) }
    }
    #expect(found == [7])
  }
}
