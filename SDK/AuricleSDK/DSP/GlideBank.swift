// Many gains that glide on one control grid, such as those of a matrix or of loudspeakers.
// SPDX-License-Identifier: Apache-2.0

/// Glides with their targets. Context: render; made and freed on a control thread.
@safe public struct GlideBank: BitwiseCopyable {
  /// Number of values.
  public let count: Int
  private let glides: UnsafeMutablePointer<ParameterGlide>
  private let targets: UnsafeMutablePointer<Float>
  /// Whether any of them moves, or will at the next grid point.
  public private(set) var isMoving = true

  /// Allocates glides. Context: control.
  public init(count: Int, sampleRate: Double) {
    self.count = count
    unsafe glides = .allocate(capacity: max(count, 1))
    unsafe glides.initialize(repeating: ParameterGlide(sampleRate: sampleRate), count: count)
    unsafe targets = .allocate(capacity: max(count, 1))
    unsafe targets.initialize(repeating: 0, count: count)
  }

  /// Frees the memory. Context: control.
  public func deallocate() {
    unsafe glides.deallocate()
    unsafe targets.deallocate()
  }

  /// Jumps to the next values.
  @_noLocks public mutating func reset() {
    for index in 0..<count { unsafe glides[index].reset() }
    isMoving = true
  }

  /// A gain in the present interval.
  @_noLocks public subscript(_ index: Int) -> ParameterGlide { unsafe glides[index] }

  /// Returns whether a gain rests at zero.
  @_noLocks public func isOff(_ index: Int) -> Bool {
    let glide = unsafe glides[index]
    return unsafe glide.isSettled && glide.value == 0 && targets[index] == 0
  }

  /// Sets where a gain goes; false if it goes there already.
  @_noLocks public mutating func aim(_ index: Int, _ target: Float) -> Bool {
    guard unsafe target != targets[index] else { return false }
    unsafe targets[index] = target
    isMoving = true
    return true
  }

  /// Puts a gain where it goes.
  @_noLocks public func jump(_ index: Int) {
    let target = unsafe targets[index]
    unsafe glides[index].jump(to: target)
  }

  /// Begins the next interval of the control grid.
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
