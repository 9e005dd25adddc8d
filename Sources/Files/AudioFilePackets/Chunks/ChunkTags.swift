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

  /// Removes the texts of the tag that differ from the ones stored elsewhere: they would hide them.
  static func drop(_ file: PacketFile, but info: SoundInfo) throws(AudioFileFailure) {
    for code in codes {
      var index = 0
      while try index < file.chunkCount(code) {
        let tag = try file.chunkBytes(code, index, count: 1 << 24)
        let rest = ID3Tag.leavingOut(tag) { key, text in info[key] != text }
        if rest.isEmpty {
          try file.removeChunk(code, index)
          continue
        }
        if rest != tag { try file.setChunk(code, index, rest) }
        index += 1
      }
    }
  }
}
