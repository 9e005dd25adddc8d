// libFuzzer target: any bytes are a MIDI file or none, and a file survives writing and reading. Built by Scripts/fuzz.
// SPDX-License-Identifier: Apache-2.0

/// Reads the bytes as a file; writes the contents, and expects to read the same again.
@c(LLVMFuzzerTestOneInput)
public func fuzzMIDIFiles(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  unsafe withinBudget(start, count) { bytes in
    guard let file = try? MIDIFile(bytes, name: "input") else { return }
    promise(file.problems.count <= 16, "\(file.problems.count) problems are told")
    for index in file.tracks.indices {
      let map = file.tempoMap(ofTrack: index)
      promise(
        map.frame(atTick: file.tracks[index].length, sampleRate: 48_000) >= 0, "time runs backwards"
      )
    }
    // Some that are read cannot be written: ticks that leap too far.
    guard let written = try? file.encoded() else { return }
    guard let again = try? MIDIFile(written, name: "written") else {
      broken("a file that was written cannot be read")
    }
    promise(
      again.tracks == file.tracks && again.division == file.division && again.format == file.format,
      "a file does not come back")
  }
}
