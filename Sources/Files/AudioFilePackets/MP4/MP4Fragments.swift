// MP4 files in fragments: each describes its packets, in front of them.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// Finds the packets of the fragments of a track, one fragment after the other.
final class MP4FragmentScanner: FrameScanner {
  let largestSize: UInt32 = 1 << 20
  let keepsPlace = true
  private let track: UInt32
  private let defaults: (duration: UInt32, size: UInt32)
  private var place: Int64
  private var found: [FoundFrame] = []
  /// Whether samples are no packets of their own.
  private let joins: Bool
  /// Ticks of all packets so far.
  private(set) var ticks: Int64 = 0

  /// The most packets of a fragment.
  private static let maximumCount = 1 << 20

  /// The fragments of a film; nil for one without any.
  ///
  /// - Parameter joins: Whether contiguous samples are found as one.
  init?(
    _ boxes: MP4Boxes, _ movie: MP4Box, _ track: MP4Box, joins: Bool
  ) throws(AudioFileFailure) {
    self.joins = joins
    guard let extends = try boxes.box(["mvex"], in: movie) else { return nil }
    let head = try boxes.body(boxes.box(["tkhd"], in: track))
    self.track = head.first == 1 ? head.code(at: 20) : head.code(at: 12)
    var defaults: (duration: UInt32, size: UInt32) = (0, 0)
    for box in try boxes.boxes(from: extends.body, to: extends.end)
    where box.code == UInt32(code: "trex") {
      let body = try boxes.body(box)
      if body.code(at: 4) == self.track { defaults = (body.code(at: 12), body.code(at: 16)) }
    }
    self.defaults = defaults
    place = movie.end
  }

  func jump(to place: Int64) {}

  func next(
    _ bytes: BufferedStore, _ from: Int64, end: Int64
  ) throws(AudioFileFailure) -> FoundFrame? {
    let boxes = MP4Boxes(bytes: bytes)
    let end = try bytes.byteCount
    while found.isEmpty {
      guard let box = try boxes.box(at: place, end: end) else { return nil }
      var behind = box.end
      if box.code == UInt32(code: "moof") {
        // In a stream the header of its data is gone once the data is.
        try bytes.require(box.end + 16)
        if let data = try boxes.box(at: box.end, end: end), data.code == UInt32(code: "mdat") {
          behind = data.end
        }
        for part in try boxes.boxes(from: box.body, to: box.end)
        where part.code == UInt32(code: "traf") {
          try read(boxes, part, fragment: box)
        }
        found.reverse()
      }
      place = behind
    }
    guard let last = found.last else { return nil }
    try bytes.require(last.start + Int64(last.size))
    guard last.start + Int64(last.size) <= end else { return nil }
    return found.removeLast()
  }

  private func read(
    _ boxes: MP4Boxes, _ part: MP4Box, fragment: MP4Box
  ) throws(AudioFileFailure) {
    var (base, duration, size) = (fragment.start, defaults.duration, defaults.size)
    var position: Int64?
    for box in try boxes.boxes(from: part.body, to: part.end) {
      var reader = ByteReader(try boxes.body(box), bigEndian: true)
      let flags = reader.u32() & 0xFF_FFFF
      if box.code == UInt32(code: "tfhd") {
        guard reader.u32() == track else { return }
        if flags & 1 != 0 { base = reader.s64() }
        if flags & 2 != 0 { reader.skip(4) }
        if flags & 8 != 0 { duration = reader.u32() }
        if flags & 0x10 != 0 { size = reader.u32() }
      } else if box.code == UInt32(code: "trun") {
        let count = Int(reader.u32())
        var start = position ?? base
        if flags & 1 != 0 { start = base + Int64(reader.s32()) }
        if flags & 4 != 0 { reader.skip(4) }
        guard count <= Self.maximumCount, start >= 0, start < 1 << 60 else { throw .broken }
        for _ in 0..<count where !reader.isPastEnd {
          ticks += Int64(flags & 0x100 != 0 ? reader.u32() : duration)
          let bytes = flags & 0x200 != 0 ? reader.u32() : size
          if flags & 0x400 != 0 { reader.skip(4) }
          if flags & 0x800 != 0 { reader.skip(4) }
          guard bytes > 0, !reader.isPastEnd else { continue }
          add(start, bytes)
          start += Int64(bytes)
        }
        position = start
      }
    }
  }

  /// Adds a sample; where many of one byte or a few are stored as they are, together with those
  /// before.
  private func add(_ start: Int64, _ size: UInt32) {
    if joins, let last = found.last, last.end == start, last.size < largestSize / 2,
      size < largestSize / 2
    {
      found[found.count - 1].size += size
    } else {
      found.append(FoundFrame(start: start, size: size))
    }
  }
}
