// SPDX-License-Identifier: Apache-2.0

/// Matches the files of a collection with items that have no file, by one rule after another. A stronger rule takes its
/// files and items out of the weaker ones. Whatever a rule leaves in doubt is not decided by a weaker one.
package struct CollectionMatch: Sendable {
  /// The proof that a file is the item's, the strongest first.
  package enum Rule: String, CaseIterable, Sendable {
    case checksum
    /// The hash of a file that the item once had.
    case recordedHash = "recorded_hash"
    case sizeAndName = "size_and_name"
    case tags
    case name

    /// True if the bytes of the file are known to be those of the item.
    var provesBytes: Bool { self == .checksum || self == .recordedHash }

    package var confidence: StoredFile.Confidence { self == .tags || self == .name ? .low : .normal }
  }

  package struct File: Equatable, Sendable {
    /// The path from the folder of the collection.
    package var path: LibraryPath
    package var size: ByteCount

    package init(path: LibraryPath, size: ByteCount) { (self.path, self.size) = (path, size) }
  }

  /// The digests of a file.
  package struct Hashes: Equatable, Sendable {
    package var sha256: SHA256Digest
    /// Those by other algorithms, in lower-case hexadecimal.
    package var declared: [Checksum.Algorithm: String] = [:]

    package init(sha256: SHA256Digest) { self.sha256 = sha256 }
  }

  /// A file that is an item's. Both are positions.
  package struct Pair: Equatable, Sendable {
    package var item: Int
    package var file: Int
    package var rule: Rule
  }

  /// Several files for one item, or one file for several items, or several of both. All are positions.
  package struct Doubt: Equatable, Sendable {
    package var items: [Int]
    package var files: [Int]
    package var rule: Rule
  }

  /// In the order of the items.
  package private(set) var pairs: [Pair] = []
  package private(set) var doubts: [Doubt] = []

  let items: [LackingItem]
  let files: [File]
  private(set) var candidates: NameCandidates
  private var hashes: [Int: Hashes] = [:]
  /// The items that no rule has decided about.
  private(set) var openItems: Set<Int>
  private var openFiles: Set<Int>

  package init(_ items: [LackingItem], files: [File]) {
    (self.items, self.files) = (items, files)
    openItems = Set(items.indices)
    openFiles = Set(files.indices)
    candidates = NameCandidates([], [], names: [:], open: [])
  }

  /// The files that no rule has decided about.
  package var undecided: [Int] { openFiles.sorted() }

  // MARK: By bytes

  /// The files to hash before the first rules, each with the algorithms besides SHA-256.
  package var filesToHash: [(file: Int, algorithms: [Checksum.Algorithm])] {
    var bySize: [ByteCount: Set<Checksum.Algorithm?>] = [:]
    var ofAnySize: Set<Checksum.Algorithm?> = []
    for item in items {
      if let checksum = item.item.checksum {
        if let size = item.item.exactSize {
          bySize[size, default: []].insert(checksum.algorithm)
        } else {
          ofAnySize.insert(checksum.algorithm)
        }
      } else if let file = item.recorded {
        bySize[file.size, default: []].insert(nil)
      }
    }
    return files.indices.compactMap { file in
      let wanted = ofAnySize.union(bySize[files[file].size] ?? [])
      return wanted.isEmpty ? nil : (file, wanted.compactMap(\.self).sorted { $0.rawValue < $1.rawValue })
    }
  }

  /// Applies the rules about bytes.
  /// - Parameter hashes: Those of `filesToHash` that could be read.
  package mutating func match(_ hashes: [Int: Hashes]) {
    self.hashes = hashes
    var byChecksum: [Checksum: [Int]] = [:]
    var byHash: [SHA256Digest: [Int]] = [:]
    for (file, known) in hashes.sorted(by: { $0.key < $1.key }) {
      byHash[known.sha256, default: []].append(file)
      for (algorithm, hex) in known.declared {
        if let checksum = Checksum(algorithm, hex: hex) { byChecksum[checksum, default: []].append(file) }
      }
    }
    settle(.checksum, byBytes { $0.item.checksum.flatMap { byChecksum[$0] } })
    settle(.recordedHash, byBytes { $0.item.checksum == nil ? $0.recorded.flatMap { byHash[$0.sha256] } : nil })
  }

  private func byBytes(_ files: (LackingItem) -> [Int]?) -> [Claim] {
    var claimants: [[Int]: [Int]] = [:]
    for item in openItems { if let files = files(items[item]) { claimants[files, default: []].append(item) } }
    return claimants.map { Claim(items: $1, files: $0) }
  }

  // MARK: By names

  /// The files with the same size that may be one item's. If their bytes are equal, there is no doubt.
  /// - Parameter names: The names in those of the `undecided` files that have any.
  package mutating func filesToCompare(_ names: [Int: MediaNames]) -> [Int] {
    candidates = NameCandidates(items, files, names: names.mapValues { ComparedNames($0) }, open: openFiles)
    var found: Set<NameCandidates.List> = []
    for item in openItems {
      found.formUnion([candidates.bySize(item), candidates.byTags(item), candidates.byName(item, inFolders: false)])
    }
    var twins: Set<Int> = []
    for list in found {
      for (_, same) in Dictionary(grouping: candidates[list], by: { files[$0].size }) where same.count > 1 {
        twins.formUnion(same)
      }
    }
    return twins.filter { hashes[$0] == nil }.sorted()
  }

  /// Applies the rules about names.
  /// - Parameter compared: The hashes of `filesToCompare` that could be read.
  package mutating func matchByNames(_ compared: [Int: Hashes]) {
    hashes.merge(compared) { known, _ in known }
    settle(.sizeAndName, byNames { $0.bySize($1) })
    settle(.tags, byNames { $0.byTags($1) })
    // A file in the folder of its item comes before one that only has its name.
    settle(.name, byNames { $0.byName($1, inFolders: true) })
    settle(.name, byNames { $0.byName($1, inFolders: false) })
    pairs.sort { ($0.item, $0.file) < ($1.item, $1.file) }
    doubts.sort { ($0.items[0], $0.files[0]) < ($1.items[0], $1.files[0]) }
  }

  private mutating func byNames(_ list: (inout NameCandidates, Int) -> NameCandidates.List) -> [Claim] {
    var claimants: [NameCandidates.List: [Int]] = [:]
    for item in openItems { claimants[list(&candidates, item), default: []].append(item) }
    return claimants.map { Claim(items: $1, files: candidates[$0]) }
  }

  // MARK: Decisions

  /// Items that have the same candidates, and are decided together: there may be thousands of both.
  private struct Claim {
    var items: [Int]
    /// In ascending order.
    var files: [Int]
  }

  private mutating func settle(_ rule: Rule, _ candidates: [Claim]) {
    var claimants: [[Int]: [Int]] = [:]
    for claim in candidates { claimants[claim.files.filter(openFiles.contains), default: []] += claim.items }
    let claims = claimants.map { Claim(items: $1.sorted(), files: $0) }.sorted { $0.items[0] < $1.items[0] }
    // The claims to each file, and those to it alone.
    var all: [Int: [Int]] = [:]
    var sole: [Int: [Int]] = [:]
    var taken: Set<Int> = []
    var decided: Set<Int> = []
    for (number, claim) in claims.enumerated() where !claim.files.isEmpty {
      let different = differing(claim.files)
      for file in different { all[file, default: []].append(number) }
      if different.count == 1 {
        sole[different[0], default: []].append(number)
      } else {
        doubts.append(Doubt(items: claim.items, files: different, rule: rule))
        decided.formUnion(claim.items)
        taken.formUnion(different)
      }
    }
    for (file, numbers) in sole.sorted(by: { $0.key < $1.key }) {
      let own = numbers.flatMap { claims[$0].items }.sorted()
      let others = (all[file] ?? numbers).flatMap { claims[$0].items }.sorted()
      if others.count > 1, !rule.provesBytes {
        doubts.append(Doubt(items: others, files: [file], rule: rule))
        decided.formUnion(others)
      } else {
        pairs += own.map { Pair(item: $0, file: file, rule: rule) }
      }
      decided.formUnion(own)
      taken.formUnion(numbers.flatMap { claims[$0].files })
    }
    openItems.subtract(decided)
    openFiles.subtract(taken)
  }

  /// The first of each of these files whose bytes are equal. Files that were not hashed are different.
  private func differing(_ found: [Int]) -> [Int] {
    var seen: Set<SHA256Digest> = []
    return found.filter { file in hashes[file].map { seen.insert($0.sha256).inserted } ?? true }
  }
}
