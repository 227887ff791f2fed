// SPDX-License-Identifier: Apache-2.0

extension FaultServer {
  /// Serves `/NAME.mp3` for each name: a whole MP3 file whose title is the name. No two names have the same bytes.
  package func serveAudio(_ names: String..., seconds: Double = 1) {
    for name in names {
      let seed = name.utf8.reduce(1) { $0 &* 31 &+ UInt64($1) }
      serve("/\(name).mp3", Resource(bytes: GeneratedAudio(title: name, seconds: seconds, seed: seed).bytes))
    }
  }
}
