// The Core Audio Format.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// Apple's own container: any format, sizes of 64 bits, a table of packets.
enum CAFContainer: ChunkedContainer {
  static let types: [AudioFileTypeID] = [kAudioFileCAFType]
  static let soundCode = UInt32(code: "data")
  private static let table = UInt32(code: "pakt")
  private static let masterSize: Int64 = 8

  static func scheme(_ file: PacketFile) -> ChunkScheme { .caf }

  static func type(of head: [UInt8]) -> AudioFileTypeID? {
    head.code(at: 0) == UInt32(code: "caff") && head.count >= 8 ? kAudioFileCAFType : nil
  }

  static func locate(_ file: PacketFile) throws(AudioFileFailure) {
    let map = try ChunkMap(.caf, walking: file.bytes, from: masterSize, soundCode: soundCode)
    guard let place = map.soundIndex, map.entries[place].byteCount >= 4 else { throw .broken }
    file.chunks = map
    file.soundOffset = map.entries[place].body + 4
    file.soundByteCount = map.entries[place].byteCount - 4
  }

  static func read(_ file: PacketFile) throws(AudioFileFailure) {
    try locate(file)
    guard let bytes = try file.chunk("desc") else { throw .broken }
    file.format = try description(bytes)
    file.cookie = try file.chunk("kuki") ?? []
    if let layout = try file.chunk("chan"), layout.count >= 12 {
      let swapped = ChannelLayoutBytes.swapped(layout)
      if ChannelLayoutBytes.isValid(swapped) { file.layout = ChannelLayoutBytes.trimmed(swapped) }
    }
    let isVariable = file.format.mBytesPerPacket == 0 || file.format.mFramesPerPacket == 0
    if let bytes = try file.chunk("pakt") {
      try CAFPacketTable.read(bytes, file)
    } else if isVariable {
      // A sound whose packets cannot be separated: none are known.
      guard file.soundByteCount == 0 else { throw file.missing }
      file.table = PacketTable()
    }
  }

  /// Reads a description; CAF's flags of linear PCM have another sense than those of Core Audio.
  private static func description(
    _ bytes: [UInt8]
  ) throws(AudioFileFailure) -> AudioStreamBasicDescription {
    var reader = ByteReader(bytes, bigEndian: true)
    var format = AudioStreamBasicDescription()
    format.mSampleRate = reader.double()
    format.mFormatID = reader.u32()
    let flags = reader.u32()
    format.mBytesPerPacket = reader.u32()
    format.mFramesPerPacket = reader.u32()
    format.mChannelsPerFrame = reader.u32()
    format.mBitsPerChannel = reader.u32()
    guard !reader.isPastEnd, format.mSampleRate.isFinite, format.mSampleRate >= 0,
      (1...0xFFFFF).contains(format.mChannelsPerFrame)
    else { throw .broken }
    guard format.mFormatID == kAudioFormatLinearPCM else {
      format.mFormatFlags = flags
      if format.mFormatID == kAudioFormatULaw || format.mFormatID == kAudioFormatALaw {
        format.mBytesPerFrame = format.mBytesPerPacket
      }
      return format
    }
    let bits = format.mBitsPerChannel
    guard (1...64).contains(bits), format.mFramesPerPacket == 1,
      UInt64(format.mBytesPerPacket) >= UInt64(format.mChannelsPerFrame) * UInt64((bits + 7) / 8),
      flags & 1 == 0 || bits == 32 || bits == 64
    else { throw .broken }
    return FormatTables.linear(
      rate: format.mSampleRate, channels: format.mChannelsPerFrame, bits: bits,
      float: flags & 1 != 0, bigEndian: flags & 2 == 0, frameSize: format.mBytesPerPacket)
  }

