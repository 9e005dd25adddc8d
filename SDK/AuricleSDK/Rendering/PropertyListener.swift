// A listener to a property of a unit.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A host's observer of one property.
@safe struct PropertyListener {
  var property: AudioUnitPropertyID
  var procedure: AudioUnitPropertyListenerProc
  var userData: UnsafeMutableRawPointer?

  /// Returns whether both are one observer of one property.
  func isSame(as other: PropertyListener) -> Bool {
    unsafe property == other.property && userData == other.userData
      && unsafeBitCast(procedure, to: UInt.self) == unsafeBitCast(other.procedure, to: UInt.self)
  }
}
