// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A real MPD without sound, with a folder of its own.
package final class TestMPD: Sendable {
  private let server: PeerServer

  /// - Parameter output: The lines of its output. Null plays at the usual speed without sound.
  package init(output: String = "type \"null\"\nname \"none\"", music: String? = nil) throws {
    server = try PeerServer(
      .mpd,
      arguments: { folder, port in
        try FileBytes.write("", to: folder.file("music/.keep"))
        let text = """
          music_directory "\(music ?? folder.file("music"))"
          playlist_directory "\(folder.path)"
          db_file "\(folder.file("db"))"
          state_file "\(folder.file("state"))"
          sticker_file "\(folder.file("stickers"))"
          bind_to_address "127.0.0.1"
          bind_to_address "\(folder.file("socket"))"
          port "\(port)"
          zeroconf_enabled "no"
          audio_output {
          \(output)
          }
          input {
          plugin "curl"
          }
          """
        try FileBytes.write(text + "\n", to: folder.file("mpd.conf"))
        return ["--no-daemon", folder.file("mpd.conf")]
      }, isReady: { PlainRequest.send("close\n", port: $0)?.starts(with: Array("OK MPD".utf8)) == true })
  }

  package var port: UInt16 { server.port }
  package var socket: String { server.folder.file("socket") }
  package func file(_ name: String) -> String { server.folder.file(name) }
}

/// The home of an mpv without sound.
package enum TestMpv {
  /// - Returns: The variables for a program that starts it.
  package static func variables(in folder: TemporaryDirectory, _ settings: String = "ao=null") throws -> [String:
    String]
  {
    try FileBytes.write(settings + "\n", to: folder.file("mpv/mpv.conf"))
    return ["MPV_HOME": folder.file("mpv")]
  }
}
