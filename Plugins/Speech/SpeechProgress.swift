// The progress of a unit's speech, and its limits: between render and all other threads.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Synchronization

/// The progress of one thing that is said. It lives as long as someone asks.
///
/// @unchecked Sendable because all that changes is atomic or under a lock.
@safe final class SpeechProgress: @unchecked Sendable {
  /// The state that the render thread shares.
  struct Shared: ~Copyable {
    /// Frames of the output that were rendered, and that there are; −1 before it is made.
    let place = Atomic<Int>(0)
    let count = Atomic<Int>(-1)
    /// Seconds.
    let pause = Atomic<UInt64>(Double.infinity.bitPattern)
    let stop = Atomic<UInt64>(Double.infinity.bitPattern)
    let sampleRate = Atomic<UInt64>((44_100.0).bitPattern)
    let isGone = Atomic<Bool>(false)

    /// The frame at which it is silent. Context: render.
    @_noLocks func end(_ limit: UInt64, sampleRate: Double) -> Int {
      let frames = Double(bitPattern: limit) * sampleRate
      return frames < 1e15 ? Int(max(frames, 0)) : Int.max
    }
  }

  /// The speaker of it: without one it is gone.
  final class Hold: Sendable {
    let progress = SpeechProgress()

    deinit { unsafe progress.shared.pointee.isGone.store(true, ordering: .relaxed) }
  }

  let shared = UnsafeMutablePointer<Shared>.allocate(capacity: 1)
  /// The finished utterance; nil before that.
  let utterance = Mutex<Utterance?>(nil)

  init() { unsafe shared.initialize(to: Shared()) }

  deinit {
    unsafe shared.deinitialize(count: 1)
    unsafe shared.deallocate()
  }

  /// Begins to render. Context: control.
  func begin(_ made: Utterance, count: Int, sampleRate: Double) {
    utterance.withLock { $0 = made }
    unsafe shared.pointee.sampleRate.store(sampleRate.bitPattern, ordering: .relaxed)
    unsafe shared.pointee.place.store(0, ordering: .relaxed)
    unsafe shared.pointee.isGone.store(false, ordering: .relaxed)
    unsafe shared.pointee.count.store(count, ordering: .releasing)
  }

  /// The times at which it falls silent, in seconds. Context: any.
  var limits: AuricleSpeechLimits {
    get {
      unsafe AuricleSpeechLimits(
        pause: Double(bitPattern: shared.pointee.pause.load(ordering: .relaxed)),
        stop: Double(bitPattern: shared.pointee.stop.load(ordering: .relaxed)))
    }
    set {
      unsafe shared.pointee.pause.store(newValue.pause.bitPattern, ordering: .relaxed)
      unsafe shared.pointee.stop.store(newValue.stop.bitPattern, ordering: .relaxed)
    }
  }

  /// The progress. Context: any.
  var record: AuricleSpeechProgress {
    let count = unsafe shared.pointee.count.load(ordering: .acquiring)
    let place = unsafe shared.pointee.place.load(ordering: .relaxed)
    let rate = unsafe Double(bitPattern: shared.pointee.sampleRate.load(ordering: .relaxed))
    let isGone = unsafe shared.pointee.isGone.load(ordering: .relaxed)
    let (pause, stop) = unsafe (
      shared.pointee.pause.load(ordering: .relaxed), shared.pointee.stop.load(ordering: .relaxed)
    )
    let isOver =
      unsafe count >= 0 && (place >= count || place >= shared.pointee.end(stop, sampleRate: rate))
    let isPaused = unsafe !isOver && place >= shared.pointee.end(pause, sampleRate: rate)
    return AuricleSpeechProgress(
      seconds: Double(place) / rate, duration: Double(max(count, 0)) / rate,
      isOver: isOver ? 1 : 0, isPaused: isPaused ? 1 : 0, isGone: isGone ? 1 : 0, reserved: 0)
  }

  /// Returns the clock by which others read it; they release the reference. Context: control.
  func clock(unit: UInt64) -> AuricleSpeechClock {
    unsafe AuricleSpeechClock(
      unit: unit, object: Unmanaged.passRetained(self).toOpaque(),
      read: { object, progress in
        guard let object = unsafe object, let progress = unsafe progress else { return }
        unsafe progress.pointee =
          Unmanaged<SpeechProgress>.fromOpaque(object).takeUnretainedValue().record
      },
      release: { object in
        guard let object = unsafe object else { return }
        unsafe Unmanaged<SpeechProgress>.fromOpaque(object).release()
      })
  }
}
