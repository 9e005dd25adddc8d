// The beginnings of files that a codec reads and the file library does not.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing

/// Whether a file begins like one that a codec reads and the file library does not.
func beginsLikeCodecFile(_ stream: FileStream) -> Bool {
  let start = stream.bytes(at: 0, count: 16)
  guard start.count >= 12 else { return false }
  func has(_ text: String, at offset: Int) -> Bool {
    start[offset...].starts(with: text.utf8)
  }
  let boxes = ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"]
  if boxes.contains(where: { has($0, at: 4) }) { return true }
  if has("RIFF", at: 0), has("AVI ", at: 8) || has("WAVE", at: 8) && isForeignWave(stream) {
    return true
  }
  if has("OggS", at: 0), stream.bytes(at: 28, count: 8) == Array("Speex   ".utf8) {
    return true
  }
  let beginnings: [[UInt8]] = [
    [0x1A, 0x45, 0xDF, 0xA3], [0x0B, 0x77], [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11],
    Array("FLV\u{1}".utf8), [0, 0, 1, 0xBA], Array("#!AMR".utf8), Array("MAC ".utf8),
    Array("wvpk".utf8), Array("TTA1".utf8), Array("MP+".utf8), Array("MPCK".utf8),
    [0x7F, 0xFE, 0x80, 0x01], Array(".RMF".utf8), Array("DSD ".utf8),
  ]
  if beginnings.contains(where: { start.starts(with: $0) }) { return true }
  // ADTS: sync word, layer 0. Transport streams: every 188 bytes the same.
  if start[0] == 0xFF, start[1] & 0xF6 == 0xF0 { return true }
  return start[0] == 0x47 && stream.bytes(at: 188, count: 1) == [0x47]
}

/// Whether a WAV file holds an encoding that the file library does not know, such as MPEG layer II of
/// broadcasters.
private func isForeignWave(_ stream: FileStream) -> Bool {
  let chunks = SizeWalk.chunks(of: stream, from: 12, bigEndian: false)
  guard let format = chunks.first(where: { $0.name == "fmt " }),
    let tag = SizeWalk.integer(stream, at: format.start, bytes: 2, bigEndian: false)
  else { return false }
  // ADPCM of Yamaha and G.726, MPEG, G.722, AAC, Windows Media, ATRAC3, AC-3, DTS, FLAC.
  return [
    0x20, 0x45, 0x50, 0x64, 0x65, 0xFF, 0x160, 0x161, 0x162, 0x163, 0x270, 0x28F, 0x1600, 0x1610,
    0x2000, 0x2001, 0xF1AC,
  ].contains(tag)
}
