// Texts of files that are read and written by packets, and the channels of those without a description.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
package import AudioFilePackets

extension AudioFileMetadata {
  private static let packetKeys: [(TextKey, String)] = [
    (.title, "title"), (.artist, "artist"), (.album, "album"), (.comment, "comments"),
    (.date, "year"), (.genre, "genre"), (.trackNumber, "track number"),
    (.copyright, "copyright"), (.software, "encoding application"), (.license, "license"),
  ]

  /// Reads the texts of a file of packets.
  init(_ file: PacketReader) {
    for (key, name) in Self.packetKeys {
      if let text = file.info[name], !text.isEmpty { texts[key] = text }
    }
    if let date = file.info["recorded date"], texts[.date] == nil { texts[.date] = date }
    // Decoders other than those of AAC and Apple lossless have the order of WAV.
    if ![.aac, .alac16, .alac24].contains(file.format.encoding) {
      channelMap = ChannelOrder.usualMap(file.format.channelCount)
    }
  }

  /// Fills in texts that the libraries do not read: in tags in front of other kinds of files or
  /// behind them.
  ///
  /// The file library replaces letters beyond ASCII in the copyright of AIFF: there the stored text counts.
  mutating func addMissing(_ info: SoundInfo, _ container: AudioContainer) {
    if container == .aiff { texts[.copyright] = nil }
    for (key, name) in Self.packetKeys where key != .software && texts[key]?.isEmpty != false {
      if let text = info[name], !text.isEmpty { texts[key] = text }
    }
    if let date = info["recorded date"], texts[.date] == nil { texts[.date] = date }
    // A comment with a description goes by its own name alone.
    if let comment = texts[.comment], tags["COMMENT"] == nil,
      tags.contains(where: { $0.key.hasPrefix("COMMENT:") && $0.value.contains(comment) })
    {
      texts[.comment] = nil
    }
  }

  /// The texts as a file of packets has them.
  package var packetInfo: SoundInfo {
    var info = SoundInfo()
    for (key, name) in Self.packetKeys {
      if let text = texts[key], !text.isEmpty { info[name] = text }
    }
    return info
  }
}
