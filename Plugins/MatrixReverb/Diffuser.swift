// Two chains of all-pass filters that make one pulse many before it enters a network.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CRealtime
import RealtimeSupport

/// All-pass diffusion of two feeds. Context: made on a control thread, otherwise render.
@safe struct Diffuser: ~Copyable {
  private let stages: Int
  private let delays: UnsafeMutablePointer<Int>
  private var rings: IntervalRings
  /// The values that each stage stored some time before, and the place where it stores now.
  private let past: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let next: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Seconds of the longest stage.
  private let longest: Double
  /// Coefficient of all stages, at the start and the end of the interval; 0 lets the stages only delay.
  private var start: Float = 0
  private var coefficient: Float = 0
  private var isFresh = true
  private var decay = 0.0
  private var limit: Float = 0

  /// Allocates chains with the passed delays in milliseconds, one list for each feed.
  init(sampleRate: Double, first: [Double], second: [Double]) {
    stages = first.count
    unsafe delays = .allocate(capacity: 2 * stages)
    var longest = 0
    for (index, milliseconds) in (first + second).enumerated() {
      let frames = max(ControlClock.interval + 5 + index, Int(milliseconds * 0.001 * sampleRate))
      unsafe (delays + index).initialize(to: frames)
      longest = max(longest, frames)
    }
    self.longest = Double(longest) / sampleRate
    rings = IntervalRings(count: 2 * stages, maximumDelay: longest)
    unsafe past = .allocate(capacity: 2 * stages)
    unsafe next = .allocate(capacity: 2 * stages)
    for ring in 0..<(2 * stages) {
      unsafe (past + ring).initialize(to: rings.write(ring, phase: 0))
      unsafe (next + ring).initialize(to: rings.write(ring, phase: 0))
    }
  }

  deinit {
    unsafe delays.deallocate()
    unsafe past.deallocate()
    unsafe next.deallocate()
  }

  /// Clears the past; the next coefficient is set without a glide.
  @_noLocks mutating func reset() {
    rings.reset()
    isFresh = true
  }

  /// Sets the coefficient, and how long (s) the network behind decays: no stage rings for more than a third of that, or
  /// short decays would be those of the stages.
  @_noLocks mutating func set(coefficient: Float, decay: Double) {
    if decay != self.decay {
      self.decay = decay
      limit = Float(RealtimeMath.exp(-20.723_265_836_946_414 * longest / decay))
    }
    self.coefficient = min(coefficient, limit)
    if isFresh { start = self.coefficient }
  }

  /// Filters two sources into two feeds, which may be the same memory. Up to seven frames too many are
  /// worked on; sources, feeds and rings have room for them.
  @_noLocks mutating func process(
    _ sources: (UnsafePointer<Float>, UnsafePointer<Float>),
    to feeds: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>), phase: Int, _ count: Int
  ) {
    for ring in 0..<(2 * stages) {
      unsafe past[ring] = rings.read(ring, delay: delays[ring], phase: phase)
      unsafe next[ring] = rings.write(ring, phase: phase)
    }
    let change = (coefficient - start) / Float(ControlClock.interval)
    unsafe AuricleDiffuse(sources.0, feeds.0, past, next, stages, start, change, phase, count)
    unsafe AuricleDiffuse(
      sources.1, feeds.1, past + stages, next + stages, stages, start, change, phase, count)
    rings.finishRun(phase: phase, count: count)
  }

  /// Moves on to the next interval.
  @_noLocks mutating func advance() {
    rings.advance()
    start = coefficient
    isFresh = false
  }
}
