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
  /// The unit for time and pitch; nil where none was asked for. Under `work`.
  private var pitch: QueuePitch?
  /// Turns since there was anything to decode.
  private var starvedTurns = 0
  /// Whether what waits for more before its pitch is changed shall be played as it is: nothing has come for 100 ms.
  private var hasStarved: Bool { starvedTurns > 25 && player.waitingFrames < 2 * Self.chunk }
  /// Buffers that were given back when they were decoded. Under `work`.
  private var givenBack = 0
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
    givenBack += 1
    deliver { [self] in unsafe callback.call(handle, entry.buffer) }
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
    return fillOnce()
  }

  /// Puts one chunk into the ring; false when that is full, or nothing is enqueued, also by a callback that this called.
  private func fillOnce() -> Bool {
    let (isFilled, hasGiven) = working {
      let before = givenBack
      return (fill(), givenBack != before)
    }
    return isFilled || hasGiven && hasPending
  }

  private var hasPending: Bool { state.withLock { !$0.pending.isEmpty } }

  /// Puts one chunk into the ring; false when that is full, or nothing is enqueued. Context: under `work`.
  private func fill() -> Bool {
    if ready.count == 0 {
      let isEnding = state.withLock { $0.run == .ending && $0.pending.isEmpty }
      let count = unsafe produce(
        into: scratch, frameCount: Self.chunk, isLast: { isEnding && stream.isAtEnd || hasStarved })
      starvedTurns = count > 0 ? 0 : starvedTurns + 1
      ready = (0, count)
      if count == 0 {
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

  /// Makes frames as they are played, with the program's own processing; 0 where there are none now. Context: under `work`.
  ///
  /// - Parameter isLast: Asked when nothing more can be decoded: whether what waits is all there is.
  private func produce(
    into samples: UnsafeMutablePointer<Float>, frameCount: Int, isLast: () -> Bool
  ) -> Int {
    let count = unsafe decode(
      into: samples, frameCount: min(frameCount, Self.chunk), isLast: isLast)
    if count > 0, let tap = state.withLock({ $0.tap }) {
      unsafe tap.process(samples, frameCount: count)
    }
    return count
  }

  /// Decodes frames, and changes their time and pitch.
  private func decode(
    into samples: UnsafeMutablePointer<Float>, frameCount frames: Int, isLast: () -> Bool
  ) -> Int {
    guard let pitch else { return unsafe stream.decode(into: samples, frameCount: frames) }
    let tuning = player.tuning
    pitch.tune(rate: tuning.rate, pitch: tuning.pitch)
    while pitch.lacks(frames) {
      let count = unsafe stream.decode(into: samples, frameCount: frames)
      guard count > 0 else { break }
      unsafe pitch.put(samples, frameCount: count)
    }
    let isEnd = pitch.lacks(frames) && isLast()
    return unsafe pitch.render(into: samples, frameCount: frames, isLast: isEnd)
  }

  /// Puts a unit for time and pitch in, or takes it out. Context: control, while the queue is stopped.
  func setPitch(_ algorithm: UInt32?) throws(QueueFailure) {
    var made: QueuePitch?
    if let algorithm {
      made = try QueuePitch(
        algorithm, channelCount: channelCount, sampleRate: player.sampleRate,
        frameCapacity: Self.chunk)
    }
    work.withLock { _ in pitch = made }
    player.hasPitch.store(algorithm != nil, ordering: .relaxed)
  }

  /// Decodes ahead until so many frames are there, or all that is enqueued; how many are.
  func prime(_ wanted: Int) -> Int {
    let most = wanted > 0 ? min(wanted, player.frameCapacity) : player.frameCapacity
    while player.waitingFrames < most, fillOnce() {}
    return player.waitingFrames
  }

  /// Frames decoded for who pulls by hand. Context: control.
  func decodeOffline(into samples: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    var done = 0
    var isFlushed = false
    while done < frameCount {
      let before = pitch?.taken
      let (count, hasGiven) = working {
        let before = givenBack
        let count = unsafe produce(
          into: samples + done * channelCount, frameCount: frameCount - done,
          isLast: { isFlushed && stream.isAtEnd })
        return (count, givenBack != before)
      }
      delivery.performAll()
      guard count > 0 else {
        // More may have been enqueued for what was taken.
        if pitch?.taken != before || hasGiven && hasPending { continue }
        // At the very end the decoder gives what it still holds, once.
        guard !isFlushed, !hasPending else { break }
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
      assignments: state.withLock { $0.assignments }, callback: player.renderCallback)
    // A callback may stop the queue while the first buffers are decoded.
    state.withLock { $0.run = .running }
    _ = prime(0)
    try self.run(made, at: time, isPatient: player.isPatient)
  }

  /// Gives all buffers back at once, and forgets what was decoded.
  func reset() {
    resetting {
      let entries = working {
        ready = (0, 0)
        player.discard()
        pitch?.reset()
        return stream.reset() + takePending()
      }
      for entry in entries {
        super.giveBack(entry)
        unsafe callback.call(handle, entry.buffer)
      }
    }
  }
}
