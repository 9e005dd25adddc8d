// What a receiver and the render thread show of themselves to others.
// SPDX-License-Identifier: Apache-2.0

package import Synchronization

/// Counts and states of one end, read by any thread.
///
/// @unchecked Sendable because all that changes is atomic.
@safe package final class SoundBoard: @unchecked Sendable {
  /// The values, at a place that render code can point at.
  @safe package struct Shared: ~Copyable {
    /// The status, as a `kAUNetStatus_` number.
    package let status = Atomic<UInt32>(0)
    /// Datagrams that came, and those that were not for this end.
    package let datagrams = Atomic<Int>(0)
    package let refused = Atomic<Int>(0)
    /// Packets of sound that came, that came twice, and that were damaged.
    package let packets = Atomic<Int>(0)
    package let duplicates = Atomic<Int>(0)
    package let damaged = Atomic<Int>(0)
    /// Places without sound, and the frames of all.
    package let gaps = Atomic<Int>(0)
    package let missingFrames = Atomic<Int>(0)
    /// Times that nothing was there to play, or that a ring had no room.
    package let underflows = Atomic<Int>(0)
    package let overflows = Atomic<Int>(0)
    /// Packets that came after their time, and times that the reader jumped.
    package let late = Atomic<Int>(0)
    package let jumps = Atomic<Int>(0)
    /// From the newest frame that came to the one that is read (ns), and its parts per billion of speed.
    package let latency = Atomic<Int>(0)
    package let drift = Atomic<Int>(0)
    /// Receivers that have joined.
    package let receivers = Atomic<Int>(0)

    init() {}
  }

  /// The values; they are there as long as the board.
  package let shared: UnsafeMutablePointer<Shared>

  /// Makes a board of zeros.
  package init() {
    unsafe shared = .allocate(capacity: 1)
    unsafe shared.initialize(to: Shared())
  }

  deinit {
    unsafe shared.deinitialize(count: 1)
    unsafe shared.deallocate()
  }

  /// The status.
  package var status: SoundStatus {
    get {
      SoundStatus(rawValue: unsafe shared.pointee.status.load(ordering: .relaxed))
        ?? .notConnected
    }
    set { unsafe shared.pointee.status.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// The counts as lines of a name and a number.
  package var text: String {
    let values: [(String, Int)] = unsafe [
      ("datagrams", shared.pointee.datagrams.load(ordering: .relaxed)),
      ("refused", shared.pointee.refused.load(ordering: .relaxed)),
      ("packets", shared.pointee.packets.load(ordering: .relaxed)),
      ("duplicates", shared.pointee.duplicates.load(ordering: .relaxed)),
      ("damaged", shared.pointee.damaged.load(ordering: .relaxed)),
      ("gaps", shared.pointee.gaps.load(ordering: .relaxed)),
      ("missing-frames", shared.pointee.missingFrames.load(ordering: .relaxed)),
      ("underflows", shared.pointee.underflows.load(ordering: .relaxed)),
      ("overflows", shared.pointee.overflows.load(ordering: .relaxed)),
      ("late", shared.pointee.late.load(ordering: .relaxed)),
      ("jumps", shared.pointee.jumps.load(ordering: .relaxed)),
      ("latency-us", shared.pointee.latency.load(ordering: .relaxed) / 1000),
      ("drift-ppb", shared.pointee.drift.load(ordering: .relaxed)),
      ("receivers", shared.pointee.receivers.load(ordering: .relaxed)),
    ]
    return values.map { "\($0) \($1)\n" }.joined()
  }
}

/// The status of an end. The corresponding Core Audio names begin with `kAUNetStatus_`.
package enum SoundStatus: UInt32, Sendable {
  case notConnected = 0
  case connected = 1
  case overflow = 2
  case underflow = 3
  case connecting = 4
  case listening = 5
}
