// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The real yt-dlp with a plugin that takes the place of its search of the biggest site, and knows the pages of one
/// server on loopback. So the command line is the one that users have.
package struct LabYtDlp {
  package enum Problem: Error { case notInstalled }

  private let folder: TemporaryDirectory

  /// - Parameter server: Answers `/search.json` with `{"results": […]}`, in which `{"fail": "words"}` ends the search
  ///   with an error, each page with the JSON of its medium, and `/list/NAME` with `{"id": …, "title": …, "results": […]}`.
  package init(server: String) throws {
    guard let program = Tool.ytdlp.path else { throw Problem.notInstalled }
    folder = try TemporaryDirectory("syncjob-lab-ytdlp")
    try FileBytes.write(Self.plugin, to: folder.file("plugins/lab/yt_dlp_plugins/extractor/lab.py"))
    try Script.write(
      """
      #!/bin/sh
      printf '%s\\n' "$*" >> '\(folder.path)/calls'
      LAB_SERVER='\(server)' PYTHONDONTWRITEBYTECODE=1 exec '\(program)' --plugin-dirs '\(folder.path)/plugins' "$@"

      """, to: folder.file("bin/yt-dlp"))
  }

  /// The command lines so far.
  package var calls: [String] {
    get throws { try FileBytes.text(folder.file("calls")).split(separator: "\n").map(String.init) }
  }

  /// The value of `PATH` in which it is found.
  package var path: String { "\(folder.path)/bin:\(Command.variable("PATH") ?? "/usr/bin:/bin")" }

  private static let plugin = #"""
    import os
    from yt_dlp.extractor.common import InfoExtractor
    from yt_dlp.extractor.youtube import YoutubeSearchIE
    from yt_dlp.utils import ExtractorError

    SERVER = os.environ.get('LAB_SERVER', '')

    class LabSearchIE(YoutubeSearchIE, plugin_name='lab'):
        def _search_results(self, query):
            for result in self._download_json(SERVER + '/search.json', query, query={'q': query})['results']:
                if 'fail' in result:
                    raise ExtractorError(result['fail'], expected=True)
                yield self.url_result(
                    result['url'], ie='LabTrack', video_id=result['id'], video_title=result['title'],
                    duration=result.get('duration'))

    class LabTrackIE(InfoExtractor):
        _VALID_URL = r'https?://127\.0\.0\.1(?::\d+)?/watch/(?P<id>[\w-]+)'

        def _real_extract(self, url):
            return self._download_json(url, self._match_id(url))

    class LabListIE(InfoExtractor):
        _VALID_URL = r'https?://127\.0\.0\.1(?::\d+)?/list/(?P<id>[\w-]+)'

        def _real_extract(self, url):
            page = self._download_json(url, self._match_id(url))
            return self.playlist_result([
                self.url_result(
                    result['url'], ie='LabTrack', video_id=result['id'], video_title=result['title'],
                    duration=result.get('duration'))
                for result in page['results']], page['id'], page['title'])
    """#
}
