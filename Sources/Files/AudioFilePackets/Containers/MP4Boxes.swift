// Boxes of MP4 files: a size, a code, a body; bodies of some are boxes again.
// SPDX-License-Identifier: Apache-2.0

/// One box.
struct MP4Box {
  let code: UInt32
  /// Where the header begins.
  let start: Int64
  /// Where the body begins.
  let body: Int64
  let end: Int64
}

/// Walks through the boxes of a file.
struct MP4Boxes {
  let bytes: BufferedStore

  /// The most boxes on one level.
  private static let maximumCount = 10_000

  /// The boxes between two places.
  func boxes(from start: Int64, to end: Int64) throws(AudioFileFailure) -> [MP4Box] {
    var found: [MP4Box] = []
    var position = start
    while position + 8 <= end, found.count < Self.maximumCount {
      let head = try bytes.bytes(at: position, count: 16)
      guard head.count >= 8 else { break }
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
      guard size >= body - position, position + size <= end || code == UInt32(code: "mdat") else {
        break
      }
      found.append(MP4Box(code: code, start: position, body: body, end: min(end, position + size)))
      position += size
    }
    return found
  }

  /// The first box at the end of a way of codes; nil where one is missing.
  func box(_ way: [StaticString], in parent: MP4Box) throws(AudioFileFailure) -> MP4Box? {
    var box = parent
    for code in way {
      // Metadata has a version in front of its boxes.
      let start = box.code == UInt32(code: "meta") ? box.body + 4 : box.body
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
  func body(_ box: MP4Box?, skipping count: Int64 = 0) throws(AudioFileFailure) -> [UInt8] {
    guard let box else { return [] }
    return try bytes.bytes(
      at: box.body + count, count: Int(max(0, min(box.end - box.body - count, 1 << 28))))
  }
}
