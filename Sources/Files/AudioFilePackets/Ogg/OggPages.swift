// The pages of an Ogg file that is written: packets gather until a page is full.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax

/// The state of an Ogg file that is open.
struct OggState {
  var serial: UInt32 = 0
  /// The pages being written; nil before the first packet, and in files that exist.
  var pages: OggPages?
  var sound: OggSound?
  /// The block of Vorbis before the next packet.
  var lastBlock: UInt32?
  /// Whether it is not known yet where packets that were written are.
  var isUnsettled = false
}

/// Packets that are not on a page yet, and the number of the next page.
struct OggPages {
  let serial: UInt32
  /// Place of the next page.
  var place: Int64
  /// Its number.
  var sequence: UInt32
  /// The frames of all packets in front of it.
  var granule: Int64 = 0
  /// Frames a second.
  let rate: Int64
  /// The packets that wait, with their frames.
  private var waiting: [(bytes: [UInt8], frames: Int64)] = []
  private var waitingFrames: Int64 = 0
  private var waitingSegments = 0

  /// The page at the end has at least this much sound, in frames at 48 kHz: the dropped frames fit
  /// into it.
  private static let kept: Int64 = 5760
  private static let mostSegments = 255

  init(serial: UInt32, place: Int64, sequence: UInt32, rate: Int64) {
    self.serial = serial
    self.place = place
    self.sequence = sequence
    self.rate = max(1, rate)
  }

  /// The frames of all packets.
  var totalFrames: Int64 { granule + waitingFrames }

  /// Adds a packet; writes pages that are full.
  mutating func append(
    _ packet: [UInt8], frames: Int64, to bytes: BufferedStore
  ) throws(AudioFileFailure) {
    waiting.append((packet, frames))
    waitingFrames += frames
    waitingSegments += packet.count / 255 + 1
    guard waitingFrames >= rate + Self.kept || waitingSegments >= 2 * Self.mostSegments else {
      return
    }
    try writeFirst(to: bytes)
  }

  /// Writes as much as fits on a page, but for the bytes that have to stay for the last one.
  private mutating func writeFirst(to bytes: BufferedStore) throws(AudioFileFailure) {
    var (count, left, segments) = (0, waitingFrames, 0)
    while count < waiting.count - 1, left - waiting[count].frames >= Self.kept {
      let more = waiting[count].bytes.count / 255 + 1
      guard count == 0 || segments + more <= Self.mostSegments else { break }
      left -= waiting[count].frames
      segments += more
      count += 1
    }
    if count == 0 { count = 1 }
    try write(count, flags: 0, end: nil, to: bytes)
    waiting.removeFirst(count)
    waitingFrames = waiting.reduce(0) { $0 + $1.frames }
    waitingSegments = waiting.reduce(0) { $0 + $1.bytes.count / 255 + 1 }
  }

  /// Writes the waiting packets as the last page, and keeps it: more may come.
  ///
  /// - Parameter dropped: Frames at the end that are not sound.
  /// - Returns: Where the file ends.
  func finish(dropping dropped: Int64, to bytes: BufferedStore) throws(AudioFileFailure) -> Int64 {
    var rest = self
    while rest.waitingSegments > Self.mostSegments, rest.waiting.count > 1 {
      try rest.writeFirst(to: bytes)
    }
    let end = totalFrames - min(dropped, rest.waitingFrames)
    try rest.write(rest.waiting.count, flags: OggPage.last, end: end, to: bytes)
    return rest.place
  }

  /// Writes packets as a page, or as several when they are long.
  private mutating func write(
    _ count: Int, flags: UInt8, end: Int64?, to bytes: BufferedStore
  ) throws(AudioFileFailure) {
    granule += waiting[..<count].reduce(0) { $0 + $1.frames }
    let pages = Self.pages(
      waiting[..<count].map(\.bytes), serial: serial, sequence: sequence, granule: end ?? granule,
      flags: flags)
    for page in pages {
      try bytes.write(page, at: place)
      place += Int64(page.count)
      sequence += 1
    }
  }

  /// Pages of packets; the flags are those of the last one, or of the first for a header.
  static func pages(
    _ packets: [[UInt8]], serial: UInt32, sequence: UInt32, granule: Int64, flags: UInt8
  ) -> [[UInt8]] {
    var lengths: [UInt8] = []
    // Behind which lengths a packet ends.
    var ends: Set<Int> = []
    for packet in packets {
      lengths += [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
      ends.insert(lengths.count)
    }
    let body = Array(packets.joined())
    var pages: [[UInt8]] = []
    var (first, offset) = (0, 0)
    repeat {
      let last = min(first + mostSegments, lengths.count)
      let these = Array(lengths[first..<last])
      let size = these.reduce(0) { $0 + Int($1) }
      let isLast = last == lengths.count
      var own: UInt8 = first > 0 && !ends.contains(first) ? OggPage.continued : 0
      if isLast || flags & OggPage.first != 0 { own |= flags }
      let hasEnd = (first + 1...max(first + 1, last)).contains { ends.contains($0) }
      pages.append(
        OggPage.bytes(
          flags: own, granule: isLast ? granule : hasEnd ? granule : -1, serial: serial,
          sequence: sequence + UInt32(pages.count), segments: these,
          body: body[offset..<(offset + size)]))
      (first, offset) = (last, offset + size)
    } while first < lengths.count
    return pages
  }
}
