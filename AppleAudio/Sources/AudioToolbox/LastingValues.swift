// Values of C to which programs have pointers.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Values of C that exist as long as the program, each once.
///
/// A pointer to the value of an object that never changes stays valid when the object is gone: an expression may read
/// the value of a temporary object, as it may on a Mac.
enum LastingValues {
  private struct Pointer: @unchecked Sendable { let raw: UnsafeRawPointer }
  private static let known = Mutex<[Data: Pointer]>([:])

  static func pointer(to value: Data) -> UnsafeRawPointer {
    known.withLock { known in
      if let pointer = known[value] { return pointer }
      let memory = UnsafeMutableRawPointer.allocate(byteCount: value.count, alignment: 8)
      value.copyBytes(to: UnsafeMutableRawBufferPointer(start: memory, count: value.count))
      let pointer = Pointer(raw: UnsafeRawPointer(memory))
      known[value] = pointer
      return pointer
    }.raw
  }
}
