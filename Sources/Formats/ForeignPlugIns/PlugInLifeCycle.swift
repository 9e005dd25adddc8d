// One plug-in at a time is loaded, made or freed, whatever its format.
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
}
