// SPDX-License-Identifier: Apache-2.0

/// The files of a collection that the names of an item fit. Thousands of items may have one name, and thousands of
/// files, so each list of files is made once and shared.
struct NameCandidates {
  /// A list of files, for `subscript`. Two with the same files are equal.
  typealias List = Int

  /// The conditions that a file must meet for an item, besides a name. Items with equal conditions share their files.
  private struct Demand: Hashable {
    var key: String
    var folders: [String] = []
    var size: ByteCount?
    var names: ComparedNames
  }

  private struct SizedName: Hashable {
    var size: ByteCount
    var key: String
  }

  private enum Question: Hashable {
    case size(SizedName)
    case tags(Demand)
    case name(Demand)
    case any(of: Set<List>)
  }

  private let items: [LackingItem]
  private let files: [CollectionMatch.File]
  let itemNames: [ComparedNames]
  /// The names in the tags of the files that have any.
  let fileNames: [Int: ComparedNames]

  private var bySize: [SizedName: [Int]] = [:]
  private var byTitle: [String: [Int]] = [:]
  private var byStem: [String: [Int]] = [:]
  /// The keys of the folders on the way to each file.
  private let folders: [[String]]

  private var lists: [[Int]] = [[]]
  private var numbers: [[Int]: List] = [[]: 0]
  private var known: [Question: List] = [:]

  /// - Parameters:
  ///   - names: The names in those of the `open` files that have any.
  ///   - open: The files to choose from.
  init(_ items: [LackingItem], _ files: [CollectionMatch.File], names: [Int: ComparedNames], open: Set<Int>) {
    (self.items, self.files, fileNames) = (items, files, names)
    itemNames = items.map { ComparedNames($0.item) }
    folders = files.map(\.path.looseFolders)
    for file in open.sorted() {
      let stem = files[file].path.stem.lastComponent
      byStem[LooseName.key(stem), default: []].append(file)
      for key in LooseName.keys(of: stem) {
        bySize[SizedName(size: files[file].size, key: key), default: []].append(file)
      }
      if let title = names[file]?.title { byTitle[title, default: []].append(file) }
    }
  }

  /// The files, in ascending order.
  subscript(list: List) -> [Int] { lists[list] }

  /// The files with the size of an item and one of its names.
  mutating func bySize(_ item: Int) -> List {
    guard items[item].item.checksum == nil, let size = items[item].item.exactSize else { return 0 }
    return union(
      items[item].nameKeys.map { key in
        let name = SizedName(size: size, key: key)
        guard let files = bySize[name] else { return 0 }
        return list(.size(name)) { _ in files }
      })
  }

  /// The files whose tags are those of an item.
  mutating func byTags(_ item: Int) -> List {
    let names = itemNames[item]
    guard items[item].item.checksum == nil, let title = names.title, let files = byTitle[title] else { return 0 }
    let demand = Demand(key: title, size: items[item].item.exactSize, names: names)
    return list(.tags(demand)) { own in
      files.filter { own.fits(demand, $0) && own.fileNames[$0].map { names.isDescribed(by: $0) } ?? false }
    }
  }

  /// The files with the name of an item.
  /// - Parameter inFolders: True for those that also have the folders of the item's place.
  mutating func byName(_ item: Int, inFolders: Bool) -> List {
    guard items[item].item.checksum == nil else { return 0 }
    let names = itemNames[item]
    return union(
      items[item].places.map { place in
        let key = LooseName.key(place.stem.lastComponent)
        guard let files = byStem[key] else { return 0 }
        let demand = Demand(
          key: key, folders: inFolders ? place.looseFolders : [], size: items[item].item.exactSize, names: names)
        return list(.name(demand)) { own in
          files.filter { file in
            own.fits(demand, file) && !(own.fileNames[file].map { names.isContradicted(by: $0) } ?? false)
              && own.folders[file].ends(with: demand.folders)
          }
        }
      })
  }

  private func fits(_ demand: Demand, _ file: Int) -> Bool { demand.size.map { $0 == files[file].size } ?? true }

  // MARK: Lists

  private mutating func union(_ parts: [List]) -> List {
    let parts = Set(parts).subtracting([0])
    guard parts.count > 1 else { return parts.first ?? 0 }
    return list(.any(of: parts)) { own in Set(parts.flatMap { own.lists[$0] }).sorted() }
  }

  private mutating func list(_ question: Question, _ find: (NameCandidates) -> [Int]) -> List {
    if let list = known[question] { return list }
    let files = find(self)
    let list = numbers[files] ?? lists.count
    if list == lists.count {
      lists.append(files)
      numbers[files] = list
    }
    known[question] = list
    return list
  }
}

extension Substring {
  /// The text behind the last slash.
  fileprivate var lastComponent: Substring {
    utf8.lastIndex(of: UInt8(ascii: "/")).map { self[utf8.index(after: $0)...] } ?? self
  }
}

extension LibraryPath {
  /// The loose keys of the folders on its way.
  fileprivate var looseFolders: [String] { components.dropLast().map { LooseName.key($0) } }
}

extension [String] {
  fileprivate func ends(with other: [String]) -> Bool { suffix(other.count).elementsEqual(other) }
}
