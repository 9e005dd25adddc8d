// The memory of a plan.
// SPDX-License-Identifier: Apache-2.0

/// Memory that is freed as a whole. Context: control.
///
/// Samples lie apart from all else, so that the data of a slice fills few cache lines.
@safe final class PlanArena {
  private var blocks: [UnsafeMutableRawPointer] = unsafe []
  private var small = Stretch()
  private var sound = Stretch()
  private static let blockSize = 1 << 17

  /// The rest of a block.
  @safe private struct Stretch {
    var start: UnsafeMutableRawPointer?
    var room = 0
  }

  deinit { unsafe blocks.forEach { unsafe $0.deallocate() } }

  /// Samples of a channel: an odd number of cache lines from one to the next. Equal places of many
  /// buffers a power of two apart would push each other out of the cache. Behind them is room for a
  /// guard.
  func samples(_ byteCount: Int) -> UnsafeMutableRawPointer {
    let lines = (BufferGuard.place(byteCount) + BufferGuard.size + 63) / 64
    return unsafe carve((lines | 1) * 64, alignment: 64, from: &sound)
  }

  /// Zeroed bytes beside those asked for before.
  func bytes(_ count: Int, alignment: Int) -> UnsafeMutableRawPointer {
    unsafe carve(
      (max(count, 1) + alignment - 1) & ~(alignment - 1), alignment: alignment, from: &small)
  }

  private func carve(
    _ size: Int, alignment: Int, from stretch: inout Stretch
  ) -> UnsafeMutableRawPointer {
    if size > Self.blockSize / 4 { return unsafe block(size) }
    let skipped = unsafe stretch.start.map { -Int(bitPattern: $0) & (alignment - 1) } ?? 0
    if let start = unsafe stretch.start, size + skipped <= stretch.room {
      unsafe stretch.start = unsafe start + skipped + size
      stretch.room -= skipped + size
      return unsafe start + skipped
    }
    let start = unsafe block(Self.blockSize)
    unsafe stretch.start = unsafe start + size
    stretch.room = Self.blockSize - size
    return unsafe start
  }

  private func block(_ size: Int) -> UnsafeMutableRawPointer {
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
    unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    unsafe blocks.append(block)
    return unsafe block
  }

  /// Room for values, which the caller initialises.
  func room<Value>(for count: Int, of type: Value.Type) -> UnsafeMutablePointer<Value> {
    unsafe bytes(
      max(count, 1) * MemoryLayout<Value>.stride, alignment: max(16, MemoryLayout<Value>.alignment)
    ).bindMemory(to: type, capacity: max(count, 1))
  }
}
