// Memory that is made larger when more is needed.
// SPDX-License-Identifier: Apache-2.0

/// Bytes to work in. Context: control.
@safe package final class Scratch {
  /// The first byte.
  package private(set) var start: UnsafeMutableRawPointer
  /// The number of elements.
  package private(set) var capacity: Int

  /// Makes memory of some bytes.
  package init(capacity: Int = 4096) {
    self.capacity = capacity
    unsafe start = .allocate(byteCount: max(1, capacity), alignment: 16)
  }

  deinit { unsafe start.deallocate() }

  /// Makes room for some bytes; the present ones stay.
  package func reserve(_ byteCount: Int) {
    guard byteCount > capacity else { return }
    let larger = UnsafeMutableRawPointer.allocate(
      byteCount: max(byteCount, 2 * capacity), alignment: 16)
    unsafe larger.copyMemory(from: start, byteCount: capacity)
    unsafe start.deallocate()
    unsafe start = larger
    capacity = max(byteCount, 2 * capacity)
  }
}
