// The slow wobble of every other line's length, which keeps resonances from standing still.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// Oscillators, one for each odd line, each with a speed and a phase of its own.
///
/// Offsets are lengths added to the lines, moved in a straight line during an interval and by less
/// than one frame. Context: made and freed on a control thread, otherwise render.
@safe struct LineModulation: ~Copyable {
  /// Greatest change of length to either side, in seconds.
  private static var depth: Double {
    @_noLocks get { 0.000_35 }
  }

  private let isOn: Bool
  private let sampleRate: Double
  private let offsets: UnsafeMutablePointer<SIMD2<Double>>  // start, end of the interval
  private let phases: UnsafeMutablePointer<Double>
  private let speeds: UnsafeMutablePointer<Double>
  private var rate = 1.0
  private var depthFrames = 0.0
  private var isFresh = true

  /// Room the offsets need behind the longest line, in frames.
  static func maximumFrames(sampleRate: Double) -> Int { Int(2 * depth * sampleRate) + 8 }

  /// Makes oscillators. Context: control.
  init(sampleRate: Double, isOn: Bool) {
    self.isOn = isOn
    self.sampleRate = sampleRate
    let count = FeedbackDelayNetwork.maximumLineCount
    unsafe offsets = .allocate(capacity: count)
    unsafe offsets.initialize(repeating: SIMD2(repeating: 0), count: count)
    unsafe phases = .allocate(capacity: count)
    unsafe phases.initialize(repeating: 0, count: count)
    unsafe speeds = .allocate(capacity: count)
    for line in 0..<count {
      // Speeds between 0.7 and 1.3 times the rate, in turns an interval.
      let turn = Double(line) * 0.618_033_988_749_895
      let factor = 0.7 + 0.6 * (turn - RealtimeMath.floor(turn))
      let speed = factor * Double(ControlClock.interval) / sampleRate
      unsafe (speeds + line).initialize(to: speed)
    }
  }

  deinit {
    unsafe offsets.deallocate()
    unsafe phases.deallocate()
    unsafe speeds.deallocate()
  }

  /// Starts the oscillators again; the next depth is taken at once.
  @_noLocks mutating func reset() {
    for line in 0..<FeedbackDelayNetwork.maximumLineCount {
      let turn = Double(line) * 0.3819
      unsafe phases[line] = turn - RealtimeMath.floor(turn)
    }
    isFresh = true
  }

  /// Sets speed (Hz) and depth (0 to 1).
  @_noLocks mutating func set(rate: Double, depth: Double) {
    self.rate = rate
    depthFrames = depth * Self.depth * sampleRate
  }

  /// Begins an interval.
  @_noLocks mutating func advance() {
    guard isOn else { return }
    var line = 1
    while line < FeedbackDelayNetwork.maximumLineCount {
      var phase = unsafe phases[line]
      if isFresh { unsafe offsets[line] = SIMD2(repeating: target(phase)) }
      phase += unsafe rate * speeds[line]
      if phase >= 1 { phase -= 1 }
      unsafe phases[line] = phase
      let start = unsafe offsets[line][1]
      let move = min(max(target(phase) - start, -0.9), 0.9)
      unsafe offsets[line] = SIMD2(start, start + move)
      line += 2
    }
    isFresh = false
  }

  @_noLocks private func target(_ phase: Double) -> Double {
    // A triangle with rounded tips, within 2 % of a sine.
    let x = 4 * abs(phase - 0.5) - 1
    return depthFrames * (1 + x * (1.5 - 0.5 * x * x))
  }

  /// Whether a line is read between the frames.
  @inline(__always) @_noLocks func moves(_ line: Int) -> Bool { isOn && line & 1 == 1 }

  /// Whole frames of the least offset in the interval.
  @inline(__always) @_noLocks func whole(_ line: Int) -> Int {
    let offset = unsafe offsets[line]
    return Int(min(offset[0], offset[1]))
  }

  /// Offset at the start of the interval, above the whole frames.
  @inline(__always) @_noLocks func fraction(_ line: Int) -> Float {
    unsafe Float(offsets[line][0] - Double(whole(line)))
  }

  /// Change of the offset in a frame.
  @inline(__always) @_noLocks func slope(_ line: Int) -> Float {
    let offset = unsafe offsets[line]
    return Float((offset[1] - offset[0]) / Double(ControlClock.interval))
  }
}
