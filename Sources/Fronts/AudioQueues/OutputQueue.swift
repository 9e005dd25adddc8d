// A queue that plays: its thread decodes buffers into a ring, which the device empties.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import HardwareObjects
import MacSystem
import RealtimeSupport
import Synchronization

/// The callback of a buffer that is the program's again.
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
  /// When nothing more could be decoded (ns); nil while there is something.
  private var starvedSince: UInt64?
  /// Whether frames that wait for more before their pitch is changed shall be played as they are: nothing has come
  /// for 100 ms.
  private var hasStarved: Bool {
    guard let starvedSince else { return false }
    return RenderClock.nanoseconds() &- starvedSince > 100_000_000
      && player.waitingFrames < 2 * Self.chunk
  }
  /// Buffers that were decoded, with the frame of the player behind which each is the program's again. Under `work`.
  private var decoded: [(entry: EnqueuedBuffer, frame: Int64)] = []
  /// Buffers that were returned, without empty ones. Under `work`.
  private var returned = 0
  /// Whether an empty buffer was returned in this turn. Under `work`.
  private var hasReturnedEmpty = false
  /// Frames of the queue in two periods of the device, which are decoded ahead.
  private let aheadFrames = Atomic<Int>(minimumAhead)
  private static let minimumAhead = 1024
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

  /// Keeps a decoded buffer until it was played; without a device it is the program's at once. Context: under `work`.
  override func returnBuffer(_ entry: EnqueuedBuffer) {
    if state.withLock({ $0.offlineFormat != nil }) { return handOver(entry) }
    decoded.append((entry, player.writtenFrames + Int64(ready.count)))
  }

  override func stopWaiting() { player.stop() }

  /// Makes a buffer the program's again. Context: under `work`.
  private func handOver(_ entry: EnqueuedBuffer) {
    super.returnBuffer(entry)
    if entry.isEmpty { hasReturnedEmpty = true } else { returned += 1 }
    deliver { [self] in unsafe callback.call(handle, entry.buffer) }
  }

  /// Returns the buffers that were played.
  ///
  /// Where the queue has all buffers of the program, and less of them than a period, it returns the first before:
  /// nothing else could follow.
  private func returnPlayed() {
    let isRunning = state.withLock { $0.run == .running }
    working {
      while let first = decoded.first {
        let isPlayed = first.frame <= player.readFrames
        let isLast =
          isRunning && !hasPending
          && player.waitingFrames < aheadFrames.load(ordering: .relaxed) / 2
          && buffers.areAllEnqueued
        guard isPlayed || isLast else { return }
        decoded.removeFirst()
        handOver(first.entry)
      }
    }
  }

  /// Frames of the queue in two periods of the device, or as many as were asked for.
  private func updateAhead() {
    guard let id = device.withLock({ $0?.device }), let hardware = HardwareSystem.shared.device(id)
    else { return }
    let frames = 2 * Double(hardware.periodFrames) * player.sampleRate / hardware.sampleRate
    let wanted = Int(state.withLock { $0.aheadFrames })
    aheadFrames.store(max(Int(frames.rounded(.up)), wanted, 16), ordering: .relaxed)
  }

  /// Decodes a chunk into the ring, and ends a queue whose buffers were played.
  override func turn() -> Bool {
    let (run, isOffline) = state.withLock { ($0.run, $0.offlineFormat != nil) }
    guard !isOffline, run != .stopped else { return false }
    updateAhead()
    returnPlayed()
    if run == .ending, player.hasDrained {
      if closeDevice() { changed(kAudioQueueProperty_IsRunning) }
      return true
    }
    // The device stopped by itself: it is gone, or has come to its end.
    if isDeviceOver {
      _ = closeDevice()
      changed(kAudioQueueProperty_IsRunning)
    }
    let goesOn = fillOnce()
    let waits = working {
      defer { hasReturnedEmpty = false }
      return hasReturnedEmpty
    }
    // A program that enqueues nothing but empty buffers has each back once a period, or in 10 ms.
    if waits { signal.wait(since: signal.mark, nanoseconds: 10_000_000) }
    return goesOn
  }

  /// Puts one chunk into the ring; false when that is full, or nothing is enqueued, also by a callback that this called.
  private func fillOnce() -> Bool {
    let (isFilled, hasGiven) = working {
      let before = returned
      return (fill(), returned != before)
    }
    return isFilled || hasGiven && hasPending
  }

  private var hasPending: Bool { state.withLock { !$0.pending.isEmpty } }

  /// Puts one chunk into the ring; false when that is full, or nothing is enqueued. Context: under `work`.
  private func fill() -> Bool {
    let room = (primedFrames ?? aheadFrames.load(ordering: .relaxed)) - player.waitingFrames
    guard room > 0 else { return false }
    if ready.count == 0 {
      let isEnding = state.withLock { $0.run == .ending && $0.pending.isEmpty }
      let count = unsafe produce(
        into: scratch, frameCount: min(room, Self.chunk),
        isLast: { isEnding && stream.isAtEnd || hasStarved })
      starvedSince = count > 0 ? nil : starvedSince ?? RenderClock.nanoseconds()
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
  /// - Parameter isLast: Asked when nothing more can be decoded: whether the waiting frames are all there are.
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

  /// Inserts a unit for time and pitch, or removes it. Context: control, while the queue is
  /// stopped.
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

  /// Frames that a program has decoded ahead before a start; nil otherwise. Under `work`.
  private var primedFrames: Int?

  /// Decodes ahead until so many frames wait, or for 0 as many as usual; returns their number.
  func prime(_ wanted: Int) -> Int {
    let most =
      wanted > 0 ? min(wanted, player.frameCapacity) : aheadFrames.load(ordering: .relaxed)
    working { primedFrames = most }
    while player.waitingFrames < most, fillOnce() {}
    working { primedFrames = nil }
    return player.waitingFrames
  }

  /// Decodes frames for a program that pulls by hand. Context: control.
  func decodeOffline(into samples: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    var done = 0
    var isFlushed = false
    while done < frameCount {
      let before = pitch?.used
      let (count, hasGiven) = working {
        let before = returned
        let count = unsafe produce(
          into: samples + done * channelCount, frameCount: frameCount - done,
          isLast: { isFlushed && stream.isAtEnd })
        return (count, returned != before)
      }
      delivery.performAll()
      guard count > 0 else {
        // More may have been enqueued for the frames that were read.
        if pitch?.used != before || hasGiven && hasPending { continue }
        // At the very end the decoder returns its rest, once.
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
      player.setPaused(false)
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
    device.withLock { $0 = made }
    updateAhead()
    player.reserve(aheadFrames.load(ordering: .relaxed) + Self.chunk)
    // A callback may stop the queue while the first buffers are decoded.
    state.withLock { $0.run = .running }
    _ = prime(0)
    try self.run(made, at: time, isPatient: player.isPatient)
  }

  /// Returns all buffers at once, and forgets decoded frames.
  func reset() {
    resetting {
      let entries = working {
        ready = (0, 0)
        player.discard()
        pitch?.reset()
        defer { decoded = [] }
        return decoded.map(\.entry) + stream.reset() + dequeuePending()
      }
      for entry in entries {
        super.returnBuffer(entry)
        unsafe callback.call(handle, entry.buffer)
      }
    }
  }
}
