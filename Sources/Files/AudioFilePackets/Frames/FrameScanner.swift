// Files that are nothing but frames: how the next one is found.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// Finds the packets of a file one after the other.
protocol FrameScanner {
  /// The largest packet that there can be, in bytes.
  var largestSize: UInt32 { get }

  /// Whether it keeps its place: it reads on from there, independent of the place it receives.
  var keepsPlace: Bool { get }

  /// Clears its state, and reads on from a place.
  func jump(to place: Int64)

  /// The first packet at or behind a place; nil when there is no more.
  func next(
    _ bytes: BufferedStore, _ from: Int64, end: Int64
  ) throws(AudioFileFailure) -> FoundFrame?
}

extension FrameScanner {
  var keepsPlace: Bool { false }
  func jump(to place: Int64) {}
}

/// A container of frames with a header each, and without a magic number.
protocol FrameContainer: Container {
  /// The most bytes of a header.
  static var headerSize: Int { get }

  /// The byte that every frame begins with.
  static var firstByte: UInt8 { get }

  /// The length of the frame that begins with these bytes, header included; nil when none does.
  static func frameLength(_ header: [UInt8]) -> Int?

  /// The type of the file whose first frame has this header.
  static func type(ofFrame header: [UInt8]) -> AudioFileTypeID

  /// Whether frames with these headers may belong to one stream.
  static func isLike(_ header: [UInt8], _ other: [UInt8]) -> Bool
}

extension FrameContainer {
  static func type(of head: [UInt8]) -> AudioFileTypeID? { nil }

  static func isLike(_ header: [UInt8], _ other: [UInt8]) -> Bool { true }

  static func soundEnd(_ bytes: BufferedStore) throws(AudioFileFailure) -> Int64 {
    try TagPlaces.trailingStart(bytes)
  }

  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo { SoundInfo() }

  static var canSync: Bool { true }

  static func sync(_ bytes: BufferedStore, from place: Int64) throws(AudioFileFailure) -> Int64? {
    try firstFrame(bytes, from: place, mayLookFurther: true)?.offset
  }

  /// Makes a file begin its sound with a frame, with a table that is not complete.
  static func frame(_ file: PacketFile, from offset: Int64) throws(AudioFileFailure) {
    file.soundOffset = offset
    file.soundByteCount = try soundEnd(file.bytes) - offset
    file.table = PacketTable()
    file.table?.isComplete = false
    let start = try TagPlaces.leadingEnd(file.bytes)
    file.tagOffset = start > 0 ? 0 : nil
    file.tagSize = min(start, offset)
  }

  /// Sets the scanner for the packets of a file whose sound is known.
  static func findFrames(_ file: PacketFile, _ scanner: any FrameScanner) {
    file.table = PacketTable()
    file.table?.isComplete = false
    file.scanner = scanner
  }

  /// The first frame of a file, after its tags and other bytes.
  ///
  /// A tag may say a size that is too large: frames in front of its end that lead to the first one are of the sound.
  static func firstFrame(
    _ bytes: BufferedStore
  ) throws(AudioFileFailure) -> (offset: Int64, header: [UInt8])? {
    let tagEnd = try TagPlaces.leadingEnd(bytes)
    let content = try TagPlaces.contentEnd(bytes)
    let total = try bytes.byteCount
    let start = tagEnd < total ? tagEnd : content
    guard var first = try firstFrame(bytes, from: start, mayLookFurther: true) else { return nil }
    guard tagEnd > content else { return first }
    // Frames are not longer than this.
    let reach = Int64(1 << 12)
    while let earlier = try frame(bytes, leadingTo: first, from: max(content, first.offset - reach))
    {
      first = earlier
    }
    return first
  }

  /// A frame at or behind a place that ends where another one begins.
  private static func frame(
    _ bytes: BufferedStore, leadingTo next: (offset: Int64, header: [UInt8]), from place: Int64
  ) throws(AudioFileFailure) -> (offset: Int64, header: [UInt8])? {
    guard place < next.offset else { return nil }
    let block = try bytes.bytes(at: place, count: Int(next.offset - place))
    for offset in block.indices where block[offset] == firstByte {
      let header = Array(block[offset...].prefix(headerSize))
      let found = place + Int64(offset)
      if let length = frameLength(header), found + Int64(length) == next.offset,
        isLike(header, next.header)
      {
        return (found, header)
      }
    }
    return nil
  }

