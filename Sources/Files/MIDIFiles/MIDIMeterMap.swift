// The starts of bars: the meters of a file by ticks.
// SPDX-License-Identifier: Apache-2.0

/// The bars of a file whose ticks are parts of beats. A change of meter begins a bar; 4/4 before the first.
///
/// Context: any; nothing allocates after it was made.
package struct MIDIMeterMap: Sendable, Equatable {
  /// A meter from a tick on.
  package struct Segment: Sendable, Equatable {
    /// Its start.
    package let tick: Int
    /// Notes in a bar, 1 or more.
    package let count: Int
    /// The note that is counted: 4 for quarters.
    package let note: Int
    /// Ticks of a bar, above 0.
    fileprivate let barTicks: Double
  }

  /// The meters by tick; the first begins at tick 0.
  package let segments: [Segment]

  /// The map of meter events.
  ///
  /// - Parameters:
  ///   - ticksPerBeat: Ticks of a quarter note; 0 counts as 1.
  ///   - meters: Ticks and the bytes of the events, in any order; of several at a tick the last
  ///     counts, and bytes without a meter change nothing.
  package init(ticksPerBeat: Int, meters: [(tick: Int, bytes: [UInt8])] = []) {
    func segment(_ tick: Int, _ count: Int, _ note: Int) -> Segment {
      Segment(
        tick: tick, count: count, note: note,
        barTicks: Double(max(ticksPerBeat, 1)) * 4 * Double(count) / Double(note))
    }
    var built = [segment(0, 4, 4)]
    for (_, meter) in meters.enumerated().sorted(by: {
      ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
    }) where meter.bytes.count >= 2 && meter.bytes[0] > 0 && meter.bytes[1] < 16 {
      if meter.tick <= built[built.count - 1].tick { built.removeLast() }
      built.append(segment(max(meter.tick, 0), Int(meter.bytes[0]), 1 << Int(meter.bytes[1])))
    }
    segments = built
  }

  /// The meter at a tick, and the tick at which the bar began that holds it.
  package func bar(atTick tick: Double) -> (meter: Segment, start: Double) {
    var (low, high) = (0, segments.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if Double(segments[middle].tick) <= tick { low = middle } else { high = middle }
    }
    let meter = segments[low]
    let bars = ((tick - Double(meter.tick)) / meter.barTicks).rounded(.down)
    return (meter, Double(meter.tick) + max(0, bars) * meter.barTicks)
  }
}

extension MIDIFile {
  /// The bars of a track's ticks, of the same tracks as its tempos; nil where ticks are parts of time code.
  package func meterMap(ofTrack index: Int? = nil) -> MIDIMeterMap? {
    guard case .ticksPerBeat(let ticks) = division else { return nil }
    var ruling = tracks[...]
    if format == .separate, let index, tracks.indices.contains(index) {
      ruling = tracks[index...index]
    }
    var meters: [(tick: Int, bytes: [UInt8])] = []
    for track in ruling {
      for event in track.events {
        if case .meta(MIDIMetaType.meter.rawValue, let bytes) = event.message {
          meters.append((event.tick, bytes))
        }
      }
    }
    return MIDIMeterMap(ticksPerBeat: ticks, meters: meters)
  }
}
