// SPDX-License-Identifier: Apache-2.0

/// The manifest that `init` writes: it is valid, does nothing yet, and shows how to continue.
package enum StarterManifest {
  package static let text = """
    # The manifest of a media library. Check it with `syncjob validate`, look with `syncjob plan`, start with `syncjob`.
    version: 1

    library:
      path: ./library

    storage:
      # The most that the library may take. What is least used goes first when it is full.
      budget: 10GiB

    playlists:
      # A podcast: the three newest episodes to begin with, every new one from then on.
      #
      # world-brief:
      #   title: World Brief
      #   feed: https://feeds.example.org/world.rss
      #
      # Single files:
      #
      # commute:
      #   title: Commute mix
      #   items:
      #     - id: night-drive
      #       title: Night Drive
      #       artist: The Example
      #       url: https://media.example.net/night-drive.mp3
      #       duration: 3:45

    """
}
