// NeXT and Sun's container: a header of six numbers and a text.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// `.au` and `.snd`.
enum NextContainer: Container {
  static let types: [AudioFileTypeID] = [kAudioFileNextType]
  private static let headSize = 24

  static func type(of head: [UInt8]) -> AudioFileTypeID? {
    [UInt32(code: ".snd"), UInt32(code: "dns.")].contains(head.code(at: 0))
      ? kAudioFileNextType : nil
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
    let isBig = try isBigEndian(file.bytes)
    // Files of the other order are only read.
    guard isBig || !file.isWritable else { throw .permission }
    try locate(file)
    var reader = ByteReader(try file.bytes.bytes(at: 12, count: 12), bigEndian: isBig)
    let encoding = reader.u32()
    let (rate, channels) = (Double(reader.u32()), reader.u32())
    guard !reader.isPastEnd, (1...0xFFFF).contains(channels), rate > 0 else { throw .broken }
    if let (bits, isFloat) = bits(encoding) {
      file.format = FormatTables.linear(
        rate: rate, channels: channels, bits: bits, float: isFloat, bigEndian: isBig)
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

  private static func isBigEndian(_ bytes: BufferedStore) throws(AudioFileFailure) -> Bool {
    try bytes.bytes(at: 0, count: 4).code(at: 0) == UInt32(code: ".snd")
  }

  static func locate(_ file: PacketFile) throws(AudioFileFailure) {
    let head = try file.bytes.bytes(at: 4, count: 8)
    var reader = ByteReader(head, bigEndian: try isBigEndian(file.bytes))
    let (offset, size) = (Int64(reader.u32()), Int64(reader.u32()))
    let left = try file.bytes.byteCount - offset
    guard !reader.isPastEnd, offset >= headSize, left >= 0 else { throw .broken }
    file.soundOffset = offset
    let isOpen =
      size == 0 || SoundSizes.isPlaceholder(size) && (size > left || file.bytes.isArriving)
    let isWrapped =
      !file.bytes.isArriving && size != left && left > 1 << 32 && left & 0xFFFF_FFFF == size
    // Tags behind a sound of unknown length are none of it.
    let open = isOpen ? max(0, try TagPlaces.trailingStart(file.bytes) - offset) : left
    file.soundByteCount = isOpen || isWrapped ? open : min(size, left)
    file.storedLength =
      isOpen ? .open : isWrapped ? .wrapped : size > left ? .cut(missing: size - left) : .stored
  }

  /// The text between header and sound, as a comment.
  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo {
    var info = SoundInfo()
    let count = min(Int(file.soundOffset) - headSize, 1 << 16)
    let bytes = try file.bytes.bytes(at: Int64(headSize), count: count).prefix { $0 != 0 }
    let text = StoredText.text(bytes)
    if !text.isEmpty { info["comments"] = text }
    return info
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
