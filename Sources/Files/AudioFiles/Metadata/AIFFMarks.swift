// Marks and the instrument of AIFF, of which the file library writes one or none.
// SPDX-License-Identifier: Apache-2.0

import CSndFile

/// The chunks of AIFF that hold marks (`MARK`) and the key and loops of an instrument (`INST`).
enum AIFFMarks {
  /// A mark of a file: loops lie between two.
  private typealias Mark = (identifier: Int, frame: UInt32, name: [UInt8])

  // MARK: Reading

  /// Reads the marks of a file, except the bounds of its loops, and its instrument.
  static func read(_ chunks: FileChunks, into metadata: inout AudioFileMetadata) {
    let marks = chunks["MARK"].map { Self.marks($0) } ?? []
    let instrument = chunks["INST"].flatMap { $0.count == 20 ? $0 : nil }
    var ends: Set<Int> = []
    if let instrument {
      let loops = [8, 14].compactMap { place -> (mode: Int, start: Mark, end: Mark)? in
        let numbers = (0..<3).map { number(instrument, place + 2 * $0, 2) }
        guard (1...2).contains(numbers[0]),
          let start = marks.first(where: { $0.identifier == numbers[1] }),
          let end = marks.first(where: { $0.identifier == numbers[2] })
        else { return nil }
        return (numbers[0], start, end)
      }
      for loop in loops { ends.formUnion([loop.start.identifier, loop.end.identifier]) }
      let placed = loops.map { loop in
        let mode = loop.mode == 1 ? SF_LOOP_FORWARD : SF_LOOP_ALTERNATING
        return InstrumentData.Loop(
          mode: Int32(mode), start: loop.start.frame, end: loop.end.frame)
      }
      metadata.instrument = InstrumentData(instrument, loops: placed).bytes
    }
    // Without any, the chapters of a tag are the marks.
    guard !marks.isEmpty || !metadata.hasChapters else { return }
    let comments = chunks.chunks.filter { $0.name == "COMT" }.flatMap {
      AIFFComments($0.bytes).texts
    }
    // The bounds of loops are in the instrument, but for names and comments of their own.
    let kept = marks.filter { mark in
      let isBound = ends.contains(mark.identifier)
      let name = decodedText(mark.name).lowercased()
      return !isBound || !name.isEmpty && !name.contains("loop")
        || comments.contains { $0.mark == mark.identifier }
    }
    metadata.cuePoints = kept.map { mark in
      var point = AudioCuePoint(
        identifier: Int32(mark.identifier), frame: mark.frame, name: decodedText(mark.name))
      point.note = comments.filter { $0.mark == mark.identifier }.map(\.text)
        .joined(separator: "\n")
      return point
    }
  }

  private static func marks(_ chunk: [UInt8]) -> [Mark] {
    var found: [Mark] = []
    var position = 2
    while position + 7 <= chunk.count, found.count < min(number(chunk, 0, 2), 10_000) {
      let length = Int(chunk[position + 6])
      let end = position + 7 + length
      guard end <= chunk.count else { break }
      found.append(
        (
          number(chunk, position, 2), UInt32(number(chunk, position + 2, 4)),
          Array(chunk[position + 7..<end].prefix { $0 != 0 })
        ))
      position = end + (length & 1 == 0 ? 1 : 0)
    }
    return found
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
    bytes[offset..<min(offset + count, bytes.count)].reduce(0) { $0 << 8 | Int($1) }
  }

  // MARK: Writing

  /// The chunks for the marks and the instrument of a file; and the names of things without a place
  /// in them.
  static func chunks(
    _ metadata: AudioFileMetadata
  ) -> (chunks: [(name: String, bytes: [UInt8])], dropped: [String]) {
    var chunks: [(name: String, bytes: [UInt8])] = []
    var dropped: [String] = []
    let instrument = InstrumentData(metadata.instrument)
    let loops = instrument?.loops ?? []
    if loops.count > 2 { dropped.append("loops beyond the second") }
    let kept = Array(loops.prefix(2))
    // The file library reads the first marks as those of the loops.
    var marks: [Mark] = []
    for loop in kept {
      marks.append((marks.count + 1, loop.start, Array("beg loop".utf8)))
      marks.append((marks.count + 1, loop.end, Array("end loop".utf8)))
    }
    let names = identifiers(metadata.cuePoints, above: marks.count)
    for (cue, identifier) in zip(metadata.cuePoints.prefix(0x7FFF - marks.count), names) {
      marks.append((identifier, cue.frame, MarkName.bytes(cue.name)))
    }
    if metadata.cuePoints.count > 0x7FFF - 2 * kept.count { dropped.append("further cue points") }
    if metadata.cuePoints.contains(where: { $0.length > 0 }) { dropped.append("lengths of marks") }
    let notes = zip(metadata.cuePoints, names).filter { !$0.0.note.isEmpty && $0.1 <= 0x7FFF }
      .map { ($0.1, $0.0.note) }
    if let comments = AIFFComments.chunk(notes) { chunks.append(("COMT", comments)) }
    if !marks.isEmpty {
      chunks.append(
        ("MARK", marks.reduce(bytes(marks.count, 2)) { $0 + Self.chunk(of: $1) }))
    }
    if let instrument { chunks.append(("INST", instrument.chunk(loops: kept))) }
    return (chunks, dropped)
  }

  /// The numbers of marks: their own, where these are small, positive, different and free.
  private static func identifiers(_ marks: [AudioCuePoint], above used: Int) -> [Int] {
    let own = marks.map { Int($0.identifier) }
    let isFit =
      own.allSatisfy { (used + 1...0x7FFF).contains($0) } && Set(own).count == own.count
    return isFit ? own : marks.indices.map { used + 1 + $0 }
  }

  private static func chunk(of mark: Mark) -> [UInt8] {
    let name = [UInt8(mark.name.count)] + mark.name + (mark.name.count & 1 == 0 ? [0] : [])
    return bytes(mark.identifier, 2) + bytes(Int(mark.frame), 4) + name
  }

  static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
    (1...count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - $0))) }
  }
}

/// The name of a mark in at most 255 bytes.
private enum MarkName {
  static func bytes(_ name: String) -> [UInt8] {
    var kept = name
    while kept.utf8.count > 255 { kept.removeLast() }
    return Array(kept.utf8)
  }
}
