// FLAC's own container: metadata, then frames.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// A file that begins with 'fLaC'. The cookie is that of MP4 files: a box 'dfLa' with the first block of metadata.
enum FLACContainer: Container {
  static let types: [AudioFileTypeID] = [kAudioFileFLACType]
  static let magic = UInt32(code: "fLaC")
  static let streamInfoSize = 34

  static func type(of head: [UInt8]) -> AudioFileTypeID? {
    head.code(at: 0) == magic ? kAudioFileFLACType : nil
  }

  static func soundEnd(_ bytes: BufferedStore) throws(AudioFileFailure) -> Int64 {
    try TagPlaces.trailingStart(bytes)
  }

  static var canSync: Bool { true }

  static func sync(_ bytes: BufferedStore, from place: Int64) throws(AudioFileFailure) -> Int64? {
    for block in 0..<Int64(64) {
      let part = try bytes.bytes(at: place + block << 10, count: 1 << 10)
      for offset in part.indices where part[offset] == 0xFF {
        let found = place + block << 10 + Int64(offset)
        if try FLACFrameHeader(bytes, found) != nil { return found }
      }
    }
    return nil
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
    file.comments = comments
    file.soundOffset = position
    file.soundByteCount = try soundEnd(file.bytes) - position
    try describe(info, file, firstFrame: file.bytes.bytes(at: position, count: 16))
    try FLACLength.read(file)
  }

  /// Reads the first block of metadata into a file's format, cookie, trim and scanner.
  ///
  /// - Parameter firstFrame: The header of the first frame, where it is at hand.
  static func describe(
    _ info: [UInt8], _ file: PacketFile, firstFrame: [UInt8] = []
  ) throws(AudioFileFailure) {
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
    // Blocks are never as short as that: a writer left the field out.
    var isFixed = shortest == longest || shortest < 16
    // Frames with numbers of their own have one length, whatever the shortest is said to be.
    if !isFixed, let first = FLACFrameHeader(firstFrame), first.frames == longest {
      isFixed = firstFrame[1] & 1 == 0
    }
    file.format = AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatFLAC, mFormatFlags: LosslessDepth.flags(bits),
      mBytesPerPacket: 0, mFramesPerPacket: isFixed ? longest : 0, mBytesPerFrame: 0,
      mChannelsPerFrame: channels, mBitsPerChannel: 0, mReserved: 0)
    file.cookie = cookie(info)
    file.sourceBitDepth = Int32(bits)
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

  static func cookie(_ info: [UInt8]) -> [UInt8] {
    let block: [UInt8] = [0x80, 0, 0, UInt8(streamInfoSize)] + info.prefix(streamInfoSize)
    var writer = ByteWriter(bigEndian: true)
    writer.put(UInt32(12 + block.count))
    writer.put(bytes: "dfLa".utf8)
    writer.put(UInt32(0))
    writer.put(bytes: block)
    return writer.bytes
  }

  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo {
    var info = SoundInfo()
    info.entries = VorbisComments(file.comments).texts
    return info
  }
}

/// Finds frames of FLAC by the headers of the next: they contain no length.
struct FLACScanner: FrameScanner {
  let longest: UInt32
  let isFixed: Bool
  let smallest: Int
  let largestFrame: UInt32
  let bound: UInt32

  var largestSize: UInt32 { largestFrame > 0 ? largestFrame : bound }

  /// The first byte of a file's mark.
  private var magicByte: UInt8 { 0x66 }

  /// Whether another file begins at a place, with its mark and its first block.
  private func isFile(_ bytes: BufferedStore, at place: Int64) throws(AudioFileFailure) -> Bool {
    let start = try bytes.bytes(at: place, count: 8)
    return start.code(at: 0) == FLACContainer.magic
      && start.code(at: 4) & 0x7FFF_FFFF == UInt32(FLACContainer.streamInfoSize)
  }

  func next(
    _ bytes: BufferedStore, _ from: Int64, end: Int64
  ) throws(AudioFileFailure) -> FoundFrame? {
    guard let header = try FLACFrameHeader(bytes, from) else { return nil }
    let expected = isFixed ? header.number + 1 : header.number + UInt64(header.frames)
    var place = from + Int64(smallest)
    let limit = min(end, from + Int64(bound) + 1 << 16)
    while place < limit {
      let block = try bytes.bytes(at: place, count: Int(min(1 << 10, end - place)))
      for offset in block.indices where block[offset] == 0xFF || block[offset] == magicByte {
        if block[offset] == magicByte {
          guard offset + 1 >= block.count || block[offset + 1] == 0x6C,
            try isFile(bytes, at: place + Int64(offset))
          else { continue }
          return FoundFrame(
            start: from, size: UInt32(place + Int64(offset) - from),
            frames: isFixed ? nil : header.frames)
        }
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
