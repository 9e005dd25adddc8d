// The target of written bytes: a file of the writer's own, or the caller's open file.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import HostSystem

/// The target of a writer's bytes.
enum WriterTarget {
  /// A file that gets its name when it is complete.
  case atomic(AtomicFile)
  /// A file of the caller.
  case descriptor(Int32)

  var descriptor: Int32 {
    switch self {
    case .atomic(let file): file.descriptor
    case .descriptor(let descriptor): descriptor
    }
  }

  /// Whether the file belongs to another owner, which relies on its correctness.
  var isOfAnother: Bool {
    if case .descriptor = self { return true }
    return false
  }

  func commit() throws(AuricleError) {
    if case .atomic(let file) = self { try file.commit() }
  }

  func cancel() {
    if case .atomic(let file) = self { file.cancel() }
  }
}
