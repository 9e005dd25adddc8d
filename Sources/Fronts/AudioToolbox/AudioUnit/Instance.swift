// The way from a handle that C gives to the methods of the unit behind it.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A unit as C sees it, after its handle was found good.
///
/// Any host may have made the handle: everything goes through its record, nothing through Swift
/// objects.
@unsafe struct Instance {
  private let record: UnsafeMutablePointer<ComponentInstanceRecord>

  /// Nil for a null handle, and for one that no host of this layout made.
  @_noLocks
  init?(_ handle: UnsafeMutablePointer<ComponentInstanceRecord>?) {
    guard let handle = unsafe handle, unsafe handle.pointee.magic == Self.magic,
      unsafe handle.pointee.recordSize >= Self.size, unsafe handle.pointee.plugIn != nil
    else { return nil }
    unsafe record = handle
  }

  /// The methods that the record holds; nil where the unit has none.
  var methods: ComponentInstanceRecord {
    @_noLocks get { unsafe record.pointee }
  }

  /// The first argument of every method.
  var plugIn: UnsafeMutableRawPointer {
    @_noLocks get { unsafe UnsafeMutableRawPointer(record.pointee.plugIn) }
  }

  /// The component it is an instance of.
  var component: UnsafeMutablePointer<OpaqueAudioComponent>? {
    unsafe record.pointee.component
  }

  /// The method of a selector that the record does not hold; nil if the unit has none.
  func method<Procedure>(_ selector: Int16, as type: Procedure.Type) -> Procedure? {
    guard let lookup = unsafe record.pointee.plugIn.pointee.Lookup,
      let method = unsafe lookup(selector)
    else { return nil }
    return unsafe unsafeBitCast(method, to: type)
  }

  /// Whether the unit answers a selector.
  func answers(_ selector: Int16) -> Bool {
    guard let lookup = unsafe record.pointee.plugIn.pointee.Lookup else { return false }
    return unsafe lookup(selector) != nil
  }

  private static var magic: UInt32 { kAuricleInstanceMagic }
  private static var size: UInt32 { unsafe UInt32(MemoryLayout<ComponentInstanceRecord>.size) }
}
