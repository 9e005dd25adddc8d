// The sliders of a graphic equaliser, and the frames at which its bells follow them.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// The sliders as the bells follow them.
///
/// Solving for the bells is dear. They follow the first of several scheduled changes at its frame, and further ones in
/// the same interval of the filters' clock at its end. So the samples are the same however a host sends its automation,
/// and wherever it cuts its slices.
///
/// Context: render.
struct SliderFollower {
  /// Decibels.
  private(set) var sliders = InlineArray<31, Float>(repeating: 0)
  /// Whether the bells have to follow.
  private var isMoved = true
  /// Whether a scheduled change is among the moves.
  private var jumps = false
  /// Whether a slider is scheduled at the value to which its bells still glide.
  private var arrives = false
  private var isGliding = false
  /// Whether the bells jumped in this interval.
  private var hasJumped = false

  /// Has the bells follow, as after a change of their number or a reset.
  @_noLocks mutating func move() {
    isMoved = true
    hasJumped = false
  }

  /// Sets a slider, at the start of a slice.
  @_noLocks mutating func set(_ index: Int, _ gain: Float, isScheduled: Bool) {
    if gain != sliders[index] {
      sliders[index] = gain
      isMoved = true
      if isScheduled { jumps = true }
    } else if isScheduled, isGliding {
      arrives = true
    }
  }

  /// Returns the frames for which the bells stay as they are, before which `follow` is called again.
  @_noLocks mutating func run(of remaining: Int, _ filters: borrowing FilterSeries) -> Int {
    let interval = ControlClock.interval
    let left = filters.framesToGridPoint == 0 ? interval : filters.framesToGridPoint
    if isMoved && jumps && hasJumped { return min(remaining, left) }
    if remaining >= left { hasJumped = false }
    return remaining
  }

  /// Returns the values of bells that jump where the bells follow at this frame; nil where they stay.
  @_noLocks mutating func follow(_ filters: borrowing FilterSeries) -> FilterJumps? {
    if filters.framesToGridPoint == 0 { hasJumped = false }
    guard isMoved || arrives, !(jumps && hasJumped) else { return nil }
    let isAtOnce = jumps || arrives
    if jumps { hasJumped = true }
    isGliding = !isAtOnce
    isMoved = false
    jumps = false
    arrives = false
    return FilterJumps(gain: isAtOnce)
  }
}
