// SPDX-License-Identifier: Apache-2.0

/// What the user declares: read, checked and complete, with every default filled in.
package struct Manifest: Equatable, Sendable {
  /// Names lock, metrics and reports; the manifest's file stem unless declared.
  package var name: String
  package var library: LibrarySettings
  package var storage: StoragePolicy
  package var downloads: DownloadPolicy
  package var alternatives: AlternativePolicy
  package var checks: CheckPolicy
  package var features: Features
  /// In the order of the file.
  package var playlists: [Playlist]
  package var report: ReportSettings
  /// In the order of the file.
  package var history: [HistorySource]

  package init(
    name: String, library: LibrarySettings, storage: StoragePolicy = .init(), downloads: DownloadPolicy = .init(),
    alternatives: AlternativePolicy = .init(), checks: CheckPolicy = .init(), features: Features = .init(),
    playlists: [Playlist] = [], report: ReportSettings = .init(), history: [HistorySource] = []
  ) {
    self.name = name
    self.library = library
    self.storage = storage
    self.downloads = downloads
    self.alternatives = alternatives
    self.checks = checks
    self.features = features
    self.playlists = playlists
    self.report = report
    self.history = history
  }
}

/// Where the library lies and how it is laid out.
package struct LibrarySettings: Equatable, Sendable {
  /// Which names are legal in the library.
  package enum Profile: String, CaseIterable, Sendable {
    case auto, posix, fat, exfat, smb
  }

  /// Absolute.
  package var path: String
  /// Absolute; `.syncjob` inside the library unless declared.
  package var state: String
  /// Nil: the built-in layout for the kind of source.
  package var layout: LayoutTemplate?
  package var profile: Profile = .auto
  package var requireMount = false

  package init(path: String, state: String? = nil) {
    self.path = path
    self.state = state ?? path + "/.syncjob"
  }
}

/// Checks on finished bytes.
package struct CheckPolicy: Equatable, Sendable {
  /// The first bytes must be those of a known media format.
  package var sniff = true
  package init() {}
}

/// Switches that turn a whole faculty off.
package struct Features: Equatable, Sendable {
  package var retry = true
  package var resume = true
  package var alternatives = true
  package var eviction = true
  package init() {}
}

/// What is written beside the library's media.
package struct ReportSettings: Equatable, Sendable {
  /// Absolute path of an extra copy of the JSON report.
  package var json: String?
  package var m3u8 = true
  package init() {}
}
