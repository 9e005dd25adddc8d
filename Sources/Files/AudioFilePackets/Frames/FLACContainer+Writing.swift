// FLAC's own container, written: metadata with room to grow, then the frames as they come.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

extension FLACContainer {
  private static let padding: UInt8 = 1
  private static let comments: UInt8 = 4

  static func begin(_ file: PacketFile) throws(AudioFileFailure) {
    guard (1...1_048_575).contains(file.format.mSampleRate), file.format.mChannelsPerFrame <= 8
    else { throw .dataFormat }
    file.format.mBytesPerPacket = 0
    file.table = PacketTable()
    file.comments = file.comments.isEmpty ? VorbisComments().bytes : file.comments
    file.soundOffset = file.alignsSound ? 4096 : 0
    try lay([(0, try streamInfo(file)), (comments, file.comments)], file)
  }

  /// The blocks of metadata of a file but for padding.
  private static func blocks(
    _ file: PacketFile
  ) throws(AudioFileFailure) -> [(kind: UInt8, body: [UInt8])] {
    var blocks: [(kind: UInt8, body: [UInt8])] = []
    var position: Int64 = 4
    while position < file.soundOffset {
      let head = try file.bytes.bytes(at: position, count: 4)
      guard head.count == 4 else { throw .broken }
      let size = Int(head.code(at: 0) & 0xFF_FFFF)
      let kind = head[0] & 0x7F
      if kind != padding {
        blocks.append((kind, try file.bytes.bytes(at: position + 4, count: size)))
      }
      position += 4 + Int64(size)
      if head[0] & 0x80 != 0 { break }
    }
    return blocks
  }

  /// Writes the blocks in front of the sound, and moves it where they have no room.
  private static func lay(
    _ blocks: [(kind: UInt8, body: [UInt8])], _ file: PacketFile
  ) throws(AudioFileFailure) {
    var head = [UInt8](code: magic)
    for (index, block) in blocks.enumerated() {
      guard block.body.count < 1 << 24 else { throw .tooLong }
      let end = Int64(head.count + 4 + block.body.count)
      let isLast = index == blocks.count - 1 && end == file.soundOffset
      let kind = UInt32(block.kind) << 24 | (isLast ? 1 << 31 : 0)
      head += [UInt8](code: UInt32(block.body.count) | kind)
      head += block.body
    }
    var left = file.soundOffset - Int64(head.count)
    if left != 0, left < 4 {
      let start = (Int64(head.count) + 4 + 4095) / 4096 * 4096
      let moved = start - file.soundOffset
      try file.bytes.move(from: file.soundOffset, to: start, count: file.soundByteCount)
      file.table?.shift(by: moved)
      file.scannedEnd += file.scannedEnd > 0 ? moved : 0
      file.soundOffset = start
      left = start - Int64(head.count)
    }
    if left > 0 {
      head += [UInt8](code: UInt32(left - 4) | UInt32(padding) << 24 | 1 << 31)
      head += [UInt8](repeating: 0, count: Int(left - 4))
    }
    try file.bytes.write(head, at: 0)
  }

  /// Returns the first block, from the cookie if there is one, with the file's present values.
  private static func streamInfo(_ file: PacketFile) throws(AudioFileFailure) -> [UInt8] {
    let format = file.format
    let bits: UInt64 =
      (1...4).contains(format.mFormatFlags) ? [16, 20, 24, 32][Int(format.mFormatFlags) - 1] : 16
    var writer = ByteWriter(bigEndian: true)
    let block = UInt16(clamping: format.mFramesPerPacket == 0 ? 4096 : format.mFramesPerPacket)
    writer.put(block)
    writer.put(block)
    writer.put(bytes: [UInt8](repeating: 0, count: 6))
    let channels = UInt64(format.mChannelsPerFrame - 1) & 7
    writer.put(UInt64(format.mSampleRate) << 44 | channels << 41 | (bits - 1) << 36)
    writer.put(bytes: [UInt8](repeating: 0, count: 16))
    var info = file.cookie.count >= 50 ? Array(file.cookie[16..<50]) : writer.bytes
    guard let table = file.table, table.count > 0 else { return info }
    let (smallest, largest) = (table.sizes.min() ?? 0, table.largest)
    for (index, shift) in [UInt32(16), 8, 0].enumerated() {
      info[4 + index] = UInt8(truncatingIfNeeded: smallest >> shift)
      info[7 + index] = UInt8(truncatingIfNeeded: largest >> shift)
    }
    let total = UInt64(clamping: try frameCount(table, file)) & 0xF_FFFF_FFFF
    var reader = ByteReader(info, bigEndian: true)
    reader.skip(10)
    let fields = reader.u64()
    // The sum of the samples is that of the source's whole sound, or none.
    if fields & 0xF_FFFF_FFFF != total {
      info.replaceSubrange(18..<34, with: [UInt8](repeating: 0, count: 16))
    }
    var words = ByteWriter(bigEndian: true)
    words.put(fields & ~0xF_FFFF_FFFF | total)
    info.replaceSubrange(10..<18, with: words.bytes)
    return info
  }

  /// The frames of all packets: the last one contains its number.
  private static func frameCount(
    _ table: PacketTable, _ file: PacketFile
  ) throws(AudioFileFailure) -> Int64 {
    guard table.frames.isEmpty else { return table.frames.reduce(0) { $0 + Int64($1) } }
    let last = FLACFrameHeader(Array(try file.packetBytes(table.count - 1).prefix(16)))
    let whole = Int64(table.count - 1) * Int64(file.format.mFramesPerPacket)
    return whole + Int64(last?.frames ?? file.format.mFramesPerPacket)
  }

  static func finish(_ file: PacketFile) throws(AudioFileFailure) {
    var blocks = try blocks(file)
    // In an existing file only the texts change, unless packets were added.
    if file.scanner == nil, let first = blocks.firstIndex(where: { $0.kind == 0 }) {
      blocks[first].body = try streamInfo(file)
    }
    if let old = blocks.firstIndex(where: { $0.kind == comments }) {
      blocks[old].body = file.comments
    } else if !file.comments.isEmpty {
      blocks.append((comments, file.comments))
    }
    try lay(blocks, file)
  }

  static func setInfo(_ file: PacketFile, _ info: SoundInfo) throws(AudioFileFailure) {
    var list = file.comments.isEmpty ? VorbisComments() : VorbisComments(file.comments)
    list.set(info.entries)
    file.comments = list.bytes
    file.isDirty = true
  }

  static func stores(_ property: AudioFilePropertyID, _ file: PacketFile) -> Bool {
    switch property {
    case kAudioFilePropertyInfoDictionary: true
    case kAudioFilePropertyMagicCookieData, kAudioFilePropertyPacketTableInfo: file.scanner == nil
    default: false
    }
  }

  static func storeCookie(_ file: PacketFile) throws(AudioFileFailure) {
    guard file.scanner == nil, file.cookie.count >= 50,
      file.cookie.code(at: 4) == UInt32(code: "dfLa")
    else { throw .dataFormat }
    file.isDirty = true
  }
}
