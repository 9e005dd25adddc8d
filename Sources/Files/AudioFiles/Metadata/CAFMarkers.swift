// Marks of CAF, which the file library neither reads nor writes.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileParsing

extension AudioFileMetadata {
  /// Reads the markers and regions of a file.
  mutating func adoptMarks(of file: PacketFile) {
    guard let found = try? file.marks() else { return }
    var marks: [AudioCuePoint] = []
    func add(_ mark: SoundMark, _ name: String, end: Double? = nil) {
      guard let start = UInt32(exactly: mark.frame.rounded()), marks.count < 10_000 else { return }
      var point = AudioCuePoint(identifier: mark.identifier, frame: start, name: name)
      point.length = end.flatMap { UInt32(exactly: ($0 - mark.frame).rounded()) } ?? 0
      marks.append(point)
    }
    for mark in found.marks { add(mark, mark.name) }
    for region in found.regions {
      guard let first = region.marks.min(by: { $0.frame < $1.frame }) else { continue }
      let name = region.name.isEmpty ? first.name : region.name
      add(first, name, end: region.marks.map(\.frame).max())
      if region.marks.contains(where: { !$0.name.isEmpty && $0.name != name }) {
        noteUnread("names of marks in regions")
      }
    }
    // Regions have numbers of their own.
    if Set(marks.map(\.identifier)).count < marks.count {
      for index in marks.indices { marks[index].identifier = Int32(index + 1) }
    }
    cuePoints = marks
  }

  /// Adds the marks to a complete file; returns the names of things without a place.
  func appendMarks(toCAF stream: FileStream) -> [String] {
    guard !cuePoints.isEmpty else { return [] }
    var marks = SoundMarks()
    marks.marks = cuePoints.enumerated().map { index, point in
      SoundMark(identifier: Int32(index + 1), frame: Double(point.frame), name: point.name)
    }
    do throws(AudioFileFailure) {
      let file = try PacketFile.open(StreamStore(stream), isWritable: true)
      try file.setMarks(marks, regions: false)
      try file.flush()
    } catch { return ["cue points"] }
    let hasMore = cuePoints.contains { $0.length > 0 || !$0.note.isEmpty }
    return hasMore ? ["lengths and notes of marks"] : []
  }
}
