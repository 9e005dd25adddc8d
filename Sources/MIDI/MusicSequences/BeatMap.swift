// The times of beats: the tempos of a sequence as stretches of time.
// SPDX-License-Identifier: Apache-2.0

/// Beats to seconds and back.
package struct BeatMap: Sendable, Equatable {
  /// One tempo, from a beat on.
  package struct Segment: Sendable, Equatable, BitwiseCopyable {
    /// Its start.
    package let beat: Double
    /// The time of that.
    package let seconds: Double
    /// The length of a beat.
    package let secondsPerBeat: Double
  }

  /// At least one, by beat; the first also rules the beats before it.
  package let segments: [Segment]

  /// The map of tempos.
  ///
  /// - Parameters:
  ///   - tempos: Beats (0 or more, rising) and beats a minute above 0; of several at a beat the last counts.
  ///   - initial: Beats a minute before the first of them.
  package init(_ tempos: [(beat: Double, beatsPerMinute: Double)], initial: Double = 120) {
    var made = [Segment(beat: 0, seconds: 0, secondsPerBeat: 60 / initial)]
    for tempo in tempos {
      let last = made[made.count - 1]
      let seconds = last.seconds + (tempo.beat - last.beat) * last.secondsPerBeat
      if tempo.beat <= last.beat { made.removeLast() }
      made.append(
        Segment(
          beat: tempo.beat, seconds: seconds, secondsPerBeat: 60 / tempo.beatsPerMinute))
    }
    segments = made
  }

  /// Returns the time of a beat.
  package func seconds(atBeat beat: Double) -> Double {
    unsafe segments.withUnsafeBufferPointer { unsafe Self.seconds(atBeat: beat, in: $0) }
  }

  /// Returns the beat at a time.
  package func beat(atSeconds seconds: Double) -> Double {
    unsafe segments.withUnsafeBufferPointer { unsafe Self.beat(atSeconds: seconds, in: $0) }
  }

  /// Returns the time of a beat. Context: any, also while rendering.
  package static func seconds(
    atBeat beat: Double, in segments: UnsafeBufferPointer<Segment>
  ) -> Double {
    var (low, high) = (0, segments.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if unsafe segments[middle].beat <= beat { low = middle } else { high = middle }
    }
    let segment = unsafe segments[low]
    return segment.seconds + (beat - segment.beat) * segment.secondsPerBeat
  }

  /// Returns the beat at a time. Context: any, also while rendering.
  package static func beat(
    atSeconds seconds: Double, in segments: UnsafeBufferPointer<Segment>
  ) -> Double {
    var (low, high) = (0, segments.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if unsafe segments[middle].seconds <= seconds { low = middle } else { high = middle }
    }
    let segment = unsafe segments[low]
    return segment.beat + (seconds - segment.seconds) / segment.secondsPerBeat
  }
}
