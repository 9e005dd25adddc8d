// MPEG audio of layers 1 to 3: a frame is a packet.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// MP1, MP2 and MP3 files. A first frame that holds a table and no sound is none of the packets.
enum MPEGAudioContainer: FrameContainer {
  static let types: [AudioFileTypeID] = [
    kAudioFileMP3Type, kAudioFileMP2Type, kAudioFileMP1Type,
  ]
  static let headerSize = MPEGAudioHeader.size
  static let firstByte: UInt8 = 0xFF

  static func frameLength(_ header: [UInt8]) -> Int? {
    MPEGAudioHeader(header).flatMap { $0.isFree ? nil : $0.byteCount }
  }

  static func isLike(_ header: [UInt8], _ other: [UInt8]) -> Bool {
    guard let one = MPEGAudioHeader(header), let two = MPEGAudioHeader(other) else { return false }
    return one.isLike(two)
  }

  static func type(ofFrame header: [UInt8]) -> AudioFileTypeID {
    switch MPEGAudioHeader(header)?.layer {
    case 1: kAudioFileMP1Type
    case 2: kAudioFileMP2Type
    default: kAudioFileMP3Type
    }
  }

  static func read(_ file: PacketFile) throws(AudioFileFailure) {
    var first = try firstFrame(file.bytes)
    if first == nil {
      first = try MPEGFreeFormat.firstFrame(file.bytes, from: TagPlaces.leadingEnd(file.bytes))
    }
    guard let (offset, bytes) = first, let header = MPEGAudioHeader(bytes) else { throw .broken }
    var size = header.byteCount
    var freeSize = 0
    if header.isFree {
      guard let found = try MPEGFreeFormat.size(file.bytes, header, at: offset) else {
        throw .broken
      }
      freeSize = found
      size = found + header.paddingSize
    }
    file.format = header.format
    try frame(file, from: offset)
    try readInformation(file, header, size: size)
    file.scanner = MPEGScanner(first: header, freeSize: freeSize)
  }

  /// Reads the first frame of the sound, and leaves it out where it has a table in place of sound.
  private static func readInformation(
    _ file: PacketFile, _ header: MPEGAudioHeader, size: Int
  ) throws(AudioFileFailure) {
    let whole = try file.bytes.bytes(at: file.soundOffset, count: size)
    guard let tag = MPEGInfoFrame(whole, header) else { return }
    file.informationSize = Int64(size)
    file.soundOffset += Int64(size)
    file.soundByteCount -= Int64(size)
    file.ends = tag.priming.map {
      StreamEnds(priming: $0, remainder: tag.remainder, promised: tag.frameCount)
    }
    file.promisedPacketCount = tag.frameCount.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Reads frames that are the sound of a file of another kind, behind tags of their own.
  static func readInside(_ file: PacketFile) throws(AudioFileFailure) {
    let end = file.soundOffset + file.soundByteCount
    var place = file.soundOffset
    while let next = try TagPlaces.end(file.bytes, at: place), next < end { place = next }
    var head = try file.bytes.bytes(at: place, count: headerSize)
    if MPEGAudioHeader(head) == nil,
      let first = try firstFrame(file.bytes, from: place, mayLookFurther: true), first.offset < end
    {
      (place, head) = first
    }
    guard let header = MPEGAudioHeader(head), !header.isFree else { throw .dataFormat }
    file.format = header.format
    (file.soundOffset, file.soundByteCount) = (place, end - place)
    findFrames(file, MPEGScanner(first: header, freeSize: 0))
    try readInformation(file, header, size: header.byteCount)
  }

  static func begin(_ file: PacketFile) throws(AudioFileFailure) { file.table = PacketTable() }

  static func stores(_ property: AudioFilePropertyID, _ file: PacketFile) -> Bool {
    property == kAudioFilePropertyID3Tag && file.soundByteCount == 0
  }
}

/// Streams whose bit rate is none of the table: all frames have one length, but for padding.
enum MPEGFreeFormat {
  /// The longest frame that is searched for.
  private static let largest = 8192
  /// As far as a first frame may be behind tags.
  private static let reach = 4096

