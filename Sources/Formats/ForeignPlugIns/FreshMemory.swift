// Makes newly allocated memory of plug-ins zero, independent of the process's history.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import Glibc
internal import PlugInGuard
internal import RealtimeSupport

/// Zeroed memory for a plug-in while it is made, restored or does worker jobs.
///
/// Some plug-ins never initialize a part of their state and work only because a fresh process happens to
/// allocate zeros. In a used process they get freed data, and render huge numbers, crash, or depend on the
/// order of files. While this is in force, memory from glibc's allocator is zero, as in a fresh process. In
/// workers it always is, for memory that a plug-in allocates while it renders:
///
/// - `ZeroedMemory` makes the allocator fill the memory that it returns;
/// - it does not fill blocks of the thread's cache (tcache), so the cache is emptied first. Where many free
///   blocks have one size, each allocation refills the cache, and all of them are allocated; a process
///   started without the cache (`glibc.malloc.tcache_count=0`, like workers) avoids this.
///
/// With the cache it is not certain: a free block of exactly the requested size, from another thread or from
/// splitting, is returned unfilled.
package struct FreshMemory: ~Copyable {
  private var held: [UInt] = []

  /// The most blocks allocated of each size, which limits the time.
  private static let limit = 1 << 16

  /// Runs a plug-in's code with fresh memory. `body` should only call the plug-in: blocks that it frees
  /// itself would refill the cache.
  ///
  /// Context: control.
  package static func during<Value>(_ body: () -> Value) -> Value {
    let memory = FreshMemory()
    defer { extendLifetime(memory) }
    return body()
  }

  private init() {
    held.reserveCapacity(1024)
    ZeroedMemory.begin()
    // The cache has one bin for each 16 bytes up to 1 KB. A filled block is not from the cache; allocating
    // one may refill it, so two in a row show that it is empty.
    for size in stride(from: 24, through: 1032, by: 16) {
      var fresh = 0
      var used = 0
      while fresh < 2, used < FreshMemory.limit {
        used += 1
        guard let block = unsafe malloc(size) else { break }
        held.append(UInt(bitPattern: block))
        let isZero = unsafe auricle_is_zero(block, size / 8) != 0
        fresh = isZero ? fresh + 1 : 0
      }
    }
  }

  deinit {
    ZeroedMemory.end()
    for address in held { unsafe free(UnsafeMutableRawPointer(bitPattern: address)) }
  }
}
