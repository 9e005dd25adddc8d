// AIFF, and AIFC with its compressed and little-endian forms.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// Apple's IFF container of sound.
enum AIFFContainer: ChunkedContainer {
  static let types: [AudioFileTypeID] = [kAudioFileAIFFType, kAudioFileAIFCType]
  static let soundCode = UInt32(code: "SSND")
  private static let common = UInt32(code: "COMM")
  /// In front of the first chunk: 'FORM', a size, the form.
  private static let masterSize: Int64 = 12

  static func scheme(_ file: PacketFile) -> ChunkScheme { .iff }

  static func type(of head: [UInt8]) -> AudioFileTypeID? {
    guard head.code(at: 0) == UInt32(code: "FORM") else { return nil }
    return switch head.code(at: 8) {
    case UInt32(code: "AIFF"): kAudioFileAIFFType
    case UInt32(code: "AIFC"): kAudioFileAIFCType
    default: nil
    }
  }

  static func read(_ file: PacketFile) throws(AudioFileFailure) {
    try locate(file)
    guard let bytes = try file.chunk("COMM") else { throw file.missing }
    let frames = try AIFFFormat.read(bytes, file)
    if let layout = try file.chunk("CHAN"), layout.count >= 12 {
      let swapped = ChannelLayoutBytes.swapped(layout)
      if ChannelLayoutBytes.isValid(swapped) { file.layout = ChannelLayoutBytes.trimmed(swapped) }
    }
    // A file without sound needs no chunk for it.
    guard frames == 0 || file.chunks?.soundIndex != nil else { throw .broken }
  }

  static func locate(_ file: PacketFile) throws(AudioFileFailure) {
    let map = try ChunkMap(.iff, walking: file.bytes, from: masterSize, soundCode: soundCode)
    file.chunks = map
    guard let place = map.soundIndex else {
      file.soundOffset = try file.bytes.byteCount
      return
    }
    let entry = map.entries[place]
    var prefix = ByteReader(try file.bytes.bytes(at: entry.body, count: 8), bigEndian: true)
    let offset = Int64(prefix.u32())
    guard entry.byteCount >= 8 + offset else { throw .broken }
    file.soundOffset = entry.body + 8 + offset
    file.soundByteCount = entry.byteCount - 8 - offset
  }

  static func master(_ file: PacketFile, byteCount: Int64) -> [UInt8] {
    var writer = ByteWriter(bigEndian: true)
    writer.put(bytes: "FORM".utf8)
    writer.put(UInt32(clamping: byteCount - 8))
    writer.put(bytes: (file.type == kAudioFileAIFCType ? "AIFC" : "AIFF").utf8)
    return writer.bytes
  }

  /// The offset of the first sample, and the size of blocks, which nobody uses.
  static func soundPrefix(_ file: PacketFile) -> [UInt8] {
    guard let chunks = file.chunks, let place = chunks.soundIndex else {
      return [UInt8](repeating: 0, count: 8)
    }
    // A foreign file may have an offset: it keeps it.
    let length = Int(max(8, file.soundOffset - chunks.entries[place].body))
    var writer = ByteWriter(bigEndian: true)
    writer.put(UInt32(length - 8))
    return writer.bytes + [UInt8](repeating: 0, count: length - 4)
  }

  static func firstChunks(_ file: PacketFile) throws(AudioFileFailure) -> [(UInt32, [UInt8])] {
    var chunks = [(common, try AIFFFormat.bytes(file))]
    if file.type == kAudioFileAIFCType {
      // The version of the form's description: its only one.
      chunks.insert((UInt32(code: "FVER"), [0xA2, 0x80, 0x51, 0x40]), at: 0)
    }
    return chunks
  }

  static func writeCounts(_ file: PacketFile) throws(AudioFileFailure) {
    guard let chunks = file.chunks, let place = chunks.places(of: common).first else { return }
    var writer = ByteWriter(bigEndian: true)
    writer.put(UInt32(clamping: file.soundByteCount / Int64(max(1, file.format.mBytesPerPacket))))
    try file.bytes.write(writer.bytes, at: chunks.entries[place].body + 2)
  }

  static func stores(_ property: AudioFilePropertyID, _ file: PacketFile) -> Bool {
    [
      kAudioFilePropertyMarkerList, kAudioFilePropertyInfoDictionary,
      kAudioFilePropertyChannelLayout,
    ].contains(property)
  }

  static func storeLayout(_ file: PacketFile) throws(AudioFileFailure) {
    guard let layout = file.layout else { return }
    try file.setChunk(UInt32(code: "CHAN"), 0, ChannelLayoutBytes.swapped(layout))
  }

  static func marks(_ file: PacketFile) throws(AudioFileFailure) -> SoundMarks {
    var marks = SoundMarks()
    guard let bytes = try file.chunk("MARK") else { return marks }
    var reader = ByteReader(bytes, bigEndian: true)
    let count = reader.u16()
    for _ in 0..<count where reader.remaining >= 7 {
      let identifier = reader.integer(Int16.self)
      let frame = reader.u32()
      let length = Int(reader.u8())
      let name = reader.bytes(min(length, reader.remaining))
      // Name and its length have an even number of bytes.
      if length & 1 == 0 { reader.skip(1) }
      marks.marks.append(
        SoundMark(
          identifier: Int32(identifier), frame: Double(frame), name: StoredText.text(name)))
    }
    return marks
  }

  static func setMarks(
    _ file: PacketFile, _ marks: SoundMarks, regions: Bool
  ) throws(AudioFileFailure) {
    guard !regions else { throw .property }
    let code = UInt32(code: "MARK")
    guard !marks.marks.isEmpty else {
      if try file.chunkCount(code) > 0 { try file.removeChunk(code, 0) }
      return
    }
    guard marks.marks.count <= 0xFFFF else { throw .parameter }
    var writer = ByteWriter(bigEndian: true)
    writer.put(UInt16(marks.marks.count))
    for mark in marks.marks {
      guard let identifier = Int16(exactly: mark.identifier) else { throw .parameter }
      let name = Array(mark.name.utf8.prefix(255))
      writer.put(identifier)
      writer.put(UInt32(clamping: Int64(mark.frame.rounded())))
      writer.put(UInt8(name.count))
      writer.put(bytes: name)
      if name.count & 1 == 0 { writer.put(UInt8(0)) }
    }
    try file.setChunk(code, 0, writer.bytes)
  }

  private static let texts: [(key: String, code: StaticString)] = [
    ("title", "NAME"), ("artist", "AUTH"), ("copyright", "(c) "), ("comments", "ANNO"),
  ]

  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo {
    var info = try ChunkTags.info(file)
    for (key, code) in texts where info[key] == nil {
      guard let bytes = try file.chunk(code) else { continue }
      let text = StoredText.text(bytes)
      if !text.isEmpty { info[key] = text }
    }
    return info
  }

  static func setInfo(_ file: PacketFile, _ info: SoundInfo) throws(AudioFileFailure) {
    try ChunkTags.drop(file, but: info)
    for (key, code) in texts {
      let code = UInt32(code: code)
      if let text = info[key] {
        try file.setChunk(code, 0, Array(text.utf8))
      } else if try file.chunkCount(code) > 0 {
        try file.removeChunk(code, 0)
      }
    }
  }
}