  /// The first frame at or behind a place that another one, or the end, follows; within 1 MiB.
  static func firstFrame(
    _ bytes: BufferedStore, from start: Int64, mayLookFurther: Bool
  ) throws(AudioFileFailure) -> (offset: Int64, header: [UInt8])? {
    // A stream that arrives in pieces is searched again with each of them.
    let reach = mayLookFurther ? bytes.isArriving ? 1 << 16 : 1 << 20 : headerSize
    var done = 0
    while done + headerSize <= reach {
      // The place itself, then blocks: of a stream that arrives in pieces, no more than needed is read.
      let wanted = done == 0 ? headerSize : min(reach - done, 1 << 10)
      let block = try bytes.bytes(at: start + Int64(done), count: wanted)
      guard block.count >= headerSize else { return nil }
      for offset in 0...(block.count - headerSize) where block[offset] == firstByte {
        let header = Array(block[offset...].prefix(headerSize))
        let place = start + Int64(done + offset)
        if try isFollowed(header, at: place, bytes) { return (place, header) }
      }
      done += block.count - headerSize + 1
    }
    return nil
  }

  /// Whether a frame's header is followed by two more, or by the end.
  private static func isFollowed(
    _ header: [UInt8], at place: Int64, _ bytes: BufferedStore
  ) throws(AudioFileFailure) -> Bool {
    guard let length = frameLength(header) else { return false }
    let total = try bytes.byteCount
    let next = place + Int64(length)
    if next == total { return true }
    let following = try bytes.bytes(at: next, count: headerSize)
    // One frame, and a tag behind it.
    guard let second = frameLength(following), isLike(header, following) else {
      return try TagPlaces.end(bytes, at: next) != nil
    }
    let third = next + Int64(second)
    if third >= total { return true }
    let behind = try bytes.bytes(at: third, count: headerSize)
    if frameLength(behind) != nil, isLike(header, behind) { return true }
    return try TagPlaces.end(bytes, at: third) != nil
  }
}

/// All containers of frames.
enum FrameStreams {
  private static let all: [any FrameContainer.Type] = [
    ADTSContainer.self, MPEGAudioContainer.self, AC3Container.self,
  ]

  /// The endings of names of files that hold frames.
  private static let extensions: Set<String> = [
    "mp3", "mpga", "mp2", "mp1", "aac", "adts", "ac3", "ec3", "eac3",
  ]

  /// Whether a frame of any kind may begin at a place.
  static func begins(_ bytes: BufferedStore, at place: Int64) throws(AudioFileFailure) -> Bool {
    let head = try bytes.bytes(at: place, count: 8)
    return all.contains { head.first == $0.firstByte && $0.frameLength(head) != nil }
  }

  /// The container of a file of frames.
  static func recognize(
    _ bytes: BufferedStore, hint: AudioFileTypeID, fileExtension: String
  ) throws(AudioFileFailure) -> (AudioFileTypeID, any Container.Type)? {
    let start = try TagPlaces.leadingEnd(bytes)
    if try OtherKinds.begins(bytes, at: start) { return nil }
    let isLikely =
      start > 0 || extensions.contains(fileExtension.lowercased())
      || all.contains { $0.types.contains(hint) }
    for mayLookFurther in isLikely ? [false, true] : [false] {
      for container in all {
        if let (_, header) = try container.firstFrame(
          bytes, from: start, mayLookFurther: mayLookFurther)
        {
          return (container.type(ofFrame: header), container)
        }
      }
      if !mayLookFurther, !bytes.isArriving || isLikely,
        let (offset, header) = try MPEGFreeFormat.firstFrame(bytes, from: start),
        try isLikely ? true : MPEGFreeFormat.goesOn(bytes, header, at: offset)
      {
        return (MPEGAudioContainer.type(ofFrame: header), MPEGAudioContainer.self)
      }
    }
    // An empty file of a type without a header.
    if try bytes.byteCount == start, start > 0,
      let container = all.first(where: { $0.types.contains(hint) })
    {
      return (hint, container)
    }
    return nil
  }
}

/// Finds frames by their headers; steps over broken ones.
struct HeaderScanner: FrameScanner {
  let container: any FrameContainer.Type
  let largestSize: UInt32
  /// Bytes of a frame's header that are not part of the packet.
  var dropped: @Sendable ([UInt8]) -> Int = { _ in 0 }

  func next(
    _ bytes: BufferedStore, _ from: Int64, end: Int64
  ) throws(AudioFileFailure) -> FoundFrame? {
    let size = container.headerSize
    let header = try bytes.bytes(at: from, count: size)
    if let found = frame(header, at: from, end: end) { return found }
    // Lost: the next place where two frames follow each other.
    var place = from + 1
    while place + Int64(size) <= end {
      guard
        let (offset, header) = try container.firstFrame(bytes, from: place, mayLookFurther: true)
      else {
        place += 1 << 16 - Int64(size)
        continue
      }
      return frame(header, at: offset, end: end)
    }
    return nil
  }

  private func frame(_ header: [UInt8], at offset: Int64, end: Int64) -> FoundFrame? {
    guard let length = container.frameLength(header), offset + Int64(length) <= end else {
      return nil
    }
    let skipped = dropped(header)
    return FoundFrame(start: offset + Int64(skipped), size: UInt32(length - skipped))
  }
}