  private static func bytes(of format: AudioStreamBasicDescription) -> [UInt8] {
    var flags = format.mFormatFlags
    if format.mFormatID == kAudioFormatLinearPCM {
      flags = format.mFormatFlags & kAudioFormatFlagIsFloat
      if format.mFormatFlags & kAudioFormatFlagIsBigEndian == 0 { flags |= 2 }
    }
    var writer = ByteWriter(bigEndian: true)
    writer.put(format.mSampleRate)
    for value in [
      format.mFormatID, flags, format.mBytesPerPacket, format.mFramesPerPacket,
      format.mChannelsPerFrame, format.mBitsPerChannel,
    ] { writer.put(value) }
    return writer.bytes
  }

  static func master(_ file: PacketFile, byteCount: Int64) -> [UInt8] {
    Array("caff".utf8) + [0, 1, 0, 0]
  }

  /// The number of edits: each file that is changed counts one on.
  static func soundPrefix(_ file: PacketFile) -> [UInt8] { [0, 0, 0, 0] }

  static func firstChunks(_ file: PacketFile) throws(AudioFileFailure) -> [(UInt32, [UInt8])] {
    [(UInt32(code: "desc"), bytes(of: file.format))]
  }

  static func writeCounts(_ file: PacketFile) throws(AudioFileFailure) {}

  static func finish(_ file: PacketFile) throws(AudioFileFailure) {
    try file.flushSoundSize()
    if file.table != nil || file.trim != nil {
      let bytes = try CAFPacketTable.bytes(file)
      if try file.chunk("pakt") != bytes { try file.setChunk(table, 0, bytes) }
    }
  }

  static func tableSize(_ file: PacketFile) throws(AudioFileFailure) -> Int {
    file.table == nil ? 0 : 12 + (try CAFPacketTable.bytes(file).count)
  }

  static func stores(_ property: AudioFilePropertyID, _ file: PacketFile) -> Bool {
    [
      kAudioFilePropertyMarkerList, kAudioFilePropertyRegionList, kAudioFilePropertyInfoDictionary,
      kAudioFilePropertyChannelLayout, kAudioFilePropertyMagicCookieData,
      kAudioFilePropertyPacketTableInfo, kAudioFilePropertyReserveDuration,
    ].contains(property)
  }

  static func storeCookie(_ file: PacketFile) throws(AudioFileFailure) {
    try file.setChunk(UInt32(code: "kuki"), 0, file.cookie)
  }

  static func storeLayout(_ file: PacketFile) throws(AudioFileFailure) {
    guard let layout = file.layout else { return }
    try file.setChunk(UInt32(code: "chan"), 0, ChannelLayoutBytes.swapped(layout))
  }

  static func marks(_ file: PacketFile) throws(AudioFileFailure) -> SoundMarks {
    try CAFMarks.read(file)
  }

  static func setMarks(
    _ file: PacketFile, _ marks: SoundMarks, regions: Bool
  ) throws(AudioFileFailure) {
    try CAFMarks.write(file, marks, regions: regions)
  }

  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo {
    var info = SoundInfo()
    guard let bytes = try file.chunk("info"), bytes.count > 4 else { return info }
    let texts = bytes.dropFirst(4).split(separator: 0, omittingEmptySubsequences: false)
    for pair in stride(from: 0, to: texts.count - 1, by: 2) where !texts[pair].isEmpty {
      info[StoredText.text(texts[pair])] = StoredText.text(texts[pair + 1])
    }
    return info
  }

  static func setInfo(_ file: PacketFile, _ info: SoundInfo) throws(AudioFileFailure) {
    let code = UInt32(code: "info")
    guard !info.entries.isEmpty else {
      if try file.chunkCount(code) > 0 { try file.removeChunk(code, 0) }
      return
    }
    var writer = ByteWriter(bigEndian: true)
    writer.put(UInt32(info.entries.count))
    for (key, text) in info.entries {
      writer.put(bytes: Array(key.utf8.filter { $0 != 0 }) + [0])
      writer.put(bytes: Array(text.utf8.filter { $0 != 0 }) + [0])
    }
    try file.setChunk(code, 0, writer.bytes)
  }
}
