// The times of ticks: in seconds, and in frames, exact for pieces of any length.
// SPDX-License-Identifier: Apache-2.0

/// The times of the ticks of a file.
///
/// Times are kept as whole numbers (microseconds times ticks a beat), so nothing adds up: a frame
/// is the nearest to its true time, an hour in as at the start. Nothing traps: ticks before 0 are
/// at 0, and values too large are the largest number.
///
/// Context: any; nothing allocates after it was made.
package struct MIDITempoMap: Sendable, Equatable {
  /// A tempo from a tick on.
  package struct Segment: Sendable, Equatable {
    /// Its start.
    package let tick: Int
    /// Microseconds a beat, above 0.
    package let microsecondsPerBeat: Int
    /// Its time in units of the map.
    fileprivate let time: UInt128

    /// Beats a minute.
    package var beatsPerMinute: Double { 60e6 / Double(microsecondsPerBeat) }
  }

  /// The tempos by tick; the first begins at tick 0. Of time-code files it has one, which means nothing.
  package let segments: [Segment]
  /// Units of time a second.
  private let unitsPerSecond: UInt128

  /// The map of a file's ticks: 120 beats a minute until its tempo events say otherwise.
  ///
  /// - Parameters:
  ///   - division: The length of a tick; a division by 0 counts as 1.
  ///   - tempos: Ticks and microseconds a beat, in any order; of several at a tick the last counts; 0 changes nothing.
  package init(
    _ division: MIDIFile.Division, tempos: [(tick: Int, microsecondsPerBeat: Int)] = []
  ) {
    switch division {
    case .timeCode(let frames, let ticks):
      // 29 frames mean 30,000 / 1001: a tick is 1001 units, a second 30,000 times its ticks.
      let isDrop = frames == 29
      segments = [Segment(tick: 0, microsecondsPerBeat: isDrop ? 1001 : 1000, time: 0)]
      unitsPerSecond = UInt128(isDrop ? 30 : max(frames, 1)) * 1000 * UInt128(max(ticks, 1))
    case .ticksPerBeat(let ticks):
      unitsPerSecond = UInt128(max(ticks, 1)) * 1_000_000
      var built = [Segment(tick: 0, microsecondsPerBeat: 500_000, time: 0)]
      for (_, tempo) in tempos.enumerated().sorted(by: {
        ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
      }) where tempo.microsecondsPerBeat > 0 {
        let last = built[built.count - 1]
        let tick = max(tempo.tick, 0)
        let time = last.time(of: tick)
        if tick == last.tick { built.removeLast() }
        built.append(
          Segment(
            tick: tick, microsecondsPerBeat: min(tempo.microsecondsPerBeat, 1 << 40), time: time))
      }
      segments = built
    }
  }

  /// The segment that holds a tick.
  package func segment(atTick tick: Int) -> Segment {
    var (low, high) = (0, segments.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if segments[middle].tick <= tick { low = middle } else { high = middle }
    }
    return segments[low]
  }

  /// The frame that is nearest to a tick.
  ///
  /// - Parameters:
  ///   - tick: Ticks from the start; below 0 counts as 0.
  ///   - sampleRate: Frames a second; a number not above 0 means frame 0.
  /// - Returns: The frame, or the largest `Int` beyond it.
  package func frame(atTick tick: Int, sampleRate: Double) -> Int {
    guard sampleRate > 0 else { return 0 }
    // Rates are rounded to a millionth of a frame.
    guard let rate = UInt64(exactly: (sampleRate * Self.rateParts).rounded()) else {
      return Int.max
    }
    let (product, overflow) = time(atTick: tick).multipliedReportingOverflow(by: UInt128(rate))
    let divisor = unitsPerSecond << 20
    guard !overflow, product < UInt128.max - divisor else { return Int.max }
    return Int(clamping: (product + divisor / 2) / divisor)
  }

  private static let rateParts = Double(1 << 20)

  /// The time of a tick in seconds.
  package func seconds(atTick tick: Int) -> Double {
    let (whole, rest) = time(atTick: tick).quotientAndRemainder(dividingBy: unitsPerSecond)
    return Double(whole) + Double(rest) / Double(unitsPerSecond)
  }

  /// The tick at a time, with fractions; 0 for times before 0 and for NaN.
  package func tick(atSeconds seconds: Double) -> Double {
    guard seconds > 0 else { return 0 }
    let units = seconds * Double(unitsPerSecond)
    var (low, high) = (0, segments.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if Double(segments[middle].time) <= units { low = middle } else { high = middle }
    }
    let segment = segments[low]
    return Double(segment.tick)
      + (units - Double(segment.time)) / Double(segment.microsecondsPerBeat)
  }

  private func time(atTick tick: Int) -> UInt128 { segment(atTick: tick).time(of: tick) }
}

extension MIDITempoMap.Segment {
  /// The time of a tick that is not before the segment.
  fileprivate func time(of tick: Int) -> UInt128 {
    guard tick > self.tick else { return time }
    let (product, overflow) = UInt128(tick - self.tick)
      .multipliedReportingOverflow(by: UInt128(microsecondsPerBeat))
    let (sum, overflows) = time.addingReportingOverflow(product)
    return overflow || overflows ? UInt128.max : sum
  }
}

extension MIDIFile {
  /// The times of a track's ticks.
  ///
  /// The tempo events of all tracks rule all of them; in a file of format 2 a track has its own.
  ///
  /// - Parameter index: The track, from 0; nil, or one that is not there, means all of them together.
  package func tempoMap(ofTrack index: Int? = nil) -> MIDITempoMap {
    var ruling = tracks[...]
    if format == .separate, let index, tracks.indices.contains(index) {
      ruling = tracks[index...index]
    }
    var tempos: [(tick: Int, microsecondsPerBeat: Int)] = []
    for track in ruling {
      for event in track.events {
        if case .meta(MIDIMetaType.tempo.rawValue, let bytes) = event.message, bytes.count == 3 {
          tempos.append((event.tick, bytes.reduce(0) { $0 << 8 | Int($1) }))
        }
      }
    }
    return MIDITempoMap(division, tempos: tempos)
  }
}
