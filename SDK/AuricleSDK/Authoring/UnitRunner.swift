// A running unit: the one on the render thread, and its replacement by a new one.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Synchronization

/// The kernel of an author's unit as the render state knows it: the unit itself behind a pointer, and
/// the ramps of its parameters.
@safe struct UnitRunner: ~Copyable {
  /// The unit that renders.
  let unit: Atomic<UnsafeMutableRawPointer?>
  /// The unit that becomes current at the next slice.
  let pending = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
  /// A replaced unit, for the control thread to free.
  let retired = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
  private let smoothed: UnsafeMutablePointer<ParameterHandle>
  private let smoothedCount: Int
  private let sampleRate: Double
  /// Frames of the slice before.
  private var frames = 0

  /// Allocates. Context: control.
  init(_ unit: UnsafeMutableRawPointer, _ parameters: [ParameterHandle], sampleRate: Double) {
    unsafe self.unit = unsafe Atomic(unit)
    self.sampleRate = sampleRate
    let ramps = parameters.filter { $0.declaration.smoothing != nil }
    smoothedCount = ramps.count
    unsafe smoothed = .allocate(capacity: max(ramps.count, 1))
    for (index, parameter) in ramps.enumerated() {
      let seconds = parameter.declaration.smoothing ?? 0
      let glide = (seconds * sampleRate).rounded()
      unsafe parameter.cell.pointee.glideFrames = Int32(max(1, min(glide, 1e8)))
      unsafe parameter.cell.pointee.isFresh = true
      unsafe (smoothed + index).initialize(to: parameter)
    }
  }

  deinit { unsafe smoothed.deallocate() }

  /// Moves every parameter at once to its set value. Context: control or render.
  @_noLocks func reset() {
    for index in 0..<smoothedCount { unsafe smoothed[index].cell.pointee.isFresh = true }
  }

  /// Prepares for a slice, and returns the unit that renders it. Context: render.
  @_noLocks mutating func begin(_ slice: borrowing RenderSlice) -> UnsafeMutableRawPointer? {
    if unsafe pending.load(ordering: .relaxed) != nil { adopt() }
    if smoothedCount > 0 {
      let events = slice.events
      for index in 0..<smoothedCount {
        let cell = unsafe smoothed[index].cell
        unsafe cell.pointee.ramp = cell.pointee.ramp.advanced(frames)
        unsafe cell.pointee.begin(events, at: slice.cycleOffset)
      }
      frames = slice.frameCount
    }
    return unsafe unit.load(ordering: .relaxed)
  }

  /// Returns the seconds until the last parameter rests. Context: render.
  @_noLocks func glideSeconds() -> Double {
    var left = 0
    for index in 0..<smoothedCount {
      left = max(left, unsafe Int(smoothed[index].cell.pointee.ramp.framesLeft))
    }
    return Double(left) / sampleRate
  }

  @_noLocks private func adopt() {
    // The one before it has to be freed first.
    guard unsafe retired.load(ordering: .acquiring) == nil,
      let next = unsafe pending.exchange(nil, ordering: .acquiringAndReleasing)
    else { return }
    let old = unsafe unit.exchange(next, ordering: .acquiringAndReleasing)
    unsafe retired.store(old, ordering: .releasing)
  }
}

/// Makes ready for a slice; for `render`.
///
/// Context: render.
@_noLocks public func beginUnitSlice(
  _ state: UnsafeMutableRawPointer, _ slice: UnsafeRawPointer
) -> UnsafeMutableRawPointer {
  let slice = unsafe slice.assumingMemoryBound(to: RenderSlice.self)
  return unsafe state.assumingMemoryBound(to: UnitRunner.self).pointee.begin(slice.pointee)
    ?? state
}

/// Reports how long the output rings on after silence came in; for `render`.
///
/// Context: render.
@_noLocks public func reportUnitRest(
  _ state: UnsafeMutableRawPointer, _ slice: UnsafeRawPointer, seconds: Double
) {
  let glide = unsafe state.assumingMemoryBound(to: UnitRunner.self).pointee.glideSeconds()
  unsafe slice.assumingMemoryBound(to: RenderSlice.self).pointee.reportTail(
    seconds: max(seconds, glide))
}

/// Runs a unit on a slice: the function that a unit's factory function passes to `makeUnit`.
///
/// Context: render.
@inlinable @_transparent
public func render<Unit: AuricleUnit & ~Copyable>(
  _ unit: Unit.Type, _ state: UnsafeMutableRawPointer, _ slice: UnsafeRawPointer
) {
  let kernel = unsafe beginUnitSlice(state, slice).assumingMemoryBound(to: Unit.self)
  unsafe kernel.pointee.process(slice.assumingMemoryBound(to: RenderSlice.self).pointee)
  if unsafe slice.assumingMemoryBound(to: RenderSlice.self).pointee.wantsTail {
    unsafe reportUnitRest(state, slice, seconds: kernel.pointee.restSeconds)
  }
}
