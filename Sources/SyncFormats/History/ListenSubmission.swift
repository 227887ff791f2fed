// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The document that submits plays to a server with the ListenBrainz API
/// (https://listenbrainz.readthedocs.io/en/latest/users/json.html).
package enum ListenSubmission {
  /// True for the answer of a server that has the listens: `{"status": "ok"}`. Maloja answers an address that it does not
  /// know with success and another document.
  package static func isAccepted(_ bytes: [UInt8]) -> Bool {
    do throws(JSONError) { return try JSONValue(parsing: bytes)["status"]?.string?.lowercased() == "ok" } catch {
      return false
    }
  }

  /// Leaves out plays of anything but a recording.
  package static func encode(_ plays: [OutgoingPlay]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      // Listens of an earlier time. "single" is one that has just ended.
      writer.field("listen_type", "import")
      writer.key("payload")
      writer.array { writer in
        for play in plays {
          guard case .recording(let tags, let duration) = play.track else { continue }
          writer.object { writer in
            writer.field("listened_at", play.message.at.secondsSince1970 + Int64(play.offset))
            writer.key("track_metadata")
            writer.object { writer in
              writer.field("artist_name", tags.artist)
              writer.field("track_name", tags.title)
              writer.field("release_name", tags.album)
              writer.key("additional_info")
              writer.object { writer in
                writer.field("submission_client", "syncjob")
                writer.field("duration", duration?.components.seconds)
              }
            }
          }
        }
      }
    }
    return writer.bytes
  }
}
