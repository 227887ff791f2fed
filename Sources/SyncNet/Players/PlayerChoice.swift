// SPDX-License-Identifier: Apache-2.0
package import SyncCore
import SyncDisk
package import SyncFormats

/// Finds the player that the settings and the environment name, or one that is there.
package struct PlayerChoice: Sendable {
  private let settings: PlayerSettings
  /// `MPD_HOST` and `MPD_PORT`, as mpc(1) takes them.
  private let host: String?
  private let port: String?
  private let runtimeFolder: String?

  /// - Parameter variables: Those of the process.
  package init(_ settings: PlayerSettings, _ variables: [String: String]) {
    self.settings = settings
    func value(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }
    (host, port) = (value("MPD_HOST"), value("MPD_PORT"))
    runtimeFolder = value("XDG_RUNTIME_DIR")
  }

  /// Connects to the player, or starts it.
  package func player() async throws(PlayerProblem) -> any Player {
    switch settings.program {
    case .mpv: return try await mpv()
    case .mpd: return try await mpd()
    case .auto: break
    }
    if settings.host != nil || host != nil { return try await mpd() }
    if settings.socket != nil || PlayerProcess.exists("mpv") { return try await mpv() }
    do throws(PlayerProblem) { return try await mpd() } catch {
      guard case .notReached = error else { throw error }
      throw .none
    }
  }

  private func mpv() async throws(PlayerProblem) -> any Player {
    if let socket = settings.socket { return try await MpvPlayer.connect(socket, settings) }
    return try await MpvPlayer.start(settings)
  }

  private func mpd() async throws(PlayerProblem) -> any Player {
    if let address = try named { return try await MPDPlayer.connect(address, settings) }
    // The places in the order of libmpdclient, which mpc uses.
    let sockets = (runtimeFolder.map { ["\($0)/mpd/socket"] } ?? []) + ["/run/mpd/socket"]
    for path in sockets {
      do throws(PlayerProblem) {
        return try await MPDPlayer.connect(MPDAddress(.socket(path)), settings)
      } catch {
        guard case .notReached = error else { throw error }
      }
    }
    let place = MPDAddress.Place.host("localhost", port: try portNumber ?? MPDAddress.usualPort)
    return try await MPDPlayer.connect(MPDAddress(place), settings)
  }

  private var portNumber: Int? {
    get throws(PlayerProblem) {
      if let port = settings.port { return port }
      guard let port else { return nil }
      guard let number = Int(port), (1...65535).contains(number) else { throw .badPort(port) }
      return number
    }
  }

  /// Nil if none is named.
  private var named: MPDAddress? {
    get throws(PlayerProblem) {
      guard let host = settings.host ?? host else { return nil }
      guard let address = MPDAddress(host, port: try portNumber) else { throw .badHost(host) }
      return address
    }
  }
}
