// Many gains that glide on one control grid, such as those of a matrix or of loudspeakers.
// SPDX-License-Identifier: Apache-2.0

/// Glides of 20 ms with their targets, such as the gains of a matrix or of loudspeakers.
///
/// ```swift
/// let isScheduled = parameters.$level.isScheduled(in: slice)
/// for channel in 0..<gains.count {
///   if gains.aim(channel, parameters.level), isScheduled { gains.jump(channel) }
/// }
/// if clock.isAtGridPoint { gains.advance() }
/// for channel in 0..<gains.count where !gains.isOff(channel) {
///   let target = unsafe slice.channel(channel) + frame
///   unsafe SampleRun.add(source, glide: gains[channel], phase: clock.phase, to: target, run)
/// }
/// ```
///
/// A copy shares the memory: the unit that made the bank calls `deallocate()` in its `deinit`.
///
/// Context: render; made and freed on a control thread.
@safe public struct GlideBank: BitwiseCopyable {
  /// Number of values; indices are in `0..<count`.
  public let count: Int
  private let glides: UnsafeMutablePointer<ParameterGlide>
  private let targets: UnsafeMutablePointer<Float>
  /// Whether any of them moves, or will at the next grid point.
  ///
  /// While it is false a kernel may run whole slices and need not call `advance()`.
  public private(set) var isMoving = true

  /// Allocates glides that jump to their first targets. Context: control.
  ///
  /// - Parameters:
  ///   - count: Number of values.
  ///   - sampleRate: Hz.
  public init(count: Int, sampleRate: Double) {
    self.count = count
    unsafe glides = .allocate(capacity: max(count, 1))
    unsafe glides.initialize(repeating: ParameterGlide(sampleRate: sampleRate), count: count)
    unsafe targets = .allocate(capacity: max(count, 1))
    unsafe targets.initialize(repeating: 0, count: count)
  }

  /// Frees the memory; no copy of the bank may be used afterwards. Context: control.
  public func deallocate() {
    unsafe glides.deallocate()
    unsafe targets.deallocate()
  }

  /// Jumps to the next values, as the unit's `reset()` needs it. Context: control or render.
  @_noLocks public mutating func reset() {
    for index in 0..<count { unsafe glides[index].reset() }
    isMoving = true
  }

  /// The glide of a value in the present interval, for `SampleRun.add(_:glide:phase:to:_:)`.
  @_noLocks public subscript(_ index: Int) -> ParameterGlide { unsafe glides[index] }

  /// Returns whether a value rests at zero, so that its work can be left out.
  @_noLocks public func isOff(_ index: Int) -> Bool {
    let glide = unsafe glides[index]
    return unsafe glide.isSettled && glide.value == 0 && targets[index] == 0
  }

  /// Sets the target of a value, which it reaches 20 ms after the next grid point.
  ///
  /// - Parameters:
  ///   - index: The value.
  ///   - target: Its wanted value.
  /// - Returns: False if that is its target already.
  @_noLocks public mutating func aim(_ index: Int, _ target: Float) -> Bool {
    guard unsafe target != targets[index] else { return false }
    unsafe targets[index] = target
    isMoving = true
    return true
  }

  /// Puts a value at its target at once, for a value that the host scheduled.
  @_noLocks public func jump(_ index: Int) {
    let target = unsafe targets[index]
    unsafe glides[index].jump(to: target)
  }

  /// Begins the next interval of the control grid, at each grid point of the unit's `ControlClock`.
  @_noLocks public mutating func advance() {
    guard isMoving else { return }
    var moves = false
    for index in 0..<count {
      let target = unsafe targets[index]
      unsafe glides[index].advance(toward: target)
      if unsafe !glides[index].isSettled { moves = true }
    }
    isMoving = moves
  }
}
