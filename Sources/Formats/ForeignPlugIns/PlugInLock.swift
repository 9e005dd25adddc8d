// A lock whose body may throw a typed error and return anything.
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A recursive lock for control threads.
///
/// Recursive, because restoring state calls back into the host on the same thread.
///
/// @unchecked Sendable because a POSIX mutex is made for use by many threads.
@safe package final class PlugInLock: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Makes a lock that nobody holds. Context: control.
  package init() {
    // Initialized by pthread_mutex_init below.
    unsafe mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&attributes)
    unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    unsafe pthread_mutex_init(mutex, &attributes)
    unsafe pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Runs a body while no other thread runs one. Context: control.
  package func locked<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body()
  }
}
