// ID3 tags in chunks of WAVE and AIFF.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// The ID3 tag of a file of chunks.
enum ChunkTags {
  private static let codes = [UInt32(code: "id3 "), UInt32(code: "ID3 ")]

  /// The texts of the tag; none without one.
  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo {
    var info = SoundInfo()
    for code in codes where try file.chunkCount(code) > 0 {
      let texts = ID3Tag.texts(try file.chunkBytes(code, 0, count: 1 << 24)) ?? [:]
      for (key, text) in texts.sorted(by: { $0.key < $1.key }) where info[key] == nil {
        info[key] = text
      }
    }
    return info
  }

  /// Removes the tag where texts that are stored elsewhere differ from its own: it would hide them.
  static func drop(_ file: PacketFile, but info: SoundInfo) throws(AudioFileFailure) {
    let stored = try Self.info(file).entries
    guard stored.contains(where: { info[$0.key] != $0.text }) else { return }
    for code in codes {
      while try file.chunkCount(code) > 0 { try file.removeChunk(code, 0) }
    }
  }
}
