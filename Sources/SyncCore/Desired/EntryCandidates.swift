// SPDX-License-Identifier: Apache-2.0

/// The candidates of an entry whose source states several files for it, for one quality.
struct EntryCandidates {
  private(set) var urls: QualityURLs?
  /// The files of one quality, the main one first.
  private var chosen: [EntryFile]
  private var others: [EntryFile]
  private let main: RemoteURL

  /// - Parameter wanted: `source` is the main file, whatever its bit rate. The main file always counts as one of its
  ///   own bit rate, so that a change between that and `source` fetches nothing.
  init(_ entry: ListingEntry, wanted: Quality) {
    main = entry.url
    let same = entry.files.filter(\.isMain)
    chosen = same
    others = entry.files.filter { !$0.isMain && $0.quality == nil }
    let versions = entry.files.filter { !$0.isMain && $0.quality != nil }
    // Without a guid, the URL of the main file is the identity of the item.
    guard !versions.isEmpty, entry.guid != nil else { return }
    let mainQuality = same.lazy.compactMap(\.quality).first ?? entry.estimatedQuality ?? .high
    var urls = QualityURLs()
    urls.wanted = wanted
    for version in versions {
      guard let quality = version.quality, urls[exactly: quality] == nil else { continue }
      let isLower = quality.bitRate ?? .max < mainQuality.bitRate ?? .max
      if quality != mainQuality, wanted != .source || isLower { urls[exactly: quality] = version.url }
    }
    urls[exactly: mainQuality] = entry.url
    self.urls = urls
    guard let offer = urls.offer(for: wanted), offer.url != entry.url else { return }
    chosen = versions.filter { $0.quality == offer.quality }
    others = same + others
  }

  /// Sets the candidates of an item. A digest belongs to the bytes of one file, so that a file with one is fetched from
  /// its own places alone.
  func set(_ item: inout Item, duration: Duration?) {
    let offered = urls.flatMap { urls in urls.offer(for: urls.wanted)?.url } ?? main
    let checksum = chosen.lazy.compactMap(\.checksum).first
    let places = chosen.filter { checksum == nil || $0.checksum == checksum }
    if offered != main { (item.size, item.mediaType, item.main) = (nil, nil, Candidate(url: offered)) }
    (item.urls, item.checksum) = (urls, checksum)
    let fallbacks = checksum == nil ? others.map(\.url) + [main] : []
    var seen: Set<String> = [offered.identity]
    for url in places.map(\.url) + fallbacks where seen.insert(url.identity).inserted {
      item.alternatives.append(Candidate(url: url, duration: duration))
    }
  }
}

extension QualityURLs {
  fileprivate subscript(exactly quality: Quality) -> RemoteURL? {
    get { self[quality] }
    set {
      switch quality {
      case .low: low = newValue
      case .normal: normal = newValue
      case .high: high = newValue
      case .source: source = newValue
      }
    }
  }
}

extension ListingEntry {
  /// From the size and the duration that the source states. Nil without both.
  fileprivate var estimatedQuality: Quality? {
    guard let length, let seconds = duration?.components.seconds, seconds > 0 else { return nil }
    let (bits, overflow) = length.bytes.multipliedReportingOverflow(by: 8)
    return overflow ? nil : Quality(bitsPerSecond: bits / seconds)
  }
}
