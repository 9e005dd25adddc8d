// Finds the methods of the unit behind a C handle.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A unit as C sees it, with a valid handle.
///
/// Any host may have made the handle: it is accessed through its record, never through Swift objects.
@unsafe struct Instance {
  private let record: UnsafeMutablePointer<ComponentInstanceRecord>

  /// Nil for a null handle, and for one of another layout.
  @_noLocks
  init?(_ handle: UnsafeMutablePointer<ComponentInstanceRecord>?) {
    guard let handle = unsafe handle, unsafe handle.pointee.magic == Self.magic,
      unsafe handle.pointee.recordSize >= Self.size, unsafe handle.pointee.plugIn != nil
    else { return nil }
    unsafe record = handle
  }

  /// The methods in the record; nil if the unit has none.
  var methods: ComponentInstanceRecord {
    @_noLocks get { unsafe record.pointee }
  }

  /// The first argument of every method.
  var plugIn: UnsafeMutableRawPointer {
    @_noLocks get { unsafe UnsafeMutableRawPointer(record.pointee.plugIn) }
  }

  /// Its component.
  var component: UnsafeMutablePointer<OpaqueAudioComponent>? {
    unsafe record.pointee.component
  }

  /// The method of a selector that is not in the record; nil if the unit has none.
  func method<Procedure>(_ selector: Int16, as type: Procedure.Type) -> Procedure? {
    guard let lookup = unsafe record.pointee.plugIn.pointee.Lookup,
      let method = unsafe lookup(selector)
    else { return nil }
    return unsafe unsafeBitCast(method, to: type)
  }

  /// Whether the unit implements a selector.
  func answers(_ selector: Int16) -> Bool {
    guard let lookup = unsafe record.pointee.plugIn.pointee.Lookup else { return false }
    return unsafe lookup(selector) != nil
  }

  private static var magic: UInt32 { kAuricleInstanceMagic }
  private static var size: UInt32 { unsafe UInt32(MemoryLayout<ComponentInstanceRecord>.size) }
}
