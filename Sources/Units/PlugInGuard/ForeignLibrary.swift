// Opens the binaries of plug-ins: the one place that does.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import Synchronization

/// The binary of a plug-in: opened here alone, and never closed.
///
/// The Swift runtime keeps pointers into a plug-in written in Swift, and many others crash when they are unloaded.
package enum ForeignLibrary {
  /// Why a binary is not open.
  package struct Refusal: Error {
    /// The loader's words, or ours.
    package let reason: String
    /// Whether this process may not run foreign code at all.
    package let isForbidden: Bool
  }

  /// Whether this process opens no foreign code: 1 after `forbid`.
  private static let isForbidden = Atomic<Bool>(false)
  /// Called before the first binary is opened.
  private static let preparation = Mutex<(@Sendable () -> Void)?>(nil)

  /// Forbids foreign code to this process, from now on and until `permit`.
  ///
  /// A program of ours calls this first. A process that does not call it is a client's own, which is the user's
  /// to protect.
  ///
  /// Context: control.
  package static func forbid() { isForbidden.store(true, ordering: .releasing) }

  /// Permits foreign code to this process: it has entered its sandbox, as far as the user wants one and the kernel
  /// has one.
  ///
  /// Context: control.
  package static func permit() { isForbidden.store(false, ordering: .releasing) }

  /// Has `body` called when the first binary is to be opened, to enter the sandbox then.
  ///
  /// Context: control.
  package static func prepare(_ body: @escaping @Sendable () -> Void) {
    preparation.withLock { $0 = body }
  }

  /// Opens the binary of a plug-in: all symbols at once, so that a missing one is found now, and for nobody else.
  ///
  /// - Parameter ships: Whether the plug-in came with the program, and so is not foreign.
  ///
  /// Context: control.
  package static func open(
    _ path: String, ships: Bool = false
  ) throws(Refusal) -> UnsafeMutableRawPointer {
    if !ships {
      // Removed first: its own calls may open others.
      let prepare = preparation.withLock { kept in
        defer { kept = nil }
        return kept
      }
      prepare?()
      guard !isForbidden.load(ordering: .acquiring) else {
        throw Refusal(
          reason: "this process has no sandbox, and opens no plug-ins", isForbidden: true)
      }
    }
    unsafe dlerror()
    let flags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE
    if let library = unsafe path.withFileName({ unsafe dlopen($0, flags) }) {
      return unsafe library
    }
    let reason = unsafe dlerror().map { unsafe String(cString: $0) }
    throw Refusal(reason: reason ?? "the loader names no reason", isForbidden: false)
  }
}
