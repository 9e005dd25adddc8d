// The slow modulation of some lines' lengths, which varies the resonances.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CRealtime
import RealtimeSupport

/// Oscillators, one for each odd line, each with its own speed and phase; the shortest two are constant.
///
/// Offsets are lengths added to the lines, moved in a straight line during an interval and by less
/// than one frame. Context: made and freed on a control thread, otherwise render.
@safe struct LineModulation: ~Copyable {
  /// Greatest change of length to either side, in seconds.
  private static var depth: Double {
    @_noLocks get { 0.000_35 }
  }
  /// Number of oscillators.
  private static var count: Int {
    @_noLocks get { FeedbackDelayNetwork.maximumLineCount / 2 }
  }

  /// Whether any line moves.
  let isOn: Bool
  private let sampleRate: Double
  private let movement: UnsafeMutablePointer<AuricleMovement>
  private let phases: UnsafeMutablePointer<Double>
  private let whole: UnsafeMutablePointer<Int64>
  /// The weights of neighbours between the frames, then those of each line in this interval.
  private let weights: UnsafeMutablePointer<Float>
  private let lineWeights: UnsafeMutablePointer<Float>
  private var rate = 1.0
  private var depthFrames = 0.0
  private var isFresh = true

  /// Room the offsets need behind the longest line, in frames.
  static func maximumFrames(sampleRate: Double) -> Int { Int(2 * depth * sampleRate) + 12 }

  /// Makes oscillators. Context: control.
  init(sampleRate: Double, isOn: Bool) {
    self.isOn = isOn
    self.sampleRate = sampleRate
    unsafe movement = .allocate(capacity: 1)
    unsafe movement.initialize(to: AuricleMovement())
    let raw = unsafe UnsafeMutableRawPointer(movement)
    func place<Member>(_ path: KeyPath<AuricleMovement, Member>) -> UnsafeMutableRawPointer {
      unsafe raw + (MemoryLayout<AuricleMovement>.offset(of: path) ?? 0)
    }
    unsafe phases = place(\.phases).assumingMemoryBound(to: Double.self)
    unsafe whole = place(\.whole).assumingMemoryBound(to: Int64.self)
    let (table, rows) = (AuricleMovingRows * AuricleMovingRow, 2 * Self.count * AuricleMovingRow)
    unsafe weights = .allocate(capacity: table + rows)
    unsafe weights.initialize(repeating: 0, count: table + rows)
    if isOn { unsafe AuricleFillMovingWeights(weights) }
    unsafe lineWeights = weights + table
    let speeds = unsafe place(\.speeds).assumingMemoryBound(to: Double.self)
    for index in 0..<Self.count {
      // Speeds between 0.7 and 1.3 times the rate, in turns an interval.
      let turn = Double(2 * index + 1) * 0.618_033_988_749_895
      let factor = 0.7 + 0.6 * (turn - RealtimeMath.floor(turn))
      unsafe speeds[index] = factor * Double(ControlClock.interval) / sampleRate
    }
  }

  deinit {
    unsafe movement.deallocate()
    unsafe weights.deallocate()
  }

  /// Starts the oscillators again; the next depth is set without a glide.
  @_noLocks mutating func reset() {
    for index in 0..<Self.count {
      let turn = Double(2 * index + 1) * 0.3819
      unsafe phases[index] = turn - RealtimeMath.floor(turn)
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
    unsafe AuricleMove(
      movement, rate, depthFrames, isFresh ? 1 : 0, Double(ControlClock.interval),
      weights, lineWeights)
    isFresh = false
  }

  /// Whether a line is read between the frames: each second one, but for the shortest of each half.
  @inline(__always) @_noLocks func moves(_ line: Int) -> Bool {
    isOn && line & 1 == 1 && line & 7 != 1
  }

  /// Whole frames of the least offset in the interval.
  @inline(__always) @_noLocks func whole(_ line: Int) -> Int { unsafe Int(whole[line / 2]) }

  /// Weights of the neighbours at the start of the interval, and their changes in a frame.
  @inline(__always) @_noLocks func weights(_ line: Int) -> UnsafePointer<Float> {
    unsafe UnsafePointer(lineWeights + (line & ~1) * AuricleMovingRow)
  }
}
