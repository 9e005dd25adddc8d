// A lock that owns the state that it protects.
// SPDX-License-Identifier: Apache-2.0

/// A lock in memory that does not move, with the state that it protects.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  /// Whether a lock has to be held, or not, at a place.
  public enum Ownership: Hashable, Sendable {
    /// This thread holds it.
    case owner
    /// This thread does not hold it.
    case notOwner
  }

  final class Storage {
    let lock = UnsafeMutablePointer<os_unfair_lock_s>.allocate(capacity: 1)
    var state: State
    init(_ state: State) {
      lock.initialize(to: os_unfair_lock_s())
      self.state = state
    }
    deinit { lock.deallocate() }
  }

  let storage: Storage

  /// A lock of a state that is not checked to be sendable.
  public init(uncheckedState initialState: State) { storage = Storage(initialState) }

  /// Runs a body that changes the state, under the lock.
  public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    os_unfair_lock_lock(storage.lock)
    defer { os_unfair_lock_unlock(storage.lock) }
    return try body(&storage.state)
  }
  /// Runs a body that changes the state, under the lock.
  public func withLock<Result: Sendable>(_ body: @Sendable (inout State) throws -> Result) rethrows
    -> Result
  {
    try withLockUnchecked(body)
  }
  /// Runs a body if the lock is free; nil where it is not.
  public func withLockIfAvailableUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows
    -> Result?
  {
    guard os_unfair_lock_trylock(storage.lock) else { return nil }
    defer { os_unfair_lock_unlock(storage.lock) }
    return try body(&storage.state)
  }
  /// Runs a body if the lock is free; nil where it is not.
  public func withLockIfAvailable<Result: Sendable>(
    _ body: @Sendable (inout State) throws -> Result
  ) rethrows -> Result? {
    try withLockIfAvailableUnchecked(body)
  }
  /// Ends the process unless the lock is held, or not, by this thread.
  public func precondition(_ condition: Ownership) {
    switch condition {
    case .owner: os_unfair_lock_assert_owner(storage.lock)
    case .notOwner: os_unfair_lock_assert_not_owner(storage.lock)
    }
  }
}

extension OSAllocatedUnfairLock where State: Sendable {
  /// A lock of a state.
  public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == () {
  /// A lock without a state.
  public init() { self.init(uncheckedState: ()) }
  /// Waits until the lock is free, and holds it.
  public func lock() { os_unfair_lock_lock(storage.lock) }
  /// Ends holding the lock.
  public func unlock() { os_unfair_lock_unlock(storage.lock) }
  /// Holds the lock if it is free.
  public func lockIfAvailable() -> Bool { os_unfair_lock_trylock(storage.lock) }
  /// Runs a body under the lock.
  public func withLockUnchecked<Result>(_ body: () throws -> Result) rethrows -> Result {
    try withLockUnchecked { _ in try body() }
  }
  /// Runs a body under the lock.
  public func withLock<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
    try withLockUnchecked { _ in try body() }
  }
}
