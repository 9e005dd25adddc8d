// FLAC's own container: metadata, then frames.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A file that begins with 'fLaC'. The cookie is what MP4 files have: a box 'dfLa' with the first block of metadata.
enum FLACContainer: Container {
  static let types: [AudioFileTypeID] = [kAudioFileFLACType]
  private static let magic = UInt32(code: "fLaC")
  private static let streamInfoSize = 34

  static func type(of head: [UInt8]) -> AudioFileTypeID? {
    head.code(at: 0) == magic ? kAudioFileFLACType : nil
  }

  static func read(_ file: PacketFile) throws(AudioFileFailure) {
    var position: Int64 = 4
    var info: [UInt8] = []
    var comments: [UInt8] = []
    while true {
      let head = try file.bytes.bytes(at: position, count: 4)
      guard head.count == 4 else { throw .broken }
      let length = Int(head.code(at: 0) & 0xFF_FFFF)
      let kind = head[0] & 0x7F
      if kind == 0 { info = try file.bytes.bytes(at: position + 4, count: length) }
      if kind == 4 { comments = try file.bytes.bytes(at: position + 4, count: length) }
      position += 4 + Int64(length)
      if head[0] & 0x80 != 0 { break }
    }
    guard info.count >= streamInfoSize else { throw .broken }
    var reader = ByteReader(info, bigEndian: true)
    let (shortest, longest) = (UInt32(reader.u16()), UInt32(reader.u16()))
    let smallest = reader.bytes(3).reduce(0) { $0 << 8 | Int($1) }
    let largest = reader.bytes(3).reduce(0) { $0 << 8 | UInt32($1) }
    let fields = reader.u64()
    let rate = Double(fields >> 44)
    let channels = UInt32(fields >> 41 & 7) + 1
    let bits = UInt32(fields >> 36 & 31) + 1
    let total = Int64(fields & 0xF_FFFF_FFFF)
    guard rate > 0, longest >= 16, shortest <= longest else { throw .broken }
    let isFixed = shortest == longest
    file.format = AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatFLAC, mFormatFlags: LosslessDepth.flags(bits),
      mBytesPerPacket: 0, mFramesPerPacket: isFixed ? longest : 0, mBytesPerFrame: 0,
      mChannelsPerFrame: channels, mBitsPerChannel: 0, mReserved: 0)
    file.cookie = cookie(info)
    file.sourceBitDepth = Int32(bits)
    file.comments = comments
    file.soundOffset = position
    file.soundByteCount = try ID3Tag.soundEnd(file.bytes) - position
    if total > 0, isFixed {
      let packets = (total + Int64(longest) - 1) / Int64(longest)
      file.trim = AudioFilePacketTableInfo(
        mNumberValidFrames: total, mPrimingFrames: 0,
        mRemainderFrames: Int32(packets * Int64(longest) - total))
    }
    file.table = PacketTable()
    file.table?.isComplete = false
    file.scanner = FLACScanner(
      longest: longest, isFixed: isFixed, smallest: max(smallest, 10), largestFrame: largest,
      bound: longest * channels * ((bits + 7) / 8 + 1) + 64)
  }

  private static func cookie(_ info: [UInt8]) -> [UInt8] {
    let block: [UInt8] = [0x80, 0, 0, UInt8(streamInfoSize)] + info.prefix(streamInfoSize)
    var writer = ByteWriter(bigEndian: true)
    writer.put(UInt32(12 + block.count))
    writer.put(bytes: "dfLa".utf8)
    writer.put(UInt32(0))
    writer.put(bytes: block)
    return writer.bytes
  }

  private static let keys: [String: String] = [
    "TITLE": "title", "ARTIST": "artist", "ALBUM": "album", "COMPOSER": "composer",
    "GENRE": "genre", "TRACKNUMBER": "track number", "DATE": "year", "COPYRIGHT": "copyright",
    "ISRC": "ISRC", "COMMENT": "comments", "DESCRIPTION": "comments", "LYRICIST": "lyricist",
    "ENCODER": "source encoder", "SUBTITLE": "subtitle", "BPM": "tempo",
  ]

  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo {
    var info = SoundInfo()
    var reader = ByteReader(file.comments, bigEndian: false)
    reader.skip(Int(reader.u32()))
    let count = min(Int(reader.u32()), reader.remaining / 4)
    for _ in 0..<count where reader.remaining >= 4 {
      let entry = String(decoding: reader.bytes(Int(reader.u32())), as: UTF8.self)
      guard let equal = entry.firstIndex(of: "="),
        let key = keys[entry[..<equal].uppercased()], info[key] == nil
      else { continue }
      info[key] = String(entry[entry.index(after: equal)...])
    }
    return info
  }
}

