// Memory that is zero when a plug-in first gets it, whatever the process did before.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import Glibc
internal import LV2Bundles
internal import PlugInGuard
internal import RealtimeSupport

/// Gives a plug-in zeroed memory while it is made, restored or at work beside its runs.
///
/// Some plug-ins never set a part of their state and work only because a fresh process happens to hand
/// out zeros. In a process that has been busy they get what others left, and make huge numbers, crash,
/// or give another result for each order of files. While this is in force, memory from glibc's
/// allocator is zero, as it would be in a process of the plug-in's own; in workers it always is, for what
/// a plug-in allocates while it renders:
///
/// - `ZeroedMemory` makes the allocator fill what it hands out;
/// - it does not fill what it keeps at hand for the thread, so that stock is used up first. Where many
///   free blocks have one size, each taken brings others into the stock, and all of them are taken; a
///   process started without that stock (`glibc.malloc.tcache_count=0`, as workers are) is spared this.
///
/// With that stock it is no certainty: where a free piece is left of just the size asked for, by another
/// thread or by the allocator's own cutting, the plug-in gets it as it is.
struct LV2FreshMemory: ~Copyable {
  private var held: [UInt] = []

  /// Blocks taken of each size at most: a bound on the time this takes.
  private static let limit = 1 << 16

  /// Runs a plug-in's code with fresh memory. What `body` itself allocates and frees spoils the stock:
  /// it should do nothing but call the plug-in.
  static func during<Value>(_ body: () -> Value) -> Value {
    let memory = LV2FreshMemory()
    defer { extendLifetime(memory) }
    return body()
  }

  private init() {
    held.reserveCapacity(1024)
    ZeroedMemory.begin()
    // The thread's stock has one bin for each 16 bytes up to 1 KB. A block that comes filled is not
    // from it; taking one may bring others into stock, so two in a row tell that it is empty.
    for size in stride(from: 24, through: 1032, by: 16) {
      var fresh = 0
      var taken = 0
      while fresh < 2, taken < LV2FreshMemory.limit {
        taken += 1
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
