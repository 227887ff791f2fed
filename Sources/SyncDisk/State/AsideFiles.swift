// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// Damaged files and parts of files, kept under a name with the time: `download_queue.json.corrupt-2026-11-21T060003Z`.
package struct AsideFiles {
  enum Reason: String, CaseIterable { case corrupt, torn }

  /// The number of copies that are kept; the oldest beyond it are removed.
  static let limit = 10

  private let folder: StateFolder
  private let now: Timestamp

  package init(_ folder: StateFolder, now: Timestamp) {
    self.folder = folder
    self.now = now
  }

  /// Writes a copy and returns its name.
  func keep(_ bytes: [UInt8], of file: StateFolder.File) throws(FileError) -> String {
    try underFreeName(file.rawValue, .torn) { place throws(FileError) in
      try folder.files.create(place, bytes, mode: .privateFile)
    }
  }

  /// Writes a copy of a damaged file and returns its name.
  func keepCopy(of file: StateFolder.File, _ bytes: [UInt8]) throws(FileError) -> String {
    try underFreeName(file.rawValue, .corrupt) { place throws(FileError) in
      try folder.files.create(place, bytes, mode: .privateFile)
    }
  }

  /// Renames the file itself and returns its new name.
  package func keep(_ file: StateFolder.File) throws(FileError) -> String { try keep(named: file.rawValue) }

  /// Renames whatever has this name in the state folder and returns its new name.
  package func keep(named name: String) throws(FileError) -> String {
    try underFreeName(name, .corrupt) { place throws(FileError) in
      try folder.files.move(FilePlace(folder.root, LibraryPath(name)), to: place, replacing: false)
    }
  }

  /// One copy.
  package struct Kept {
    package var place: FilePlace
    package var size: ByteCount
    /// The time in its name, else the time when it was written.
    package var keptAt: Timestamp
    /// The part of the name that holds the time, for the order.
    fileprivate var date: String
  }

  /// All copies, oldest first.
  package func list() throws(FileError) -> [Kept] {
    var kept: [Kept] = []
    for entry in try folder.files.list(FilePlace(folder.root)) where entry.status.kind == .file && entry.isNameExact {
      guard let date = Self.date(of: entry.name), let place = FilePlace(folder.root).child(entry.name) else { continue }
      let keptAt = Timestamp(folderName: date) ?? entry.status.modifiedAt
      kept.append(Kept(place: place, size: entry.status.size, keptAt: keptAt, date: date))
    }
    return kept.sorted { ($0.date, $0.place.text) < ($1.date, $1.place.text) }
  }

  /// Removes the oldest copies beyond the limit.
  package func prune() throws(FileError) {
    for old in try list().dropLast(Self.limit) { try folder.files.removeFileIfPresent(old.place) }
  }

  /// The part of a name that holds the time; nil for other files.
  private static func date(of name: String) -> String? {
    for file in StateFolder.File.allCases {
      for reason in Reason.allCases {
        let prefix = "\(file.rawValue).\(reason)-"
        if name.hasPrefix(prefix) { return String(name.dropFirst(prefix.count)) }
      }
    }
    return nil
  }

  private func underFreeName(
    _ file: String, _ reason: Reason, _ body: (FilePlace) throws(FileError) -> Void
  ) throws(FileError) -> String {
    let name = "\(file).\(reason)-\(now.folderName)"
    for attempt in 1... {
      let free = attempt == 1 ? name : "\(name)-\(attempt)"
      do throws(FileError) {
        try body(FilePlace(folder.root, LibraryPath(free)))
        return free
      } catch {
        guard error.isPresent, attempt < 1000 else { throw error }
      }
    }
    return name
  }
}

extension Timestamp {
  /// The time as a part of file and folder names, legal on every file system: `2026-11-21T060003Z`.
  var folderName: String { CivilTime(self).formatted("%Y-%m-%dT%H%M%SZ") }

  /// Reads a folder's name back; text after the time is ignored.
  package init?(folderName: String) {
    let bytes = Array(folderName.utf8)
    guard bytes.count >= 18, bytes[10] == UInt8(ascii: "T"), bytes[17] == UInt8(ascii: "Z") else { return nil }
    let text = String(decoding: bytes[0..<18], as: UTF8.self)
    let day = text.prefix(11)
    let time = text.dropFirst(11)
    self.init(rfc3339: "\(day)\(time.prefix(2)):\(time.dropFirst(2).prefix(2)):\(time.dropFirst(4))")
  }
}
