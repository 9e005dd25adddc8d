// Comments of AIFF with a time and a mark (`COMT`).
// SPDX-License-Identifier: Apache-2.0

/// The comments of a chunk.
struct AIFFComments {
  /// Texts, each with the number of the mark that it belongs to; 0 for none.
  private(set) var texts: [(mark: Int, text: String)] = []

  /// Reads a chunk.
  init(_ chunk: [UInt8]) {
    func number(_ offset: Int) -> Int { Int(chunk[offset]) << 8 | Int(chunk[offset + 1]) }
    guard chunk.count >= 2 else { return }
    var place = 2
    for _ in 0..<number(0) {
      // Seconds since 1904, mark, count.
      guard place + 8 <= chunk.count else { return }
      let (mark, count) = (number(place + 4), number(place + 6))
      guard count <= chunk.count - place - 8 else { return }
      let text = decodedText(Array(chunk[place + 8..<place + 8 + count].prefix { $0 != 0 }))
      if !text.isEmpty { texts.append((mark, text)) }
      place += 8 + count + (count & 1)
    }
  }

  /// The notes of marks as a chunk, without times, so that the same sound makes the same bytes; nil
  /// for none.
  static func chunk(_ notes: [(mark: Int, text: String)]) -> [UInt8]? {
    guard !notes.isEmpty else { return nil }
    var chunk = AIFFMarks.bytes(notes.count, 2)
    for (mark, text) in notes {
      var bytes = Array(text.utf8)
      while bytes.count > 0xFFFE { bytes.removeLast() }
      chunk += [0, 0, 0, 0] + AIFFMarks.bytes(mark, 2) + AIFFMarks.bytes(bytes.count, 2) + bytes
      if bytes.count & 1 == 1 { chunk.append(0) }
    }
    return chunk
  }
}
