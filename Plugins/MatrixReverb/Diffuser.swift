// Two chains of all-pass filters that make one pulse many before it enters a network.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// All-pass diffusion of two feeds. Context: made on a control thread, otherwise render.
@safe struct Diffuser: ~Copyable {
  private let stages: Int
  private let delays: UnsafeMutablePointer<Int>
  private var rings: IntervalRings
  /// Coefficient of all stages; 0 lets the stages only delay.
  var coefficient: Float = 0

  /// Allocates chains with the given delays in milliseconds, one list for each feed.
  init(sampleRate: Double, first: [Double], second: [Double]) {
    stages = first.count
    unsafe delays = .allocate(capacity: 2 * stages)
    var longest = 0
    for (index, milliseconds) in (first + second).enumerated() {
      let frames = max(ControlClock.interval + 5 + index, Int(milliseconds * 0.001 * sampleRate))
      unsafe (delays + index).initialize(to: frames)
      longest = max(longest, frames)
    }
    rings = IntervalRings(count: 2 * stages, maximumDelay: longest)
  }

  deinit { unsafe delays.deallocate() }

  /// Forgets the past.
  @_noLocks mutating func reset() { rings.reset() }

  /// Filters both feeds in place.
  @_noLocks mutating func process(
    _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, phase: Int,
    _ count: Int
  ) {
    for ring in 0..<(2 * stages) {
      let feed = unsafe ring < stages ? first : second
      let past = unsafe rings.read(ring, delay: delays[ring], phase: phase)
      let next = unsafe rings.write(ring, phase: phase)
      let a = SIMD4(repeating: coefficient)
      var frame = 0
      // Up to three frames too many are worked on; feeds and rings have room for them.
      while frame < count {
        let old = unsafe SampleRun.four(past + frame)
        let stored = unsafe SampleRun.four(feed + frame) + a * old
        unsafe SampleRun.setFour(feed + frame, old - a * stored)
        unsafe SampleRun.setFour(next + frame, stored)
        frame += 4
      }
    }
    rings.finishRun(phase: phase, count: count)
  }

  /// Moves on to the next interval.
  @_noLocks mutating func advance() { rings.advance() }
}
