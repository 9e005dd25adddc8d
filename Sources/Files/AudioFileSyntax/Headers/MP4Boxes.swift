// Boxes of MP4 files: a size, a code, a body; bodies of some are boxes again.
// SPDX-License-Identifier: Apache-2.0

/// One box.
package struct MP4Box {
  /// Its code.
  package let code: UInt32
  /// Start of the header.
  package let start: Int64
  /// Start of the body.
  package let body: Int64
  /// Start of the next one.
  package let end: Int64
}

/// Walks through the boxes of a file.
package struct MP4Boxes {
  /// The bytes of the file.
  package let bytes: BufferedStore

  /// Walks through a file.
  package init(bytes: BufferedStore) { self.bytes = bytes }

  /// The most boxes on one level.
  private static let maximumCount = 10_000

  /// The boxes that a file may be cut within: those of its outer level.
  package static let ofFiles = Set(
    ([
      "moov", "moof", "mdat", "mfra", "free", "skip", "wide", "uuid", "meta", "udta", "sidx",
      "ssix", "styp", "emsg", "prft", "pnot",
    ] as [StaticString]).map { UInt32(code: $0) })

  /// The box that begins at a place; nil where none fits.
  package func box(at position: Int64, end: Int64) throws(AudioFileFailure) -> MP4Box? {
    let head = try bytes.bytes(at: position, count: 16)
    guard position + 8 <= end, head.count >= 8 else { return nil }
    var reader = ByteReader(head, bigEndian: true)
    var size = Int64(reader.u32())
    let code = reader.u32()
    var body = position + 8
    if size == 1 {
      size = reader.s64()
      body = position + 16
    } else if size == 0 {
      size = end - position
    }
    guard size >= body - position, size <= end - position || code == UInt32(code: "mdat") else {
      return nil
    }
    return MP4Box(
      code: code, start: position, body: body, end: position + min(size, end - position))
  }

  /// The boxes between two places.
  package func boxes(from start: Int64, to end: Int64) throws(AudioFileFailure) -> [MP4Box] {
    var found: [MP4Box] = []
    var position = start
    while found.count < Self.maximumCount, let box = try box(at: position, end: end) {
      found.append(box)
      position = box.end
    }
    return found
  }

  /// The header of the film; nil without one.
  ///
  /// - Throws: `.notOptimized` in a stream whose sound comes first.
  package func movie() throws(AudioFileFailure) -> MP4Box? {
    var position: Int64 = 0
    let end = try bytes.byteCount
    for _ in 0..<Self.maximumCount {
      guard let box = try box(at: position, end: end) else { return nil }
      if box.code == UInt32(code: "moov") {
        try bytes.require(box.end)
        return box
      }
      if box.code == UInt32(code: "mdat"), bytes.isArriving { throw .notOptimized }
      position = box.end
    }
    return nil
  }

  /// The first box at the end of a way of codes; nil where one is missing.
  package func box(_ way: [StaticString], in parent: MP4Box) throws(AudioFileFailure) -> MP4Box? {
    var box = parent
    for code in way {
      // Metadata has a version in front of its boxes, but not in QuickTime.
      let isMeta = box.code == UInt32(code: "meta")
      let isBare = try bytes.word(at: box.body + 4) == UInt32(code: "hdlr")
      let start = isMeta && !isBare ? box.body + 4 : box.body
      guard
        let next = try boxes(from: start, to: box.end).first(where: {
          $0.code == UInt32(code: code)
        })
      else { return nil }
      box = next
    }
    return box
  }

  /// A body, without the version and flags that some begin with.
  package func body(_ box: MP4Box?, skipping count: Int64 = 0) throws(AudioFileFailure) -> [UInt8] {
    guard let box else { return [] }
    return try bytes.bytes(
      at: box.body + count, count: Int(max(0, min(box.end - box.body - count, 1 << 28))))
  }
}
