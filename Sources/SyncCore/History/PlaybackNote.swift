// SPDX-License-Identifier: Apache-2.0

/// The record of a playback by the `play` command until it is counted.
package struct PlaybackNote: Hashable, Sendable {
  package let item: ItemID
  package let began: Timestamp
  package let ended: Timestamp
  package let player: PlaySource
  package let verdict: PlayVerdict

  package init(item: ItemID, began: Timestamp, ended: Timestamp, player: PlaySource, verdict: PlayVerdict) {
    (self.item, self.began, self.ended) = (item, began, ended)
    (self.player, self.verdict) = (player, verdict)
  }
}
