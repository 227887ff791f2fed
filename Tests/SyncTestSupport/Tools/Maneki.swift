// SPDX-License-Identifier: Apache-2.0

/// A maneki on loopback: a server of the OpenSubsonic API that takes tokens. Its ids are words, its songs have no bit rate,
/// and its API lies below `/audio`.
package final class Maneki: Sendable {
  package static let user = "alice"
  package static let password = "looking-glass"

  private let server: PeerServer

  /// - Parameters:
  ///   - songs: The files of its songs by their paths, which are `ARTIST/ALBUM/NAME`.
  ///   - pictures: The pictures beside them by their paths.
  package init(songs: [String: GeneratedAudio], pictures: [String: [UInt8]] = [:]) throws {
    server = try PeerServer(
      .maneki,
      arguments: { folder, port in
        for (name, song) in songs { try FileBytes.write(song.bytes, to: folder.file("music/\(name)")) }
        for (name, picture) in pictures { try FileBytes.write(picture, to: folder.file("music/\(name)")) }
        try FileBytes.write(
          "[server]\nusername = \"\(Self.user)\"\npassword = \"\(Self.password)\"\n",
          to: folder.file(".config/maneki/maneki.toml"))
        return [
          "serve", folder.file("music"), "--host", "127.0.0.1", "--port", "\(port)", "--no-ui", "--no-artist-images",
          "--workers", "1",
        ]
      },
      // A stranger on this port would not know the user.
      isReady: { Self.request("ping", "", at: $0)?.contains(#""status":"ok""#) == true })
  }

  /// The folder of its songs.
  package var music: String { server.folder.file("music") }

  package var url: String { "http://127.0.0.1:\(server.port)/audio" }

  /// Makes a request, such as `createPlaylist` with `name=Gym&songId=1`.
  /// - Returns: The response, head and body. Nil if there is none.
  package func request(_ method: String, _ parameters: String) -> String? {
    Self.request(method, parameters, at: server.port)
  }

  private static func request(_ method: String, _ parameters: String, at port: UInt16) -> String? {
    let login = "u=\(user)&p=\(password)&v=1.16.1&c=test&f=json"
    return PlainRequest.get(port: port, path: "/audio/rest/\(method).view?\(login)&\(parameters)")
  }
}
