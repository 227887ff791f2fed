// SPDX-License-Identifier: Apache-2.0

/// The user's declarations: read, checked and complete, with all defaults filled in.
package struct Manifest: Equatable, Sendable {
  /// The name used for lock, metrics and reports. The file stem of the manifest by default.
  package var name: String
  package var library: LibrarySettings
  package var storage: StoragePolicy
  package var downloads: DownloadPolicy
  package var alternatives: AlternativePolicy
  package var checks: CheckPolicy
  package var tags: TagPolicy
  package var features: Features
  /// In the order of the file.
  package var servers: [MediaServer]
  /// In the order of the file.
  package var playlists: [Playlist]
  package var report: ReportSettings
  package var hooks: HookSettings
  /// In the order of the file.
  package var history: [HistorySource]
  /// In the order of the file.
  package var historyServers: [HistoryServer]
  package var protect: ProtectPolicy
  package var licenses: LicensePolicy
  package var power: PowerPolicy
  package var player: PlayerSettings

  package init(
    name: String, library: LibrarySettings, storage: StoragePolicy = .init(), downloads: DownloadPolicy = .init(),
    alternatives: AlternativePolicy = .init(), checks: CheckPolicy = .init(), tags: TagPolicy = .init(),
    features: Features = .init(), servers: [MediaServer] = [], playlists: [Playlist] = [],
    report: ReportSettings = .init(), hooks: HookSettings = .init(), history: [HistorySource] = [],
    historyServers: [HistoryServer] = [], protect: ProtectPolicy = .init(), licenses: LicensePolicy = .init(),
    power: PowerPolicy = .init(), player: PlayerSettings = .init()
  ) {
    self.name = name
    self.library = library
    self.storage = storage
    self.downloads = downloads
    self.alternatives = alternatives
    self.checks = checks
    self.tags = tags
    self.features = features
    self.servers = servers
    self.playlists = playlists
    self.report = report
    self.hooks = hooks
    self.history = history
    self.historyServers = historyServers
    self.protect = protect
    self.licenses = licenses
    self.power = power
    self.player = player
  }
}

/// The place of the library and its layout.
package struct LibrarySettings: Equatable, Sendable {
  /// The rules for legal names in the library.
  package enum Profile: String, CaseIterable, Sendable {
    case auto, posix, fat, exfat, smb
  }

  /// Absolute.
  package var path: String
  /// Absolute path of the state directory, by default `.syncjob` inside the library.
  package var state: String
  /// Nil for the built-in layout of the source's kind.
  package var layout: LayoutTemplate?
  package var profile: Profile = .auto
  package var requireMount = false
  /// Absolute path of a folder for unfinished media (`protect.partials`). Nil for the folder in the library.
  package var partials: String?

  package init(path: String, state: String? = nil) {
    self.path = path
    self.state = state ?? path + "/.syncjob"
  }
}

/// Checks on finished files.
package struct CheckPolicy: Equatable, Sendable {
  /// What happens to a file whose real duration differs from the declared one.
  package enum OfDuration: String, CaseIterable, Sendable { case off, warn, reject }

  /// The first bytes must be those of a known media format.
  package var sniff = true
  package var duration = OfDuration.warn
  package init() {}
}

/// Switches that turn off a whole feature.
package struct Features: Equatable, Sendable {
  package var retry = true
  package var resume = true
  package var alternatives = true
  package var eviction = true
  package init() {}
}

/// Files that are written in addition to the media.
package struct ReportSettings: Equatable, Sendable {
  /// Absolute path of an extra copy of the JSON report.
  package var json: String?
  /// Absolute path of the page about the library and its runs.
  package var html: String?
  /// Absolute path of the metrics for Prometheus.
  package var metrics: String?
  /// Nil if no monitor is told.
  package var ping: PingSettings?
  package var m3u8 = true
  package var xspf = false
  /// True if the playlist files name sealed files, too.
  package var sealedInPlaylists = false
  /// Sources that have had nothing new for longer than this are warned about. Nil for none.
  package var staleAfter: Duration?
  package init() {}

  /// The formats in which each playlist is written into the library.
  package var playlistFormats: [PlaylistFormat] { (m3u8 ? [.m3u8] : []) + (xspf ? [.xspf] : []) }
}

/// A format of playlist files. The raw value is the extension of their names.
package enum PlaylistFormat: String, CaseIterable, Sendable { case m3u8, xspf }

/// Folders of the operating system (Filesystem Hierarchy Standard 3.0), which are hardly ever meant as a library.
package enum SystemFolders {
  private static let alone: Set<String> = [
    "/", "/dev", "/dev/shm", "/home", "/media", "/mnt", "/opt", "/root", "/run", "/srv", "/tmp", "/usr/local", "/var",
    "/var/lib", "/var/tmp",
  ]
  private static let withAllBelow = [
    "/bin", "/boot", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/sbin", "/sys", "/usr", "/var/cache",
    "/var/log",
  ]

  /// - Parameter path: An absolute path without `.` and `..`.
  package static func contains(_ path: String) -> Bool {
    if alone.contains(path) { return true }
    // The second is an alias for the working directory, which may be anywhere.
    guard !path.hasPrefix("/usr/local/"), !path.hasPrefix("/proc/self/cwd/") else { return false }
    return withAllBelow.contains { path == $0 || path.hasPrefix("\($0)/") }
  }
}
