// Frees memory once the render thread can no longer see it.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

extension UnitInstance {
  /// Frees the memory that the render thread no longer reaches. Context: control, not rendering.
  func freeRetired() {
    unsafe retiredSources.forEach { unsafe $0.deallocate() }
    unsafe retiredSources.removeAll()
    unsafe retired.forEach { unsafe $0.deallocate() }
    unsafe retired.removeAll()
    unsafe retiredNotifies.forEach { list in
      unsafe list.pointee.entries.deallocate()
      unsafe list.deallocate()
    }
    unsafe retiredNotifies.removeAll()
    unsafe retiredListeners.forEach { list in
      unsafe list.pointee.entries.deallocate()
      unsafe list.deallocate()
    }
    unsafe retiredListeners.removeAll()
    retiredBlocks.removeAll()
  }
}
