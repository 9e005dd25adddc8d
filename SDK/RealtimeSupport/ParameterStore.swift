// Parameter values that one thread sets while another renders.
// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// A fixed number of floats, each read and written atomically.
///
/// The struct is a pointer: copies share the values, and the code that made the store deallocates
/// it when no thread uses it any more. Values are independent of each other: no order is kept
/// between them. A reader of many values a slice checks `changeCount` first.
@safe public struct ParameterStore: @unchecked Sendable {
  // @unchecked Sendable because the memory is reached through atomic operations only.
  @usableFromInline let values: UnsafeMutablePointer<Atomic<Float>>
  @usableFromInline let changes: UnsafeMutablePointer<Atomic<UInt>>
  /// Number of values.
  public let count: Int

  /// Allocates `count` values of `initialValue`.
  ///
  /// Context: control.
  public init(count: Int, initialValue: Float = 0) {
    self.count = max(0, count)
    unsafe values = .allocate(capacity: max(1, self.count))
    for index in 0..<max(1, self.count) {
      unsafe (values + index).initialize(to: Atomic(initialValue))
    }
    unsafe changes = .allocate(capacity: 1)
    unsafe changes.initialize(to: Atomic(0))
  }

  /// Frees the memory; no copy of the store may be used afterwards.
  ///
  /// Context: control.
  public func deallocate() {
    unsafe values.deinitialize(count: max(1, count))
    unsafe values.deallocate()
    unsafe changes.deinitialize(count: 1)
    unsafe changes.deallocate()
  }

  /// Number of times that values were set, except meters: while it is the same, so are they.
  ///
  /// A reader that finds another number than before, and reads the values after that, misses no change:
  /// changes made meanwhile are counted by the next number. Context: any.
  @inlinable
  public var changeCount: UInt {
    @_noLocks get { unsafe changes.pointee.load(ordering: .acquiring) }
  }

  /// Returns the value at `index`; 0 if there is no such index.
  ///
  /// Context: any.
  @inlinable @_noLocks
  public func value(at index: Int) -> Float {
    guard index >= 0 && index < count else { return 0 }
    return unsafe values[index].load(ordering: .relaxed)
  }

  /// Sets the value at `index`; does nothing if there is no such index.
  ///
  /// Context: any.
  @inlinable @_noLocks
  public func setValue(_ value: Float, at index: Int) {
    guard index >= 0 && index < count else { return }
    unsafe values[index].store(value, ordering: .relaxed)
    unsafe changes.pointee.add(1, ordering: .releasing)
  }

  /// Sets the value of a meter, which the renderer reports and does not read: not counted as a change.
  /// Does nothing if there is no such index.
  ///
  /// Context: any.
  @inlinable @_noLocks
  public func setMeter(_ value: Float, at index: Int) {
    guard index >= 0 && index < count else { return }
    unsafe values[index].store(value, ordering: .relaxed)
  }

  /// Copies the values from `first` on; does nothing unless there are as many.
  ///
  /// Context: any.
  @inlinable @_noLocks
  public func get(_ first: Int, count: Int, into memory: UnsafeMutablePointer<Float>) {
    guard first >= 0, count >= 0, first <= self.count &- count else { return }
    var index = 0
    while index < count {
      unsafe memory[index] = unsafe values[first &+ index].load(ordering: .relaxed)
      index &+= 1
    }
  }

  /// Sets the values of meters from `first` on; does nothing unless there are as many.
  ///
  /// Context: any.
  @inlinable @_noLocks
  public func setMeters(_ first: Int, count: Int, from memory: UnsafePointer<Float>) {
    guard first >= 0, count >= 0, first <= self.count &- count else { return }
    var index = 0
    while index < count {
      unsafe values[first &+ index].store(memory[index], ordering: .relaxed)
      index &+= 1
    }
  }
}
