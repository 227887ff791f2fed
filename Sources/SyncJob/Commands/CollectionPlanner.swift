// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncDisk
import SyncNet

/// The plan of an import of files.
struct CollectionPlan: Sendable {
  let items: [LackingItem]
  var result: CollectionImport
  /// One for each line of the result.
  var orders: [CollectionIntake.Order] = []

  init(_ items: [LackingItem], _ result: CollectionImport) { (self.items, self.result) = (items, result) }
}

/// Finds the files of a collection and matches them with the items that lack one. Reads files, changes nothing.
struct CollectionPlanner {
  let context: JobContext
  let library: Library
  let walk: CollectionWalk
  let isMove: Bool
  let emit: @Sendable (RunEvent) -> Void

  private var manifest: Manifest { context.manifest }
  private var naming: FileNaming { library.rules.naming }

  /// - Parameter queue: The files of its items are not looked at.
  func plan(_ plan: inout CollectionPlan, _ room: ImportRoom, besides queue: Queue) async throws(FileError) {
    let owned = Set(queue.items.compactMap { $0.state.storedFile.map { naming.key($0.path) } })
    let finds = try walk.finds(besides: owned)
    plan.result.unread = finds.unread
    var match = CollectionMatch(plan.items, files: finds.files.map { .init(path: $0.path, size: $0.size) })
    let hashes = await hashes(match.filesToHash, finds.files, &plan.result)
    match.match(hashes)
    let names = plan.items.isEmpty ? [:] : await names(match.undecided.map { ($0, finds.files[$0].path) }, &plan.result)
    let compared = await self.hashes(match.filesToCompare(names).map { ($0, []) }, finds.files, &plan.result)
    match.matchByNames(compared)
    guard !Task.isCancelled else { return }
    var budget = room
    let last = Dictionary(match.pairs.enumerated().map { ($1.file, $0) }, uniquingKeysWith: max)
    for (number, pair) in match.pairs.enumerated() {
      let isLast = last[pair.file] == number
      add(pair, finds.files[pair.file], isLast: isLast, to: &plan, &budget, hashes[pair.file])
    }
    plan.result.doubts = match.doubts.map { doubt in
      .init(
        items: doubt.items.map { plan.items[$0].id }, titles: doubt.items.map { plan.items[$0].item.title },
        files: doubt.files.map { finds.files[$0].path }, rule: doubt.rule)
    }
    plan.result.nearMisses = match.nearMisses().map { miss in
      .init(
        id: plan.items[miss.item].id, title: plan.items[miss.item].item.title, file: finds.files[miss.file].path,
        gap: miss.gap)
    }
    let known = Set(match.pairs.map(\.file) + match.doubts.flatMap(\.files))
    note(finds.files.indices.filter { !known.contains($0) }.map { finds.files[$0].path }, &plan.result)
    plan.result.lacking = plan.items.count - Set(match.pairs.map(\.item)).count
  }

  /// Notes the files that match no item. One that may not be read could be anybody's.
  private func note(_ unmatched: [LibraryPath], _ result: inout CollectionImport) {
    for path in unmatched where result.unread.files[path] == nil {
      do throws(FileError) {
        _ = try library.files.open(walk.folder[path], for: .reading)
        result.unmatched.append(path)
      } catch {
        if !error.isMissing { result.unread.refused.append(error) }
      }
    }
  }

  // MARK: Reading files

  private func hashes(
    _ wanted: [(file: Int, algorithms: [Checksum.Algorithm])], _ files: [CollectionFile],
    _ result: inout CollectionImport
  ) async -> [Int: CollectionMatch.Hashes] {
    let orders = wanted.flatMap { file, algorithms in
      (algorithms.isEmpty ? [nil] : algorithms.map { $0 }).map { (file: file, algorithm: $0) }
    }
    let digests = await ParallelHasher(files: library.files).digests(
      of: orders.map { .init(place: walk.folder[files[$0.file].path], algorithm: $0.algorithm) }, telling: emit)
    var hashes: [Int: CollectionMatch.Hashes] = [:]
    for (order, digest) in zip(orders, digests) {
      switch digest {
      case .success(let digest)?:
        var known = hashes[order.file] ?? CollectionMatch.Hashes(sha256: digest.sha256)
        if let algorithm = order.algorithm { known.declared[algorithm] = digest.declared }
        hashes[order.file] = known
      case .failure(let failure)?: result.unread.files[files[order.file].path] = failure
      case nil: break
      }
    }
    return hashes
  }

  private func names(
    _ files: [(Int, LibraryPath)], _ result: inout CollectionImport
  ) async -> [Int: MediaNames] {
    var names: [Int: MediaNames] = [:]
    guard let tags = context.tags else { return names }
    for (number, (file, path)) in files.enumerated() where !Task.isCancelled {
      emit(.worked(RunWork(.readingFiles, done: number, of: files.count)))
      let ending = MediaType(fileExtension: String(path.fileExtension).lowercased())?.fileExtension
      let media = MediaFile(path: walk.folder[path].text, fileExtension: ending ?? "")
      do throws(TagProblem) { names[file] = try await tags.names(in: media) } catch {
        result.tagProblem = error
        return names
      }
    }
    return names
  }

  // MARK: Lines

  /// - Parameter isLast: False if another item gets a copy of the file, too.
  private func add(
    _ pair: CollectionMatch.Pair, _ file: CollectionFile, isLast: Bool, to plan: inout CollectionPlan,
    _ room: inout ImportRoom, _ hashes: CollectionMatch.Hashes?
  ) {
    let item = plan.items[pair.item]
    let ending = String(file.path.fileExtension).lowercased()
    let path = item.place(MediaType(fileExtension: ending)?.fileExtension ?? ending, naming)
    let way = CollectionImport.Way(pair.rule, method(file, path, isLast: isLast))
    var line = CollectionImport.Line(item, from: file.path, to: path, size: file.size, way)
    if let failure = failure(file) {
      line.outcome = .failed(failure)
    } else if let shortage = room.take(
      file.size, of: line.playlist, takesSpace: way.method == .copy || !file.isMovable)
    {
      line.outcome = .deferred(shortage)
    }
    plan.result.lines.append(line)
    plan.orders.append(CollectionIntake.Order(item, file, way, sha256: hashes?.sha256))
  }

  /// A file in the library itself is not doubled.
  private func method(
    _ file: CollectionFile, _ path: LibraryPath, isLast: Bool
  ) -> CollectionImport.Method {
    guard isLast else { return .copy }
    guard let own = file.inLibrary else { return isMove ? .move : .copy }
    guard file.isMovable else { return .copy }
    return naming.key(own) == naming.key(path) ? .adopt : .move
  }

  private func failure(_ file: CollectionFile) -> Failure? {
    let rules = TransferRules(
      manifest.downloads, manifest.features, largest: library.rules.maximumFileSize)
    guard file.size <= rules.maxItemSize else { return rules.tooLarge }
    do throws(Failure) {
      try walk.examine(file.path, sniffs: manifest.checks.sniff)
      return nil
    } catch { return error }
  }
}
