// A C block of a host, retained as long as it may be called.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A retained block: an object whose third word is its function.
///
/// The functions that retain blocks come from the library of the host's block.
///
/// @unchecked Sendable because the host allows its block to be called from any thread.
@safe final class HostBlock: @unchecked Sendable {
  /// The block, the first argument of its function.
  let pointer: UnsafeMutableRawPointer
  private static let copy = unsafe symbol(
    "_Block_copy", as: (@convention(c) (UnsafeRawPointer?) -> UnsafeMutableRawPointer?).self)
  private static let release = unsafe symbol(
    "_Block_release", as: (@convention(c) (UnsafeRawPointer?) -> Void).self)

  /// Retains a block; nil for null, and in a process without the blocks runtime. Context: control.
  init?(_ block: UnsafeRawPointer?) {
    guard let block = unsafe block, let copy = unsafe Self.copy, let kept = unsafe copy(block)
    else { return nil }
    unsafe pointer = unsafe kept
  }

  deinit { unsafe Self.release?(pointer) }

  private static func symbol<Procedure>(_ name: String, as type: Procedure.Type) -> Procedure? {
    guard let found = unsafe dlsym(nil, name) else { return nil }
    return unsafe unsafeBitCast(found, to: Procedure.self)
  }
}
