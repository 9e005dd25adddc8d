// The header of an MP4 file that can be written: its boxes, and where they go.
// SPDX-License-Identifier: Apache-2.0

/// The film of a file, in memory, beside the sound in the file.
package struct MP4Movie {
  /// The box 'moov'.
  package var tree: MP4Node
  /// Index of the track among its boxes.
  package var track: Int
  /// The place of the header in front of the sound, or a place for it.
  package var place: Int64
  /// The most bytes for it there.
  package var room: Int64
  /// Start of the bytes of the last box of media; nil when another box is last.
  package var mediaStart: Int64?
  /// Bytes in front of the media for the header of its box: 8, or 16 for any size.
  package var mediaHeadSize: Int64
  /// The end of everything that is neither header nor filler.
  package var tail: Int64
  /// Whether the header is, or would be, behind the media.
  package var isBehind = false
  /// Whether packets were added or dropped since the tables were made.
  package var hasNewPackets = false

  /// The header of a file that is open: nil when it cannot be changed.
  package init?(_ boxes: MP4Boxes, _ movie: MP4Box, track: Int) throws(AudioFileFailure) {
    let bytes = try boxes.body(movie)
    guard let children = MP4Node.boxes(bytes[...]) else { return nil }
    tree = MP4Node("moov", [], children)
    self.track = track
    let all = try boxes.boxes(from: 0, to: try boxes.bytes.byteCount)
    func isSoft(_ box: MP4Box) -> Bool {
      [UInt32(code: "moov"), UInt32(code: "free"), UInt32(code: "skip")].contains(box.code)
    }
    guard let last = all.last(where: { !isSoft($0) }) else { return nil }
    tail = last.end
    let isMedia = last.code == UInt32(code: "mdat")
    mediaStart = isMedia ? last.body : nil
    mediaHeadSize = last.body - last.start
    // In front: the place of the header or, when it is behind, of filler after the first box.
    isBehind = movie.start >= last.end
    var (first, end) = (movie.start, movie.end)
    if isBehind {
      first = all.first?.end ?? 0
      end = first
    }
    if let before = all.last(where: { $0.end == first && isSoft($0) }) { first = before.start }
    while let next = all.first(where: { $0.start == end && isSoft($0) && $0.end <= last.start }) {
      end = next.end
    }
    (place, room) = (first, end - first)
  }

  /// The header of a new file, which has none yet.
  package init(tree: MP4Node, track: Int, place: Int64, room: Int64, mediaStart: Int64) {
    self.tree = tree
    self.track = track
    self.place = place
    self.room = room
    self.mediaStart = mediaStart
    mediaHeadSize = 16
    tail = mediaStart
  }

  /// Writes the header where there is room for it, and the size of the media.
  package mutating func write(_ bytes: BufferedStore) throws(AudioFileFailure) {
    let header = tree.bytes
    if let mediaStart {
      try bytes.write(try mediaHead(tail - mediaStart), at: mediaStart - mediaHeadSize)
    }
    let left = room - Int64(header.count)
    isBehind = left != 0 && left < 8
    if isBehind {
      try bytes.write(header, at: tail)
      try bytes.resize(to: tail + Int64(header.count))
      // The old one goes when the new one is there: a full disk removes none from a file that
      // exists.
      if room >= 8 { try bytes.write(Self.filler(room), at: place) }
    } else {
      try bytes.write(header + (left > 0 ? Self.filler(left) : []), at: place)
      try bytes.resize(to: tail)
    }
  }

  private func mediaHead(_ count: Int64) throws(AudioFileFailure) -> [UInt8] {
    var writer = ByteWriter(bigEndian: true)
    let isLong = count + 8 > Int64(UInt32.max)
    guard !isLong || mediaHeadSize == 16 else { throw .tooLong }
    if isLong {
      writer.put(UInt32(1))
      writer.put(bytes: "mdat".utf8)
      writer.put(count + 16)
    } else {
      if mediaHeadSize == 16 { writer.put(bytes: Self.filler(8)) }
      writer.put(UInt32(count + 8))
      writer.put(bytes: "mdat".utf8)
    }
    return writer.bytes
  }

  /// A box that holds nothing, of a size with its header; only the header where it is long.
  package static func filler(_ size: Int64) -> [UInt8] {
    [UInt8](code: UInt32(clamping: size)) + Array("free".utf8)
      + [UInt8](repeating: 0, count: Int(min(size, 1 << 16)) - 8)
  }

  /// Moves all places of packets.
  package mutating func shift(by offset: Int64) {
    func moved(_ node: inout MP4Node, _ size: Int) {
      var reader = ByteReader(node.body, bigEndian: true)
      var writer = ByteWriter(bigEndian: true)
      writer.put(bytes: reader.bytes(8))
      while reader.remaining >= size {
        if size == 4 {
          writer.put(UInt32(clamping: Int64(reader.u32()) + offset))
        } else {
          writer.put(reader.s64() &+ offset)
        }
      }
      node.body = writer.bytes
    }
    tree.changeAll("stco") { moved(&$0, 4) }
    tree.changeAll("co64") { moved(&$0, 8) }
  }
}