  /// Frames that show a stream in a file whose name does not.
  private static let provingFrames = 8

  /// Whether frames of such a stream begin at a place and go on: chance does not make so many of them.
  static func goesOn(
    _ bytes: BufferedStore, _ head: [UInt8], at place: Int64
  ) throws(AudioFileFailure) -> Bool {
    guard let header = MPEGAudioHeader(head), let size = try size(bytes, header, at: place) else {
      return false
    }
    let end = try TagPlaces.trailingStart(bytes)
    var (next, padding) = (place, header.paddingSize)
    for _ in 0..<provingFrames {
      next += Int64(size + padding)
      if next >= end { break }
      guard let other = MPEGAudioHeader(try bytes.bytes(at: next, count: 4)), other.isLike(header)
      else { return false }
      padding = other.paddingSize
    }
    return true
  }

  /// The length of the frame that begins at a place, without its padding; nil where no more follow.
  static func size(
    _ bytes: BufferedStore, _ header: MPEGAudioHeader, at place: Int64
  ) throws(AudioFileFailure) -> Int? {
    let block = try bytes.bytes(at: place, count: largest)
    guard block.count > 48 else { return nil }
    for offset in 24..<block.count - 3 where block[offset] == 0xFF {
      guard let next = MPEGAudioHeader(block[offset..<offset + 4]), next.isLike(header) else {
        continue
      }
      let size = offset - header.paddingSize
      let third = place + Int64(offset + size + next.paddingSize)
      let behind = MPEGAudioHeader(try bytes.bytes(at: third, count: 4))
      let isEnd = try third == bytes.byteCount
      if isEnd || behind?.isLike(header) == true { return size }
    }
    return nil
  }

  /// The first frame of such a stream at or a little behind a place.
  static func firstFrame(
    _ bytes: BufferedStore, from start: Int64
  ) throws(AudioFileFailure) -> (offset: Int64, header: [UInt8])? {
    let block = try bytes.bytes(at: start, count: reach)
    for offset in block.indices.dropLast(3) where block[offset] == 0xFF {
      let head = Array(block[offset..<offset + 4])
      guard let header = MPEGAudioHeader(head), header.isFree else { continue }
      let place = start + Int64(offset)
      if try size(bytes, header, at: place) != nil { return (place, head) }
    }
    return nil
  }
}

/// A scanner for frames like the first one, which skips other bytes.
struct MPEGScanner: FrameScanner {
  let first: MPEGAudioHeader
  /// The length of frames of a free bit rate without their padding.
  let freeSize: Int
  var largestSize: UInt32 { first.largestSize }

  func next(
    _ bytes: BufferedStore, _ from: Int64, end: Int64
  ) throws(AudioFileFailure) -> FoundFrame? {
    if let size = try length(bytes, at: from) {
      return from + Int64(size) <= end ? FoundFrame(start: from, size: UInt32(size)) : nil
    }
    // Lost: the next place where two frames follow each other, or one ends the sound.
    var place = from + 1
    while place + Int64(MPEGAudioHeader.size) <= end {
      let block = try bytes.bytes(at: place, count: Int(min(1 << 10, end - place)))
      for offset in block.indices where block[offset] == 0xFF {
        let found = place + Int64(offset)
        guard let size = try length(bytes, at: found) else { continue }
        let next = found + Int64(size)
        guard next <= end else { continue }
        var isFollowed = next == end
        if !isFollowed { isFollowed = try length(bytes, at: next) != nil }
        if !isFollowed { isFollowed = try TagPlaces.end(bytes, at: next) != nil }
        if isFollowed { return FoundFrame(start: found, size: UInt32(size)) }
      }
      guard !block.isEmpty else { break }
      place += Int64(block.count)
    }
    return nil
  }

  /// The length of the frame that begins at a place; nil where none does.
  private func length(_ bytes: BufferedStore, at place: Int64) throws(AudioFileFailure) -> Int? {
    guard let word = try bytes.word(at: place), let header = MPEGAudioHeader(word: word),
      header.isLike(first)
    else { return nil }
    return header.isFree ? freeSize + header.paddingSize : header.byteCount
  }
}
