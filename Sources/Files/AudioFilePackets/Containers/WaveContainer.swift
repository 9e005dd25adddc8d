// WAVE, and RF64 and BW64 beyond 4 GiB.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// RIFF's container of sound, with sizes of 32 bits, or of 64 in a chunk 'ds64'.
enum WaveContainer: ChunkedContainer {
  static let types: [AudioFileTypeID] = [
    kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileBW64Type,
  ]
  static let soundCode = UInt32(code: "data")
  private static let sizesCode = UInt32(code: "ds64")
  /// The least content of 'ds64': three sizes and a count.
  private static let sizesLength = 28

  static func scheme(_ file: PacketFile) -> ChunkScheme {
    file.chunks?.scheme == .rifx ? .rifx : .riff
  }

  static func type(of head: [UInt8]) -> AudioFileTypeID? {
    guard head.code(at: 8) == UInt32(code: "WAVE") else { return nil }
    return switch head.code(at: 0) {
    case UInt32(code: "RIFF"), UInt32(code: "RIFX"): kAudioFileWAVEType
    case UInt32(code: "RF64"): kAudioFileRF64Type
    case UInt32(code: "BW64"): kAudioFileBW64Type
    default: nil
    }
  }

  private static func isLong(_ file: PacketFile) -> Bool { file.type != kAudioFileWAVEType }

  static func read(_ file: PacketFile) throws(AudioFileFailure) {
    try locate(file)
    guard let format = try file.chunk("fmt ") else { throw file.missing }
    try WaveFormat.read(format, file)
    try readBlockLength(file)
    // Files of that order are only read.
    guard file.chunks?.scheme != .rifx || !file.isWritable else { throw .permission }
  }

  static func locate(_ file: PacketFile) throws(AudioFileFailure) {
    let isBig = try file.bytes.bytes(at: 0, count: 4).code(at: 0) == UInt32(code: "RIFX")
    var wideSize: Int64?
    if isLong(file) {
      let sizes = try file.bytes.bytes(at: 12, count: 8 + sizesLength)
      var reader = ByteReader(sizes.dropFirst(4), bigEndian: false)
      if sizes.code(at: 0) == sizesCode {
        guard reader.u32() >= sizesLength else { throw .broken }
        reader.skip(8)
        let size = reader.s64()
        // For 0, and less, a program wrote the length into the chunk itself, or nowhere.
        wideSize = size > 0 && size < .max / 2 ? size : nil
      }
    }
    var map = try ChunkMap(
      isBig ? .rifx : .riff, walking: file.bytes, from: 12, soundCode: soundCode, wideSize: wideSize
    )
    if isLong(file), let first = map.entries.first, first.code == sizesCode {
      // It belongs to the bytes in front of the chunks, with the byte behind an odd one.
      let tailSize = Int(first.byteCount) - sizesLength
      file.masterTail = try file.bytes.bytes(
        at: first.body + Int64(sizesLength), count: tailSize + tailSize % 2)
      map.entries.removeFirst()
      map.soundIndex = map.soundIndex.map { $0 - 1 }
    }
    guard let place = map.soundIndex else { throw .broken }
    file.chunks = map
    file.soundOffset = map.entries[place].body
    file.soundByteCount = map.entries[place].byteCount
  }

  /// Reads how much of the last block of an encoding in blocks is sound.
  private static func readBlockLength(_ file: PacketFile) throws(AudioFileFailure) {
    let frames = Int64(file.format.mFramesPerPacket)
    guard frames > 1, file.format.mBytesPerPacket > 0, !file.bytes.isArriving,
      let fact = try file.chunk("fact"), fact.count >= 4
    else { return }
    var reader = ByteReader(fact, bigEndian: file.chunks?.scheme == .rifx)
    let valid = Int64(reader.u32())
    let total = file.soundByteCount / Int64(file.format.mBytesPerPacket) * frames
    guard valid > 0, valid < total, total - valid < 2 * frames else { return }
    file.trim = AudioFilePacketTableInfo(
      mNumberValidFrames: valid, mPrimingFrames: 0, mRemainderFrames: Int32(total - valid))
  }

  static func master(_ file: PacketFile, byteCount: Int64) -> [UInt8] {
    var writer = ByteWriter(bigEndian: false)
    let code: UInt32 =
      switch file.type {
      case kAudioFileRF64Type: .init(code: "RF64")
      case kAudioFileBW64Type: .init(code: "BW64")
      default: .init(code: "RIFF")
      }
    writer.put(bytes: [UInt8](code: code))
    writer.put(isLong(file) ? .max : UInt32(clamping: byteCount - 8))
    writer.put(bytes: "WAVE".utf8)
    guard isLong(file) else { return writer.bytes }
    writer.put(bytes: [UInt8](code: sizesCode))
    writer.put(UInt32(sizesLength + file.masterTail.count))
    writer.put(byteCount - 8)
    writer.put(file.soundByteCount)
    writer.put(file.soundByteCount / Int64(max(1, file.format.mBytesPerPacket)))
    // The number of further sizes, which are in the tail.
    writer.put(file.masterTail.isEmpty ? 0 : UInt32(file.masterTail.count / 12))
    writer.put(bytes: file.masterTail)
    return writer.bytes
  }

  static func firstChunks(_ file: PacketFile) throws(AudioFileFailure) -> [(UInt32, [UInt8])] {
    var chunks = [(UInt32(code: "fmt "), try WaveFormat.bytes(file))]
    if file.format.mFormatID != kAudioFormatLinearPCM
      || file.format.mFormatFlags & kAudioFormatFlagIsFloat != 0
    {
      chunks.append((UInt32(code: "fact"), [0, 0, 0, 0]))
    }
    return chunks
  }

  static func writeCounts(_ file: PacketFile) throws(AudioFileFailure) {
    guard let chunks = file.chunks, let place = chunks.places(of: UInt32(code: "fact")).first,
      chunks.entries[place].byteCount >= 4, file.format.mBytesPerPacket > 0
    else { return }
    let packets = file.soundByteCount / Int64(file.format.mBytesPerPacket)
    var writer = ByteWriter(bigEndian: false)
    writer.put(UInt32(clamping: packets * Int64(file.format.mFramesPerPacket)))
    try file.bytes.write(writer.bytes, at: chunks.entries[place].body)
  }

  static func marks(_ file: PacketFile) throws(AudioFileFailure) -> SoundMarks {
    try WaveTexts.marks(file)
  }

  static func setMarks(
    _ file: PacketFile, _ marks: SoundMarks, regions: Bool
  ) throws(AudioFileFailure) {
    guard !regions else { throw .property }
    try WaveTexts.setMarks(file, marks)
  }

  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo {
    try WaveTexts.info(file)
  }

  static func setInfo(_ file: PacketFile, _ info: SoundInfo) throws(AudioFileFailure) {
    try WaveTexts.setInfo(file, info)
  }

  static func stores(_ property: AudioFilePropertyID, _ file: PacketFile) -> Bool {
    [
      kAudioFilePropertyMarkerList, kAudioFilePropertyInfoDictionary,
      kAudioFilePropertyChannelLayout,
    ].contains(property)
  }

  static func storeLayout(_ file: PacketFile) throws(AudioFileFailure) {
    // Only before the sound: the longer form of 'fmt ' needs room.
    guard file.soundByteCount == 0 else { throw .unsupported }
    try file.setChunk(UInt32(code: "fmt "), 0, try WaveFormat.bytes(file))
  }
}
