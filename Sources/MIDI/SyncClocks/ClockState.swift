// A clock: where it is, in seconds, beats and time code, at a moment of the host's clock.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox
import MusicSequences

/// The time of a clock, running or stopped.
package struct ClockState: Sendable {
  /// The tempos and meters, as they were set.
  package private(set) var tempos: [(beat: Double, tempo: Double)] = [(0, 120)]
  package private(set) var meters: [(beat: Double, count: Int, unit: Int)] = [(0, 4, 4)]
  private var map = BeatMap([])
  private var meterMap = MeterMap([])
  package var timeCode = TimeCode(kSMPTETimeType30)
  /// The time code at second 0 (s).
  package var timeCodeOffset = 0.0
  /// Frames of a second of the time base (Hz).
  package var sampleRate = 44_100.0
  /// The rate at which it runs.
  package private(set) var rate = 1.0
  package private(set) var isRunning = false
  /// The place where it was started or stopped (s).
  package private(set) var startSeconds = 0.0
  /// Its position at a moment (ns): a line, while it runs.
  private var anchorSeconds = 0.0
  private var anchorTime: UInt64 = 0

  package init() {}

  // MARK: Running

  /// Returns its position at a moment (s).
  package func seconds(at time: UInt64) -> Double {
    guard isRunning else { return startSeconds }
    return anchorSeconds + rate * (Double(time) - Double(anchorTime)) / 1e9
  }

  /// The time at which it is somewhere (ns); nil while it is stopped.
  package func time(atSeconds seconds: Double) -> UInt64? {
    guard isRunning else { return nil }
    let distance = ((seconds - anchorSeconds) / rate * 1e9).rounded()
    let time = Double(anchorTime) + distance
    guard time >= 0, time < 1.8e19, let whole = Int64(exactly: distance) else { return nil }
    // Whole nanoseconds, also where the sum of two large numbers has none.
    return UInt64(clamping: Int64(clamping: anchorTime) &+ whole)
  }

  /// Sets where it starts from.
  package mutating func setStart(_ seconds: Double) { startSeconds = seconds }

  /// Starts at a moment.
  package mutating func start(at time: UInt64) {
    (isRunning, anchorTime, anchorSeconds) = (true, time, startSeconds)
  }

  /// Stops at a moment, and stays there.
  package mutating func stop(at time: UInt64) {
    startSeconds = seconds(at: time)
    isRunning = false
  }

  /// Sets how much faster it runs, from a moment on.
  package mutating func setRate(_ new: Double, at time: UInt64) {
    if isRunning { (anchorSeconds, anchorTime) = (seconds(at: time), time) }
    rate = new
  }

  /// Sets its position at a moment, while it runs, and its speed to that of its source.
  package mutating func follow(_ seconds: Double, at time: UInt64, rate new: Double) {
    (anchorSeconds, anchorTime, rate) = (seconds, time, new)
  }

  // MARK: Beats

  /// Returns the time of a beat (s), and the reverse.
  package func seconds(atBeat beat: Double) -> Double { map.seconds(atBeat: beat) }
  package func beat(atSeconds seconds: Double) -> Double { map.beat(atSeconds: seconds) }

  /// The bar of a beat, to the nearest of so many parts of the meter's unit; and the reverse, nil
  /// for an impossible place.
  package func barBeat(atBeat beat: Double, divisor: UInt16) -> CABarBeatTime {
    meterMap.barBeat(atBeat: beat, divisor: divisor)
  }
  package func beat(of place: CABarBeatTime) -> Double? { meterMap.beat(of: place) }

  /// The tempo at a beat (beats a minute).
  package func tempo(atBeat beat: Double) -> Double {
    (tempos.last { $0.beat <= beat } ?? tempos[0]).tempo
  }

  /// Sets all tempos: beats that rise, tempos above 0; false for others.
  package mutating func setTempos(_ new: [(beat: Double, tempo: Double)]) -> Bool {
    guard !new.isEmpty,
      new.allSatisfy({ $0.beat.isFinite && $0.beat >= 0 && $0.tempo > 0 && $0.tempo < 1e6 }),
      zip(new, new.dropFirst()).allSatisfy({ $0.beat <= $1.beat })
    else { return false }
    tempos = new
    map = BeatMap(
      new.map { (beat: $0.beat, beatsPerMinute: $0.tempo) }, initial: new[0].tempo)
    return true
  }

  /// Sets a tempo from a beat on; later tempos are removed.
  package mutating func setTempo(_ tempo: Double, fromBeat beat: Double) -> Bool {
    let kept = tempos.filter { $0.beat < max(0, beat) }
    return setTempos(kept + [(max(0, beat), tempo)])
  }

  /// Sets all meters: beats that rise, units that are powers of two; false for others.
  package mutating func setMeters(_ new: [(beat: Double, count: Int, unit: Int)]) -> Bool {
    let isRight = new.allSatisfy {
      $0.beat.isFinite && $0.beat >= 0 && (1...255).contains($0.count)
        && (1...32_768).contains($0.unit)
        && $0.unit & ($0.unit - 1) == 0
    }
    guard isRight, zip(new, new.dropFirst()).allSatisfy({ $0.beat <= $1.beat }) else {
      return false
    }
    meters = new
    meterMap = MeterMap(
      new.map { (beat: $0.beat, bytes: [UInt8($0.count), UInt8($0.unit.trailingZeroBitCount)]) })
    return true
  }
}
