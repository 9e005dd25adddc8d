// Files that are nothing but frames: how the next one is found.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A packet that was found.
struct FoundFrame {
  /// Where its bytes begin, behind a header that is not its own.
  var start: Int64
  /// Its bytes.
  var size: UInt32
  /// Its frames of sound, where they vary.
  var frames: UInt32?
  /// Bytes between it and the next one.
  var behind: Int64 = 0
}

/// Finds the packets of a file one after the other.
protocol FrameScanner {
  /// The largest packet that there can be, in bytes.
  var largestSize: UInt32 { get }

  /// The first packet at or behind a place; nil when there is no more.
  func next(
    _ bytes: BufferedStore, _ from: Int64, end: Int64
  ) throws(AudioFileFailure) -> FoundFrame?
}

/// A container of frames with a header each, and without a magic number.
protocol FrameContainer: Container {
  /// Bytes that a header takes at most.
  static var headerSize: Int { get }

  /// The length of the frame that begins with these bytes, header included; nil when none does.
  static func frameLength(_ header: [UInt8]) -> Int?

  /// The type of the file whose first frame has this header.
  static func type(ofFrame header: [UInt8]) -> AudioFileTypeID
}

extension FrameContainer {
  static func type(of head: [UInt8]) -> AudioFileTypeID? { nil }

  /// The first frame at or behind a place that another one, or the end, follows; within 64 KiB.
  static func firstFrame(
    _ bytes: BufferedStore, from start: Int64, mayLookFurther: Bool
  ) throws(AudioFileFailure) -> (offset: Int64, header: [UInt8])? {
    let block = try bytes.bytes(at: start, count: mayLookFurther ? 1 << 16 : headerSize)
    let total = try bytes.byteCount
    for offset in 0...max(0, block.count - headerSize) {
      let header = Array(block[offset...].prefix(headerSize))
      guard let length = frameLength(header) else { continue }
      let next = start + Int64(offset + length)
      if next == total { return (start + Int64(offset), header) }
      let following = try bytes.bytes(at: next, count: headerSize)
      guard let second = frameLength(following) else {
        // One frame, and a tag behind it.
        if following.starts(with: "TAG".utf8) { return (start + Int64(offset), header) }
        continue
      }
      let third = next + Int64(second)
      let behind = try bytes.bytes(at: third, count: headerSize)
      if third >= total || frameLength(behind) != nil || behind.starts(with: "TAG".utf8) {
        return (start + Int64(offset), header)
      }
    }
    return nil
  }
}

/// All containers of frames.
enum FrameStreams {
  private static let all: [any FrameContainer.Type] = [
    ADTSContainer.self, MPEGAudioContainer.self, AC3Container.self,
  ]

  /// What a file name ends with when it holds frames.
  private static let extensions: Set<String> = [
    "mp3", "mpga", "mp2", "mp1", "aac", "adts", "ac3", "ec3", "eac3",
  ]

  /// The container of a file of frames.
  static func recognize(
    _ bytes: BufferedStore, hint: AudioFileTypeID, fileExtension: String
  ) throws(AudioFileFailure) -> (AudioFileTypeID, any Container.Type)? {
    let start = try ID3Tag.end(bytes)
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
    }
    // An empty file of a type that has no header of its own.
    if try bytes.byteCount == start, start > 0,
      let container = all.first(where: { $0.types.contains(hint) })
    {
      return (hint, container)
    }
    return nil
  }
}

/// Finds frames by their headers; steps over what is broken.
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
