// SPDX-License-Identifier: Apache-2.0

extension PlanDraft {
  /// Assigns names to all files that move or arrive. Files that stay keep their names first, and names of foreign files
  /// are never assigned.
  /// - Parameter misplaced: The entries whose files are not in their place.
  mutating func placeNames(_ misplaced: [Int], evicted: Set<Int>) {
    guard !misplaced.isEmpty || !fetched.isEmpty else { return }
    var names = NameAllocator(naming)
    for path in seen.occupied { _ = names.reserve(path) }
    for order in misplaced + reserved(in: &names, except: misplaced, evicted) { move(order, &names) }
    // In the order of the manifest, which is not the order of fetching.
    for order in fetched.sorted() {
      // An upgrade takes over the name of the file that it replaces.
      guard case .download(var fetch)? = steps[order] else { continue }
      (fetch.path, fetch.download.nameAttempt) = names.place(
        fetch.download.fields, in: fetch.download.layout,
        fileExtension: manifest.expectedExtension(of: fetch.download.item))
      steps.set(.download(fetch), at: order)
    }
  }

  /// The items that are kept and whose files are not in their place.
  func misplaced(_ parts: some PartRunner) -> [Int] {
    parts.run(upTo: reconciliation.entries.count) {
      [entries = reconciliation.entries, naming, time = reconciliation.licenseTime] range in
      var writer = PathWriter(naming)
      return range.filter {
        entries[$0].isKept && entries[$0].isMisplaced(&writer) && !entries[$0].isHeldLocked(at: time)
      }
    }.flatMap { $0 }
  }

  /// - Returns: Items whose name another item has as well: the names differ in case only, and the file system ignores
  ///   case.
  private func reserved(
    in names: inout NameAllocator, except misplaced: [Int], _ evicted: Set<Int>
  ) -> [Int] {
    let moving = Set(misplaced)
    var doubles: [Int] = []
    for (order, entry) in reconciliation.entries.enumerated() where !moving.contains(order) {
      guard !evicted.contains(order), let path = stayingPath(of: entry), !names.reserve(path), entry.mayMove,
        steps[order]?.action != .upgrade
      else { continue }
      doubles.append(order)
    }
    return doubles
  }

  private func stayingPath(of entry: Reconciliation.Entry) -> LibraryPath? {
    switch entry.need {
    case .adopt(let adoptable, _): adoptable.file.path
    case .remove where options.isClockPlausible: nil
    default: entry.queued.state.storedFile?.path
    }
  }

  private mutating func move(_ order: Int, _ names: inout NameAllocator) {
    let entry = reconciliation.entries[order]
    // A file that is sealed now moves in the next run.
    if case .protect? = steps[order] { return }
    guard let desired = entry.desired, let file = entry.queued.state.storedFile else { return }
    let clear = file.sealed == nil ? file.path : file.path.unsealed
    let fileExtension =
      (clear.publishedExtension ?? desired.item.expectedExtension) + (file.sealed == nil ? "" : Sealing.mark)
    let (path, attempt) = names.place(desired.fields, in: desired.layout, fileExtension: fileExtension)
    let isByHand = seen.strayed[entry.queued.id] != nil
    var reason = Reason.placedElsewhere(from: file.path)
    if isByHand {
      reason = .movedByHand(from: file.path)
    } else if file.path.isLocked, entry.queued.license != nil {
      reason = .licensedAgain(from: file.path)
    }
    let move = PlannedMove(
      id: entry.queued.id, to: .layout(desired.layout, desired.fields, fileExtension: fileExtension),
      nameAttempt: attempt)
    if case .upgrade(var fetch)? = steps[order] {
      (fetch.path, fetch.move) = (path, move)
      steps.set(.upgrade(fetch), at: order)
    } else {
      steps.set(.move(MoveStep(item(entry, reason), path: path, size: file.size, move)), at: order)
    }
  }
}

extension Reconciliation.Entry {
  /// True for a locked file that has no valid licence yet.
  fileprivate func isHeldLocked(at time: Timestamp?) -> Bool {
    $queued.wrappedValue.state.finishedPath?.isLocked == true && !hasValidLicense(at: time)
  }

  /// True if the item has a finished file that syncjob owns, the manifest names it, and it is in the run's scope.
  fileprivate var mayMove: Bool {
    guard isInScope, $desired != nil, queued.state.name == .completed else { return false }
    return switch need {
    case .keep(.present), .keep(.notSelectedAnymore): true
    default: false
    }
  }

  fileprivate func isMisplaced(_ writer: inout PathWriter) -> Bool {
    guard mayMove, let desired = $desired, let path = queued.state.finishedPath else { return false }
    // Most of a million items are in clear, and their files are not copied.
    let isSealed = path.isSealed && queued.state.storedFile?.sealed != nil
    let known = (isSealed ? path.unsealed : path).fileExtension
    // For the comparison any text after the dot will do. Its meaning is checked when the file has to move.
    let fileExtension =
      (known.isLikeAnExtension ? String(known) : desired.wrappedValue.item.expectedExtension)
      + (isSealed ? Sealing.mark : "")
    return !writer.isPlace(
      path, of: desired.wrappedValue.fields, in: desired.wrappedValue.layout, fileExtension: fileExtension)
  }
}

extension LibraryPath {
  /// The extension if published files can have it, otherwise nil.
  fileprivate var publishedExtension: String? {
    fileExtension == "bin"
      ? "bin"
      : MediaType(fileExtension: fileExtension)?.fileExtension ?? ImageType(fileExtension: fileExtension)?.fileExtension
  }
}

extension Substring {
  /// True for up to five lower-case ASCII letters and digits.
  fileprivate var isLikeAnExtension: Bool {
    !isEmpty && utf8.count <= 5
      && utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }
}

/// Assigns unique names in the library. Names are assigned in the order of the manifest, so of two items that want the
/// same name always the same one gets it, whichever arrives first.
struct NameAllocator {
  private let naming: FileNaming
  private var taken: Set<NameKey> = []
  private var writer: PathWriter

  init(_ naming: FileNaming) {
    self.naming = naming
    writer = PathWriter(naming)
  }

  /// Returns false if the name is taken.
  mutating func reserve(_ path: LibraryPath) -> Bool { taken.insert(naming.key(path)).inserted }

  /// Finds and reserves the first free name for an item.
  mutating func place(
    _ fields: LayoutFields, in layout: LayoutTemplate, fileExtension: String
  ) -> (path: LibraryPath, attempt: Int) {
    // Later attempts contain the item's own tag and a number, so few of them can be taken.
    for attempt in 0... {
      let path = writer.path(layout, fields, fileExtension: fileExtension, attempt: attempt)
      if reserve(path) { return (path, attempt) }
    }
    preconditionFailure("there is no last number")
  }
}
