// Where a song is at a frame: beat, tempo and bar.
// SPDX-License-Identifier: Apache-2.0

import MIDIFiles

/// The tempos and meters of a song. Context: any; nothing allocates after it was made.
struct SongTimeline {
  /// The musical place of a frame.
  struct Place {
    /// Quarter notes since the start.
    var beat: Double
    /// Quarter notes a minute.
    var tempo: Double
    var meter: MIDIMeterMap.Segment
    /// The beat at which the bar began.
    var barBeat: Double
    /// Frames to the next beat.
    var framesToBeat: Int
  }

  private let tempos: MIDITempoMap
  private let meters: MIDIMeterMap?
  private let ticksPerBeat: Double
  private let sampleRate: Double

  /// The times of a file, of all its tracks or of one, from 0.
  init(_ file: MIDIFile, ofTrack track: Int?, sampleRate: Double) {
    tempos = file.tempoMap(ofTrack: track)
    meters = file.meterMap(ofTrack: track)
    ticksPerBeat = if case .ticksPerBeat(let ticks) = file.division { Double(ticks) } else { 0 }
    self.sampleRate = sampleRate
  }

  /// Where the song is at a frame; nil in a song of time code, which has no beats.
  func place(atFrame frame: Double) -> Place? {
    guard let meters, ticksPerBeat > 0 else { return nil }
    let tick = tempos.tick(atSeconds: frame / sampleRate)
    // Events lie at the frame that is nearest to their tick.
    let reached = tempos.tick(atSeconds: (frame + 0.5) / sampleRate)
    let (meter, start) = meters.bar(atTick: reached)
    let next = (tick / ticksPerBeat - 1e-9).rounded(.up) * ticksPerBeat
    let nextFrame = tempos.frame(atTick: Int(min(next, 1e15)), sampleRate: sampleRate)
    return Place(
      beat: tick / ticksPerBeat,
      tempo: tempos.segment(atTick: Int(min(reached, 1e15))).beatsPerMinute,
      meter: meter, barBeat: start / ticksPerBeat,
      framesToBeat: max(0, nextFrame - Int(min(frame, 1e15))))
  }
}
