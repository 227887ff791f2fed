// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

extension Call {
  /// A run that needs no argument parser. Nil for any other call.
  /// - Throws: `UsageProblem`.
  func plainRun() throws -> RunCall? {
    guard !Self.isQuestion(arguments), case let words = try CommandWords(arguments), words.type == RunCommand.self
    else {
      return nil
    }
    return try RunCall(plain: words.rest)
  }
}

extension RunCall {
  /// A run without options, as a timer starts it: `[-q] [MANIFEST]`. For one that has nothing to do, the argument parser
  /// would take half of the whole time.
  /// - Returns: Nil for any other arguments.
  init?(plain arguments: [String]) throws {
    let isQuiet = arguments.first.map { $0 == "-q" || $0 == "--quiet" } ?? false
    let names = arguments.dropFirst(isQuiet ? 1 : 0)
    guard names.count <= 1, names.allSatisfy({ !$0.hasPrefix("-") }) else { return nil }
    self.init(
      manifest: try ManifestArgument(manifest: names.first).path(), isRehearsal: false, options: .none,
      progress: .none, lock: .none, asJSON: false, output: OutputOptions(isQuiet: isQuiet), arguments: [])
  }
}

// A value of options can be read only after it was parsed or set, so each is set here, to its default.

extension ManifestArgument {
  fileprivate init(manifest: String?) {
    self.init()
    (self.manifest, option) = (manifest, nil)
  }
}

extension RunOptions {
  fileprivate static var none: RunOptions {
    var options = RunOptions()
    (options.playlists, options.transfers) = (.none, .none)
    (options.maxDelete, options.noEvict, options.noDownload) = (nil, false, false)
    return options
  }
}

extension PlaylistOption {
  fileprivate static var none: PlaylistOption {
    var options = PlaylistOption()
    options.globs = []
    return options
  }
}

extension TransferOptions {
  fileprivate static var none: TransferOptions {
    var options = TransferOptions()
    (options.concurrency, options.retries, options.bandwidth) = (nil, nil, nil)
    (options.maxTransfer, options.maxDuration, options.waitForNetwork) = (nil, nil, nil)
    (options.clock, options.seed) = (.none, nil)
    return options
  }
}

extension ClockOptions {
  fileprivate static var none: ClockOptions {
    var options = ClockOptions()
    options.now = nil
    return options
  }
}

extension ProgressOptions {
  fileprivate static var none: ProgressOptions {
    var events = EventOptions()
    events.events = nil
    var options = ProgressOptions()
    (options.progress, options.events) = (nil, events)
    return options
  }
}

extension LockOptions {
  fileprivate static var none: LockOptions {
    var options = LockOptions()
    options.lockWait = nil
    return options
  }
}

extension OutputOptions {
  fileprivate init(isQuiet: Bool) {
    self.init()
    (quiet, verbose, noColor, logFormat) = (isQuiet, 0, false, nil)
  }
}
