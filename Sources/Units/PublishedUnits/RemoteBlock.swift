// The block of a program that listens to remote-control events.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A retained block `void (^)(UInt32)`: an object whose third word is its function.
///
/// @unchecked Sendable because the block's owner allows it to be called from any thread.
@safe package final class RemoteBlock: @unchecked Sendable {
  /// The block, the first argument of its function.
  package let pointer: UnsafeMutableRawPointer
  private typealias Function = @convention(c) (UnsafeMutableRawPointer, UInt32) -> Void
  private static let copy = unsafe symbol(
    "_Block_copy", as: (@convention(c) (UnsafeRawPointer?) -> UnsafeMutableRawPointer?).self)
  private static let release = unsafe symbol(
    "_Block_release", as: (@convention(c) (UnsafeRawPointer?) -> Void).self)

  /// Retains a block; nil for null, and in a process without the blocks runtime. Context: control.
  package init?(_ block: UnsafeRawPointer?) {
    guard let block = unsafe block, let copy = unsafe Self.copy, let kept = unsafe copy(block)
    else { return nil }
    unsafe pointer = unsafe kept
  }

  deinit { unsafe Self.release?(pointer) }

  /// Calls the block. Context: control.
  package func call(_ event: UInt32) {
    let place = 2 * MemoryLayout<UInt>.size
    let function = unsafe pointer.loadUnaligned(fromByteOffset: place, as: Function.self)
    unsafe function(pointer, event)
  }

  private static func symbol<Procedure>(_ name: String, as type: Procedure.Type) -> Procedure? {
    guard let found = unsafe dlsym(nil, name) else { return nil }
    return unsafe unsafeBitCast(found, to: Procedure.self)
  }
}
