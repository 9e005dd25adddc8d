// One plug-in at a time is loaded, made or freed, in any format.
// SPDX-License-Identifier: Apache-2.0

import PlugInGuard

/// Loads, makes and frees plug-ins, one at a time, and restores the process state they change.
///
/// One at a time, because static data of libraries shared by plug-ins is rarely thread-safe.
package enum PlugInLifeCycle {
  private static let lock = PlugInLock()

  /// Runs a plug-in's code for loading, instantiating, restoring or freeing.
  ///
  /// Context: control. Other plug-ins wait meanwhile.
  package static func perform<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try lock.locked { () throws(Failure) -> Value in try withProtectedProcessState(body) }
  }

  /// Runs a plug-in's code on the main thread of plug-ins, and waits for it; on that thread itself, at once.
  ///
  /// Context: control. Other plug-ins wait meanwhile.
  package static func performOnMainThread<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if PlugInMainThread.isCurrent { return try body() }
    // The lock is held by this thread, so that the main thread never waits for it.
    let result = lock.locked { () -> Result<Value, Failure> in
      PlugInMainThread.run {
        withProtectedProcessState {
          Result { () throws(Failure) -> Value in try body() }
        }
      }
    }
    return try result.get()
  }
}