/// Finds frames of FLAC by the headers of the next: nothing tells their length.
struct FLACScanner: FrameScanner {
  let longest: UInt32
  let isFixed: Bool
  let smallest: Int
  let largestFrame: UInt32
  let bound: UInt32

  var largestSize: UInt32 { largestFrame > 0 ? largestFrame : bound }

  func next(
    _ bytes: BufferedStore, _ from: Int64, end: Int64
  ) throws(AudioFileFailure) -> FoundFrame? {
    guard let header = try FLACFrameHeader(bytes, from) else { return nil }
    let expected = isFixed ? header.number + 1 : header.number + UInt64(header.frames)
    var place = from + Int64(smallest)
    let limit = min(end, from + Int64(bound) + 1 << 16)
    while place < limit {
      let block = try bytes.bytes(at: place, count: Int(min(1 << 13, end - place)))
      for offset in block.indices where block[offset] == 0xFF {
        guard offset + 1 >= block.count || block[offset + 1] & 0xFE == 0xF8,
          let next = try FLACFrameHeader(bytes, place + Int64(offset)), next.number == expected
        else { continue }
        return FoundFrame(
          start: from, size: UInt32(place + Int64(offset) - from),
          frames: isFixed ? nil : header.frames)
      }
      guard !block.isEmpty else { break }
      place += Int64(block.count)
    }
    // The last one ends with the file.
    guard end - from <= Int64(bound) + 1 << 16 else { return nil }
    return FoundFrame(
      start: from, size: UInt32(end - from), frames: isFixed ? nil : header.frames)
  }
}

/// The header of a frame of FLAC, proven by its checksum.
struct FLACFrameHeader {
  /// Samples a channel.
  let frames: UInt32
  /// The frame's number, or that of its first sample where block sizes vary.
  let number: UInt64

  init?(_ bytes: BufferedStore, _ offset: Int64) throws(AudioFileFailure) {
    let head = try bytes.bytes(at: offset, count: 16)
    guard head.count >= 6, head[0] == 0xFF, head[1] & 0xFE == 0xF8, head[2] & 15 != 15,
      head[2] >> 4 != 0, head[3] & 1 == 0
    else { return nil }
    // The number is written like a long character of UTF-8.
    let more = head[4] < 0x80 ? 0 : (~head[4]).leadingZeroBitCount - 1
    guard more >= 0, more < 7, 5 + more < head.count else { return nil }
    var number = more == 0 ? UInt64(head[4]) : UInt64(head[4] & (0x3F >> UInt8(more)))
    for index in 0..<more {
      guard head[5 + index] & 0xC0 == 0x80 else { return nil }
      number = number << 6 | UInt64(head[5 + index] & 0x3F)
    }
    var position = 5 + more
    let size = head[2] >> 4
    switch size {
    case 1: frames = 192
    case 2...5: frames = 576 << UInt32(size - 2)
    case 6:
      guard position < head.count else { return nil }
      frames = UInt32(head[position]) + 1
      position += 1
    case 7:
      guard position + 1 < head.count else { return nil }
      frames = UInt32(head[position]) << 8 + UInt32(head[position + 1]) + 1
      position += 2
    default: frames = 256 << UInt32(size - 8)
    }
    let rate = head[2] & 15
    position += rate == 12 ? 1 : rate > 12 ? 2 : 0
    guard position < head.count, Self.checksum(head[..<position]) == head[position] else {
      return nil
    }
    self.number = number
  }

  /// The sum of eight bits over a header.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { value, _ in value & 0x80 != 0 ? value << 1 ^ 7 : value << 1 }
    }
  }
}
