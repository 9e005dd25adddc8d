// Finds the packets of a stream in Ogg, which may go from page to page.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax

/// The lengths of packets, by their kind.
enum OggSound {
  case opus
  case vorbis(VorbisSetup)
  /// Frames of each packet, also of the last, which may have fewer; 0 where they differ.
  case flac(UInt32)
}

/// Walks from packet to packet of one stream.
struct OggWalker {
  let serial: UInt32
  /// Place of the next page.
  private(set) var place: Int64
  /// The place of the page that was entered last, and its fields.
  private(set) var pageStart: Int64 = 0
  private(set) var page: OggPage?
  private var segments: [UInt8] = []
  private var segment = 0
  private var body: Int64 = 0
  private var pieces: [PacketPiece] = []
  /// Whether the rest of a page before is skipped.
  private var isLost: Bool
  /// Whether the headers were read: no further stream begins.
  private var isInSound = false

  init(serial: UInt32, at place: Int64, isLost: Bool = false) {
    self.serial = serial
    self.place = place
    self.isLost = isLost
  }

  /// The same behind the headers of all streams.
  var inSound: OggWalker {
    var walker = self
    walker.isInSound = true
    return walker
  }

  /// Whether all of the page that was entered last was read.
  var isAtPageEnd: Bool { segment >= segments.count && pieces.isEmpty }

  /// The parts of the next packet; nil when there is none.
  mutating func next(
    _ bytes: BufferedStore, end: Int64
  ) throws(AudioFileFailure) -> [PacketPiece]? {
    while true {
      while segment < segments.count {
        var count = 0
        var isWhole = false
        while segment < segments.count, !isWhole {
          count += Int(segments[segment])
          isWhole = segments[segment] < 255
          segment += 1
        }
        let start = body
        body += Int64(count)
        if isLost {
          isLost = !isWhole
          continue
        }
        if count > 0 || pieces.isEmpty { pieces.append(PacketPiece(start: start, count: count)) }
        guard isWhole else { break }
        guard body <= end else { return nil }
        defer { pieces = [] }
        return pieces
      }
      guard try enterPage(bytes, end: end) else { return nil }
    }
  }

  /// Goes into the next page of the stream; false behind the last.
  ///
  /// - Throws: `.dataFormat` where another stream begins within the sound.
  private mutating func enterPage(
    _ bytes: BufferedStore, end: Int64
  ) throws(AudioFileFailure) -> Bool {
    while place + Int64(OggPage.headSize) <= end {
      let head = try bytes.bytes(at: place, count: OggPage.headSize)
      guard let found = OggPage(head) else {
        // Lost: a packet that was begun cannot be ended.
        guard let next = try OggContainer.sync(bytes, from: place + 1), next < end else {
          return false
        }
        place = next
        pieces = []
        isLost = true
        continue
      }
      guard !isInSound || found.flags & OggPage.first == 0 else { throw .dataFormat }
      let start = place
      let segments = try bytes.bytes(
        at: place + Int64(OggPage.headSize), count: found.segmentCount)
      guard segments.count == found.segmentCount else { return false }
      let body = place + Int64(OggPage.headSize + segments.count)
      place = body + segments.reduce(0) { $0 + Int64($1) }
      // A page that is cut short has no sum that is right, and decoders drop it.
      guard place <= end else { return false }
      try bytes.require(place)
      guard found.serial == serial else { continue }
      let isContinued = found.flags & OggPage.continued != 0
      if isContinued, pieces.isEmpty { isLost = true }
      if !isContinued {
        pieces = []
        isLost = false
      }
      (page, pageStart) = (found, start)
      (self.segments, segment, self.body) = (segments, 0, body)
      return true
    }
    return false
  }
}

/// The packets of sound of a file.
final class OggScanner: FrameScanner {
  let largestSize: UInt32
  let keepsPlace = true
  private let sound: OggSound
  private var walker: OggWalker
  private var lastBlock: UInt32?

  init(_ sound: OggSound, _ walker: OggWalker, largestSize: UInt32) {
    self.sound = sound
    self.walker = walker
    self.largestSize = largestSize
  }

  func jump(to place: Int64) {
    walker = OggWalker(serial: walker.serial, at: place, isLost: true).inSound
    lastBlock = nil
  }

  func next(
    _ bytes: BufferedStore, _ from: Int64, end: Int64
  ) throws(AudioFileFailure) -> FoundFrame? {
    // Kept only when the packet has come whole.
    var walker = walker
    var block = lastBlock
    while let pieces = try walker.next(bytes, end: end) {
      for piece in pieces { try bytes.require(piece.start + Int64(piece.count)) }
      guard let first = pieces.first else { continue }
      let size = pieces.reduce(0) { $0 + $1.count }
      let frames = try Self.frames(sound, bytes, first, &block)
      // An empty packet holds nothing.
      guard size > 0 else { continue }
      (self.walker, lastBlock) = (walker, block)
      return FoundFrame(
        start: first.start, size: UInt32(size), frames: frames,
        pieces: pieces.count > 1 ? pieces : [])
    }
    return nil
  }

  /// The frames of a packet, by its first bytes.
  static func frames(
    _ sound: OggSound, _ bytes: BufferedStore, _ first: PacketPiece, _ lastBlock: inout UInt32?
  ) throws(AudioFileFailure) -> UInt32 {
    switch sound {
    case .opus:
      return OpusHead.frames(of: try bytes.bytes(at: first.start, count: min(2, first.count))) ?? 0
    case .vorbis(let setup):
      return vorbisFrames(
        setup, try bytes.bytes(at: first.start, count: min(1, first.count)), &lastBlock)
    case .flac(let frames):
      guard frames == 0 else { return frames }
      let head = try bytes.bytes(at: first.start, count: min(16, first.count))
      return FLACFrameHeader(head)?.frames ?? 0
    }
  }

  /// Halves of two blocks overlap: the first packet has no frames.
  static func vorbisFrames(
    _ setup: VorbisSetup, _ packet: some Collection<UInt8>, _ lastBlock: inout UInt32?
  ) -> UInt32 {
    guard let block = setup.blockSize(packet) else { return 0 }
    defer { lastBlock = block }
    return lastBlock.map { $0 / 4 + block / 4 } ?? 0
  }
}
