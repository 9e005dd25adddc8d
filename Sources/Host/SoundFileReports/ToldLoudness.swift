// The loudness that a broadcast file declares.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioTypes

/// The figures of EBU's extension of WAVE, version 2.
public struct ReportedLoudness: Encodable, Sendable {
  /// Integrated loudness in LUFS; nil where the file has none.
  public var integrated: Double?
  /// Loudness range in LU; nil where the file has none.
  public var range: Double?
  /// The highest value between samples in dBTP; nil where the file has none.
  public var truePeak: Double?

  private static let chunk = FourCharacterCode("bext")?.rawValue ?? 0
  private static let versionPlace = 346
  private static let figuresPlace = 412
  /// The number in place of a figure that the file has not.
  private static let unknown: Int16 = 0x7FFF

  /// Reads them; nil for a file without.
  init?(_ file: PacketFile) throws(AudioFileFailure) {
    guard file.hasChunks, try file.chunkCount(Self.chunk) > 0 else { return nil }
    let bytes = try file.chunkBytes(Self.chunk, count: 1 << 16)
    guard bytes.count >= Self.figuresPlace + 10, bytes[Self.versionPlace] >= 2 else { return nil }
    func figure(_ index: Int) -> Double? {
      let place = Self.figuresPlace + 2 * index
      let value = Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
      return value == Self.unknown ? nil : Double(value) / 100
    }
    (integrated, range, truePeak) = (figure(0), figure(1), figure(2))
    if integrated == nil, range == nil, truePeak == nil { return nil }
  }
}
