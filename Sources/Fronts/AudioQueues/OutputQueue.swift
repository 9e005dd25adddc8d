// A queue that plays: its thread decodes buffers into a ring, which the device empties.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import MacSystem
import RealtimeSupport
import Synchronization

/// What is called when a buffer is the program's again.
@safe struct OutputCallback: @unchecked Sendable {
  // @unchecked Sendable because it is a C function and a pointer, which the program keeps valid.
  let call: (OpaquePointer?, UnsafeMutablePointer<AudioQueueBuffer>) -> Void
}

/// An output queue.
@safe final class OutputQueue: Queue, @unchecked Sendable {
  let callback: OutputCallback
  let stream: DecodedStream
  let player: QueuePlayer
  private let scratch: UnsafeMutablePointer<Float>
  /// Frames that are decoded at once.
  static let chunk = 1024
  /// Frames ready but not in the ring yet, as it was full.
  private var ready = (first: 0, count: 0)

  init(
    _ format: AudioStreamBasicDescription, _ delivery: CallbackDelivery, _ callback: OutputCallback
  ) throws(QueueFailure) {
    self.callback = callback
    stream = DecodedStream()
    let channels = Int(max(1, format.mChannelsPerFrame))
    let rate = format.mSampleRate > 0 ? format.mSampleRate : 44_100
    player = QueuePlayer(
      channelCount: channels, sampleRate: rate, frameCapacity: max(1 << 14, Int(rate / 2)))
    unsafe scratch = .allocate(capacity: Self.chunk * channels)
    unsafe scratch.initialize(repeating: 0, count: Self.chunk * channels)
    super.init(isInput: false, format, delivery)
    player.connect(self)
    stream.owner = self
    try stream.open()
  }

  deinit { unsafe scratch.deallocate() }

  override func giveBack(_ entry: EnqueuedBuffer) {
    super.giveBack(entry)
    delivery.run { [self] in unsafe callback.call(handle, entry.buffer) }
  }

  /// Decodes a chunk into the ring, and ends what has come to its end.
  override func turn() -> Bool {
    let (run, isOffline) = state.withLock { ($0.run, $0.offlineFormat != nil) }
    guard !isOffline, run != .stopped else { return false }
    if run == .ending, player.hasDrained {
      if closeDevice() { changed(kAudioQueueProperty_IsRunning) }
      return true
    }
    // The device stopped by itself: it is gone, or has come to its end.
    if isDeviceOver {
      _ = closeDevice()
      changed(kAudioQueueProperty_IsRunning)
    }
    return work.withLock { _ in fill() }
  }

  /// Puts one chunk into the ring; false when that is full, or nothing is enqueued. Context: under `work`.
  private func fill() -> Bool {
    if ready.count == 0 {
      let count = unsafe stream.decode(into: scratch, frameCount: Self.chunk)
      if count > 0, let tap = state.withLock({ $0.tap }) {
        unsafe tap.process(scratch, frameCount: count)
      }
      ready = (0, count)
      if count == 0 {
        let isEnding = state.withLock { $0.run == .ending && $0.pending.isEmpty }
        if isEnding, stream.isAtEnd { player.noteEnd() }
        return false
      }
    }
    guard unsafe player.put(scratch + ready.first * channelCount, frameCount: ready.count) else {
      return false
    }
    ready = (0, 0)
    return true
  }

  /// Decodes ahead until so many frames are there, or all that is enqueued; how many are.
  func prime(_ wanted: Int) -> Int {
    let most = wanted > 0 ? min(wanted, player.frameCapacity) : player.frameCapacity
    while player.waitingFrames < most, work.withLock({ _ in fill() }) {}
    return player.waitingFrames
  }

  /// Frames decoded for who pulls by hand. Context: control.
  func decodeOffline(into samples: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    var done = 0
    var isFlushed = false
    while done < frameCount {
      let count = work.withLock { _ in
        unsafe stream.decode(
          into: samples + done * channelCount, frameCount: min(frameCount - done, Self.chunk))
      }
      delivery.performAll()
      guard count > 0 else {
        // At the very end the decoder gives what it still holds, once.
        guard !isFlushed, state.withLock({ $0.pending.isEmpty }) else { break }
        isFlushed = true
        state.withLock { $0.wantsFlush = true }
        continue
      }
      done += count
    }
    player.advance(done)
    return done
  }

  /// Starts, or goes on after a pause.
  func start(_ time: AudioTimeStamp?) throws(QueueFailure) {
    let run = state.withLock { $0.run }
    if run == .running || run == .ending { return }
    if state.withLock({ $0.offlineFormat != nil }) {
      state.withLock { $0.run = .running }
      return
    }
    if run == .paused {
      player.isPaused.store(false, ordering: .releasing)
      state.withLock { $0.run = .running }
      return
    }
    guard startThread() == noErr else { throw QueueFailure(kAudioQueueErr_CannotStart) }
    player.begin()
    frameTime.store(0, ordering: .releasing)
    var client = floats(player.sampleRate)
    let made = unsafe try QueueDevice(
      isInput: false, uid: state.withLock { $0.deviceUID }, format: &client,
      callback: player.renderCallback)
    // A callback may stop the queue while the first buffers are decoded.
    state.withLock { $0.run = .running }
    _ = prime(0)
    try self.run(made, at: time, isPatient: player.isPatient)
  }

  /// Gives all buffers back at once, and forgets what was decoded.
  func reset() {
    state.withLock { $0.isResetting = true }
    work.withLock { _ in
      ready = (0, 0)
      player.discard()
      for entry in stream.reset() + takePending() {
        super.giveBack(entry)
        unsafe callback.call(handle, entry.buffer)
      }
    }
    state.withLock { $0.isResetting = false }
  }
}
