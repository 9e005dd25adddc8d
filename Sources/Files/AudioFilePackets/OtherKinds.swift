// Kinds of files that have no packets here: those of codecs and of the file library alone.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax

/// The beginnings of kinds that codecs and the file library read: frames within them are no bare stream.
enum OtherKinds {
  /// Texts that kinds of files begin with: WavPack, TTA, Creative Voice File, Flash video, NIST's Sphere, AVR, PARIS
  /// in both byte orders, and MATLAB.
  private static let texts = [
    "wvpk", "TTA1", "Creative Voice File", "FLV\u{1}", "NIST_1A", "2BIT", " paf", "fap ",
    "MATLAB 5.0 MAT-f",
  ]
  /// Matroska, ASF, and DTS in both byte orders of 16 and of 14 bits.
  private static let codes: [[UInt8]] = [
    [0x1A, 0x45, 0xDF, 0xA3], [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11],
    [0x7F, 0xFE, 0x80, 0x01], [0xFE, 0x7F, 0x01, 0x80], [0x1F, 0xFF, 0xE8, 0x00],
    [0xFF, 0x1F, 0x00, 0xE8],
  ]
  /// The number of IRCAM's files, in both byte orders.
  private static let numbers: [[UInt8]] = (UInt8(1)...4).flatMap {
    [[0x64, 0xA3, $0, 0], [0, $0, 0xA3, 0x64]]
  }
  private static let marks = texts.map { Array($0.utf8) } + codes + numbers
  /// Kinds of IFF and of RIFF that no container here reads: Amiga's samples, MAUD, and video.
  private static let forms = ["FORM": ["8SVX", "16SV", "MAUD"], "RIFF": ["AVI "]]
  /// The first bytes of their marks.
  static let firstBytes = Set(marks.compactMap(\.first))
  /// Bytes of a packet of a transport stream, which begins with 'G'.
  private static let packetSize = 188

  /// Whether a file of such a kind begins at a place; of transport streams in files alone.
  static func begins(_ bytes: BufferedStore, at place: Int64) throws(AudioFileFailure) -> Bool {
    let head = try bytes.bytes(at: place, count: bytes.isArriving ? 24 : packetSize + 1)
    if marks.contains(where: { head.starts(with: $0) }) { return true }
    let isForm = forms.contains { name, kinds in
      head.starts(with: name.utf8) && kinds.contains { head.dropFirst(8).starts(with: $0.utf8) }
    }
    if isForm { return true }
    return head.count > packetSize && head[0] == 0x47 && head[packetSize] == 0x47
  }
}
