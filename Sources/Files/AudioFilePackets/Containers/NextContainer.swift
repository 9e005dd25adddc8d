// NeXT and Sun's container: a header of six numbers and a text.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// `.au` and `.snd`.
enum NextContainer: Container {
  static let types: [AudioFileTypeID] = [kAudioFileNextType]
  private static let headSize = 24
  /// How many bytes of sound there are when nobody knows.
  private static let unknownSize: UInt32 = .max

  static func type(of head: [UInt8]) -> AudioFileTypeID? {
    head.code(at: 0) == UInt32(code: ".snd") ? kAudioFileNextType : nil
  }

  private static func bits(_ encoding: UInt32) -> (bits: UInt32, float: Bool)? {
    switch encoding {
    case 2: (8, false)
    case 3: (16, false)
    case 4: (24, false)
    case 5: (32, false)
    case 6: (32, true)
    case 7: (64, true)
    default: nil
    }
  }

  static func read(_ file: PacketFile) throws(AudioFileFailure) {
    let head = try file.bytes.bytes(at: 4, count: headSize - 4)
    var reader = ByteReader(head, bigEndian: true)
    let offset = Int64(reader.u32())
    let size = reader.u32()
    let encoding = reader.u32()
    let (rate, channels) = (Double(reader.u32()), reader.u32())
    let total = try file.bytes.byteCount
    guard !reader.isPastEnd, offset >= headSize, offset <= total, (1...0xFFFF).contains(channels),
      rate > 0
    else { throw .broken }
    file.soundOffset = offset
    file.soundByteCount =
      size == unknownSize ? total - offset : min(Int64(size), total - offset)
    if let (bits, isFloat) = bits(encoding) {
      file.format = FormatTables.linear(
        rate: rate, channels: channels, bits: bits, float: isFloat, bigEndian: true)
    } else if encoding == 1 || encoding == 27 {
      var format = AudioStreamBasicDescription()
      format.mSampleRate = rate
      format.mFormatID = encoding == 1 ? kAudioFormatULaw : kAudioFormatALaw
      format.mChannelsPerFrame = channels
      FormatTables.fillCompressed(&format)
      file.format = format
    } else {
      throw .dataFormat
    }
  }

  private static func header(_ file: PacketFile) throws(AudioFileFailure) -> [UInt8] {
    let format = file.format
    let isFloat = format.mFormatFlags & kAudioFormatFlagIsFloat != 0
    let encoding: UInt32 =
      switch format.mFormatID {
      case kAudioFormatULaw: 1
      case kAudioFormatALaw: 27
      default: isFloat ? format.mBitsPerChannel / 32 + 5 : format.mBitsPerChannel / 8 + 1
      }
    guard let rate = UInt32(exactly: format.mSampleRate.rounded()) else { throw .dataFormat }
    var writer = ByteWriter(bigEndian: true)
    writer.put(bytes: ".snd".utf8)
    writer.put(UInt32(file.soundOffset))
    writer.put(UInt32(clamping: file.soundByteCount))
    writer.put(encoding)
    writer.put(rate)
    writer.put(format.mChannelsPerFrame)
    return writer.bytes
  }

  static func begin(_ file: PacketFile) throws(AudioFileFailure) {
    // At least four bytes of text.
    file.soundOffset = file.alignsSound ? 4096 : Int64(headSize + 4)
    try file.bytes.write(
      try header(file)
        + [UInt8](repeating: 0, count: Int(file.soundOffset) - headSize), at: 0)
  }

  static func finish(_ file: PacketFile) throws(AudioFileFailure) {
    try file.bytes.write(try header(file), at: 0)
  }
}
