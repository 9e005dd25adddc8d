// Beginnings of sound and silence in a device's frames, from which another thread computes how much was played.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Changes that are kept.
private let capacity = 256

/// Whether sound begins with a change.
@_noLocks private func beginsSound(_ change: Int) -> Bool { change % 2 == 1 }

/// The last changes between sound and silence: more than a device holds.
///
/// @unchecked Sendable because the device's thread alone writes, and others read atomics.
@safe final class SoundMarks: @unchecked Sendable {
  /// The frame of the device at each change, and the frames of sound before it.
  private let places = UnsafeMutablePointer<Atomic<Int64>>.allocate(capacity: capacity)
  private let sounds = UnsafeMutablePointer<Atomic<Int64>>.allocate(capacity: capacity)
  /// Changes so far; the first is silence at frame 0, and they alternate.
  private let count = Atomic<Int>(1)

  init() {
    for index in 0..<capacity {
      unsafe (places + index).initialize(to: Atomic(0))
      unsafe (sounds + index).initialize(to: Atomic(0))
    }
  }

  deinit {
    unsafe places.deinitialize(count: capacity)
    unsafe sounds.deinitialize(count: capacity)
    unsafe places.deallocate()
    unsafe sounds.deallocate()
  }

  /// Notes that sound or silence begins at a frame, unless it has begun already. Context: the
  /// device's thread.
  @_noLocks func begin(isSound: Bool, at frame: Int64) {
    let next = count.load(ordering: .relaxed)
    guard isSound != beginsSound(next - 1) else { return }
    let slot = next % capacity
    unsafe sounds[slot].store(soundFrames(in: next - 1, before: frame), ordering: .relaxed)
    unsafe places[slot].store(frame, ordering: .relaxed)
    count.store(next + 1, ordering: .releasing)
  }

  /// Frames of sound among the first so many of the device. Context: any thread.
  func soundFrames(before frame: Int64) -> Int64 {
    while true {
      let end = count.load(ordering: .acquiring)
      // The slot that may be written next is not read.
      let oldest = max(0, end - capacity + 1)
      var change = end - 1
      while change > oldest, unsafe places[change % capacity].load(ordering: .relaxed) > frame {
        change -= 1
      }
      let found = soundFrames(in: change, before: frame)
      // If the thread overwrote them meanwhile, once more.
      if count.load(ordering: .acquiring) - change < capacity { return found }
    }
  }

  /// Frames of sound up to a frame behind a change.
  @_noLocks private func soundFrames(in change: Int, before frame: Int64) -> Int64 {
    let slot = change % capacity
    let before = unsafe sounds[slot].load(ordering: .relaxed)
    guard beginsSound(change) else { return before }
    return before + max(0, frame - (unsafe places[slot].load(ordering: .relaxed)))
  }
}
