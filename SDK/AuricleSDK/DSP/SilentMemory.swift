// Silent samples in memory that a render thread need not wait for.
// SPDX-License-Identifier: Apache-2.0

import CRealtime

extension UnsafeMutablePointer where Pointee == Float {
  /// Allocates zeros whose pages are there already; `deallocate` frees them. Context: control.
  package static func allocateSilence(capacity: Int) -> Self {
    unsafe AuricleAllocateSilence(capacity)
  }
}
