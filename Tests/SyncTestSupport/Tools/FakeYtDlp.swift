// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A program that takes the place of yt-dlp. For a list it runs `list`, for an item the file named like the end of the
/// item's address, or `NAME.stream` if it is to put a stream together, and it notes its arguments.
package struct FakeYtDlp {
  package let folder: TemporaryDirectory

  package init(version: String = "2026.10.26") throws {
    folder = try TemporaryDirectory("syncjob-ytdlp")
    try Script.write(
      """
      #!/bin/sh
      cd '\(folder.path)' || exit 9
      for last; do :; done
      printf '%s\\n' "$*" >> calls
      case " $* " in
        *" --version "*) echo \(version); exit ;;
        *" --flat-playlist "*) . ./list ;;
        *" -o - "*) here=$PWD; cd "$OLDPWD"; . "$here/${last##*/}.stream" ;;
        *) . "./${last##*/}" ;;
      esac

      """, to: folder.file("bin/yt-dlp"))
  }

  /// Makes it print a text.
  package func answer(_ name: String, _ text: String, then script: String = "") throws {
    try FileBytes.write(text, to: folder.file("\(name).json"))
    try FileBytes.write("cat '\(name).json'\n\(script)\n", to: folder.file(name))
  }

  package func script(_ name: String, _ script: String) throws { try FileBytes.write(script, to: folder.file(name)) }

  package var calls: [String] {
    get throws { try FileBytes.text(folder.file("calls")).split(separator: "\n").map(String.init) }
  }

  package var path: String { "\(folder.path)/bin:\(Command.variable("PATH") ?? "/usr/bin:/bin")" }
}
