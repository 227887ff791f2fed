// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// The parts of the manual page that the description of the command line does not contain.
enum ManualPageWords {
  static let purpose = "keep a media library in step with a YAML manifest"

  static var end: [(title: String, entries: [(term: String, text: String)])] {
    [
      ("EXIT STATUS", statuses.map { (String($0.rawValue), meaning(of: $0)) }),
      ("ENVIRONMENT", environment), ("FILES", files), ("\"SEE ALSO\"", seeAlso),
    ]
  }

  private static let statuses = ExitStatus.allCases

  private static func meaning(of status: ExitStatus) -> String {
    switch status {
    case .ok: "Done, or nothing to do."
    case .fatal: "A fatal error."
    case .changesPending: "Changes are pending (only with `plan --detailed-exitcode`)."
    case .partial: "The run finished, but an item or a source failed for good, or part of the state was lost."
    case .storage: "The disk is full, or the budget or the free space cannot be met."
    case .temporary: "The run finished, and only temporary failures remain."
    case .maxTransfer: "The limit of `--max-transfer` was reached."
    case .maxDuration: "The limit of `--max-duration` was reached."
    case .locked: "Another run holds the lock."
    case .safety: "A safety stop: the library is not mounted, too much would be removed, or a plan is stale."
    case .usage: "A mistake in the command line."
    case .manifestInvalid: "The manifest is not valid."
    case .hungUp: "Stopped by SIGHUP."
    case .interrupted: "Stopped by SIGINT."
    case .terminated: "Stopped by SIGTERM."
    }
  }

  private static let environment = [
    ("SYNCJOB_MANIFEST", "The manifest, if no other is named."),
    ("SYNCJOB_METERED", "yes or no: whether the network is metered, whatever the system says."),
    (
      "SYNCJOB_FLAG",
      "The value of a long flag: SYNCJOB_LOCK_WAIT for `--lock-wait`. A flag without a value takes 1, true, yes, on, 0, "
        + "false, no or off. A name that belongs to no flag is an error."
    ),
    ("NO_COLOR", "No colour."),
    ("http_proxy, https_proxy, all_proxy, no_proxy", "The proxies, unless the manifest names another."),
    ("CREDENTIALS_DIRECTORY", "The folder in which systemd puts the files of LoadCredential=."),
    ("XDG_CACHE_HOME", "The folder of the caches, which can be deleted at any time."),
  ]

  private static let files = [
    ("./syncjob.yaml", "The manifest, if no other is named."),
    (".syncjob/download_queue.json", "The queue file in the library: every item with its state."),
    (".syncjob/reports/", "The JSON reports of the last runs."),
    (".syncjob/trash/", "Removed media, which `syncjob undo` restores."),
    (
      "share/syncjob/\(ManifestSchema.fileName)",
      "The JSON Schema of the manifest, below the prefix of the installation."
    ),
  ]

  private static let seeAlso = [
    ("", "systemd.timer(5), crontab(5), yt-dlp(1)"),
    ("", "The complete manual is in share/doc/syncjob/manual, below the prefix of the installation."),
  ]
}
