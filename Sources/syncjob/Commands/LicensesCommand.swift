// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SyncCore
import SyncFormats
import SyncJob

struct LicensesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "licenses", abstract: "List licences, and the devices at the licence server.",
    discussion: """
      Runs request and renew licences by themselves. A file whose licence is over is locked or removed, as \
      licenses.on_expiry says.
      """,
    subcommands: [
      LicensesListCommand.self, LicensesDevicesCommand.self, LicensesRegisterCommand.self, LicensesReleaseCommand.self,
    ], defaultSubcommand: LicensesListCommand.self)
}

struct LicensesListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the items that need a licence, and how long they have one.")

  @OptionGroup var manifest: ManifestArgument
  @OptionGroup var playlists: PlaylistOption
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let session = try Session(.read(manifest.path()), lock: nil, clock: clock, output: output)
    let scope = try playlists.scope(session.manifest)
    let (items, time, damage) = try await session.stopping { () async throws(JobError) in
      try LicenseRegistry(session.context).licensed(scope)
    }
    session.emit(damage)
    let list = LicenseList(items, at: time)
    if result.json {
      Terminal.standardOutput.write(list.jsonLines())
    } else {
      Terminal.standardOutput.write(list.text(style: session.style))
    }
  }
}

/// The options of the commands that talk to the licence server.
struct DeviceOptions: ParsableArguments {
  @OptionGroup var clock: ClockOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var output: OutputOptions

  /// Sends the request and shows the devices.
  func perform(_ request: LicenseRegistry.Request, manifest: String?, _ lock: LockOptions? = nil) async throws {
    let session = try Session(.read(manifest), lock: lock, clock: clock, output: output, needsSecrets: true)
    let (answer, warnings) = try await session.stopping { () async throws(JobError) in
      try await LicenseRegistry(session.context).devices(request)
    }
    session.emit(warnings)
    let devices: LicenseRegistry.Devices
    do throws(LicenseProblem) { devices = try answer.get() } catch {
      let server = session.manifest.licenses.server?.host ?? ""
      let registering = if case .register = request { true } else { false }
      throw CommandExit(error.words(of: server, registering: registering), error.isTemporary ? .temporary : .partial)
    }
    let listing = DeviceListing(devices.devices, maximum: devices.maximum, own: devices.own)
    if result.json {
      Terminal.standardOutput.write(listing.json())
    } else if !session.isQuiet {
      Terminal.standardOutput.write(listing.text())
    }
  }
}

/// The options of the commands that change the devices.
struct DeviceChangeOptions: ParsableArguments {
  @OptionGroup var lock: LockOptions
  @OptionGroup var rehearsal: DryRunOption

  /// A rehearsal only lists the devices.
  func perform(_ request: LicenseRegistry.Request, _ options: DeviceOptions, manifest: String?) async throws {
    try await options.perform(rehearsal.dryRun ? .list : request, manifest: manifest, lock)
  }
}

struct LicensesDevicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List the devices that are registered with the licence server.")

  @OptionGroup var manifest: ManifestArgument
  @OptionGroup var options: DeviceOptions

  func run() async throws { try await options.perform(.list, manifest: manifest.path()) }
}

struct LicensesRegisterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "register", abstract: "Register this device with the licence server.",
    discussion: """
      The first run registers by itself. This command does it again, after the device was released, or when there is \
      room for it.
      """)

  @OptionGroup var manifest: ManifestArgument
  @OptionGroup var change: DeviceChangeOptions
  @OptionGroup var options: DeviceOptions

  func run() async throws { try await change.perform(.register, options, manifest: manifest.path()) }
}

struct LicensesReleaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "release", abstract: "Release a device, so that another one can be registered.",
    discussion: """
      Without --device this device is released. What it has stays valid until its licences are over, and it gets no new \
      ones. No run registers it again.
      """)

  @Option(
    name: .long,
    help: ArgumentHelp("The id of the device, as `syncjob licenses devices` lists it.", valueName: "id"))
  var device: String?
  @OptionGroup var manifest: ManifestArgument
  @OptionGroup var change: DeviceChangeOptions
  @OptionGroup var options: DeviceOptions

  func run() async throws { try await change.perform(.release(device), options, manifest: manifest.path()) }
}
