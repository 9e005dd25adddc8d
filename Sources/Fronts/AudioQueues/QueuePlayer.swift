// The render side of an output queue: from the ring to the device, with volume, pan and levels.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import RealtimeSupport
import Synchronization

/// A player of the frames that the queue's thread puts into the ring.
///
/// @unchecked Sendable because each end of the ring is one thread's, and all else is atomic.
@safe final class QueuePlayer: @unchecked Sendable {
  let channelCount: Int
  let sampleRate: Double
  /// The queue, borrowed: it keeps this. Nil until it is connected.
  private var queue: Unmanaged<Queue>?
  private var levels: Unmanaged<QueueLevels>?
  private var signalWords: RenderSignalWords?
  private var ring: SPSCRing
  private var consumer: SPSCRingConsumer
  /// Changes of parameters: a frame of the queue, an id, a value.
  private let events = SPSCRing(minimumCapacity: 1 << 14)
  private let eventConsumer: SPSCRingConsumer
  private var nextEvent: (frame: Int64, id: UInt32, value: Float)?
  private let discarded = Atomic<UInt64>(0)
  private var written: UInt64 = 0
  private let read = Atomic<UInt64>(0)

  /// Whether silence is played and time stops.
  let isPaused = Atomic<Bool>(false)
  /// Whether the device may be kept waiting for frames.
  let isPatient = Atomic<Bool>(false)
  private let isOver = Atomic<Bool>(false)
  /// Whether nothing waits for frames any more.
  private let isStopped = Atomic<Bool>(true)
  /// Posted when frames were put in, and at an end, a pause or a stop.
  private let filled = RenderSignal()
  private let filledWords: RenderSignalWords
  private let hasStarved = Atomic<Bool>(false)
  /// Frames of silence that were rendered behind the end.
  private var silentFrames = 0

  private let volume = Atomic<UInt32>(Float(1).bitPattern)
  private let rampTime = Atomic<UInt32>(0)
  private let pan = Atomic<UInt32>(0)
  /// Speed and pitch (cents), which the queue's thread sees to, and whether there is a unit for them.
  private let playRate = Atomic<UInt32>(Float(1).bitPattern)
  private let pitch = Atomic<UInt32>(0)
  let hasPitch = Atomic<Bool>(false)
  let isPitchBypassed = Atomic<Bool>(false)
  private var presentGain: Float = 1
  private var targetGain: Float = 1
  private var gainStep: Float = 0

  init(channelCount: Int, sampleRate: Double, frameCapacity: Int) {
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    ring = SPSCRing(minimumCapacity: frameCapacity * channelCount * 4)
    consumer = ring.consumer
    eventConsumer = events.consumer
    filledWords = filled.words
  }

  /// Frames that the ring holds.
  var frameCapacity: Int { ring.capacity / (channelCount * 4) }

  /// Has the ring hold so many frames at least. Context: control, while the device does not run.
  func reserve(_ frameCount: Int) {
    guard frameCount > frameCapacity else { return }
    let larger = SPSCRing(minimumCapacity: frameCount * channelCount * 4)
    var bytes = [UInt8](repeating: 0, count: ring.consumer.availableToRead)
    unsafe bytes.withUnsafeMutableBytes { memory in
      guard let start = memory.baseAddress,
        unsafe ring.consumer.read(into: start, count: memory.count)
      else { return }
      unsafe _ = larger.producer.write(start, count: memory.count)
    }
    (ring, consumer) = (larger, larger.consumer)
  }

  /// Knows its queue. Context: control, once.
  func connect(_ queue: Queue) {
    unsafe self.queue = Unmanaged.passUnretained(queue)
    unsafe levels = Unmanaged.passUnretained(queue.levels)
    signalWords = queue.signal.words
  }

  /// The callback of the device's unit.
  var renderCallback: AURenderCallbackStruct {
    unsafe AURenderCallbackStruct(
      inputProc: { context, flags, _, _, frames, list in
        guard let context = unsafe context, let list = unsafe list else { return kAudio_ParamError }
        return unsafe Unmanaged<QueuePlayer>.fromOpaque(context)._withUnsafeGuaranteedRef {
          unsafe $0.render(flags, Int(frames), list)
        }
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
  }

  // MARK: The queue's thread

  /// Puts frames in, all or none.
  func put(_ samples: UnsafePointer<Float>, frameCount: Int) -> Bool {
    let size = frameCount * channelCount * 4
    guard unsafe ring.producer.write(samples, count: size) else { return false }
    written += UInt64(size)
    filled.post()
    return true
  }

  /// Frames put in so far.
  var writtenFrames: Int64 { Int64(written) / Int64(4 * channelCount) }

  /// Frames that the device has read, or that were discarded.
  var readFrames: Int64 {
    let done = max(read.load(ordering: .acquiring), discarded.load(ordering: .acquiring))
    return Int64(min(written, done)) / Int64(4 * channelCount)
  }

  /// Frames that wait to be played.
  var waitingFrames: Int {
    let done = max(read.load(ordering: .acquiring), discarded.load(ordering: .acquiring))
    return Int(written - min(written, done)) / (4 * channelCount)
  }

  /// Discards the waiting frames.
  func discard() {
    discarded.store(written, ordering: .releasing)
    filled.post()
  }

  /// Nothing more is put in before the end.
  func noteEnd() {
    isOver.store(true, ordering: .releasing)
    filled.post()
  }

  /// Has a device that waits for frames go on with silence. Context: control.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    filled.post()
  }

  /// Plays silence, or goes on. Context: control.
  func setPaused(_ isOn: Bool) {
    isPaused.store(isOn, ordering: .releasing)
    filled.post()
  }

  /// Whether all was played.
  var hasDrained: Bool {
    isOver.load(ordering: .acquiring) && hasStarved.load(ordering: .acquiring)
  }

  /// Begins anew. Context: control, while the device does not run.
  func begin() {
    isOver.store(false, ordering: .releasing)
    hasStarved.store(false, ordering: .releasing)
    isPaused.store(false, ordering: .releasing)
    isStopped.store(false, ordering: .releasing)
    presentGain = Float(bitPattern: volume.load(ordering: .relaxed))
    targetGain = presentGain
  }

  /// Goes on after a noted end: more is to come.
  func goOn() {
    isOver.store(false, ordering: .releasing)
    hasStarved.store(false, ordering: .releasing)
  }

  /// Moves the queue's time where nobody renders.
  func advance(_ frames: Int) { moveTime(frames) }

  // MARK: Parameters

  /// Sets a parameter now. Context: any.
  @_noLocks func set(_ id: AudioQueueParameterID, _ value: Float) -> OSStatus {
    guard value.isFinite else { return kAudioQueueErr_InvalidParameter }
    let hasUnit = hasPitch.load(ordering: .relaxed)
    switch id {
    case kAudioQueueParam_Volume:
      volume.store(min(max(value, 0), 1).bitPattern, ordering: .relaxed)
    case kAudioQueueParam_VolumeRampTime:
      rampTime.store(max(0, value).bitPattern, ordering: .relaxed)
    case kAudioQueueParam_Pan: pan.store(min(max(value, -1), 1).bitPattern, ordering: .relaxed)
    case kAudioQueueParam_PlayRate where value == 1 || hasUnit:
      playRate.store(min(max(value, 0.5), 2).bitPattern, ordering: .relaxed)
    case kAudioQueueParam_Pitch where value == 0 || hasUnit:
      pitch.store(min(max(value, -2400), 2400).bitPattern, ordering: .relaxed)
    default: return kAudioQueueErr_InvalidParameter
    }
    return noErr
  }

  /// A parameter's value.
  func value(_ id: AudioQueueParameterID) -> Float? {
    switch id {
    case kAudioQueueParam_Volume: Float(bitPattern: volume.load(ordering: .relaxed))
    case kAudioQueueParam_VolumeRampTime: Float(bitPattern: rampTime.load(ordering: .relaxed))
    case kAudioQueueParam_Pan: Float(bitPattern: pan.load(ordering: .relaxed))
    case kAudioQueueParam_PlayRate: Float(bitPattern: playRate.load(ordering: .relaxed))
    case kAudioQueueParam_Pitch: Float(bitPattern: pitch.load(ordering: .relaxed))
    default: nil
    }
  }

  /// The speed and the pitch (cents) to be played at; those of the sound while the unit is bypassed.
  var tuning: (rate: Float, pitch: Float) {
    guard !isPitchBypassed.load(ordering: .relaxed) else { return (1, 0) }
    return (
      Float(bitPattern: playRate.load(ordering: .relaxed)),
      Float(bitPattern: pitch.load(ordering: .relaxed))
    )
  }

  /// Sets a parameter when a frame is played. Context: the queue's thread.
  func schedule(_ event: AudioQueueParameterEvent, at frame: Int64) {
    var record = (frame, event.mID, event.mValue)
    unsafe withUnsafeBytes(of: &record) { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe _ = events.producer.write(start, count: 16)
    }
  }

  // MARK: Rendering

  @_noLocks private func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ frames: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let data = unsafe list.pointee.mBuffers.mData else { return kAudio_ParamError }
    let samples = unsafe data.assumingMemoryBound(to: Float.self)
    var count = 0
    if !isPaused.load(ordering: .acquiring) {
      let start = frameTime
      count = unsafe dequeue(samples, frames)
      unsafe shape(samples, count, from: start)
      moveTime(frames - count)
    }
    let rest = (frames - count) * channelCount
    unsafe (samples + count * channelCount).update(repeating: 0, count: rest)
    if let levels = unsafe levels {
      unsafe levels._withUnsafeGuaranteedRef { unsafe $0.measure(samples, frames: frames) }
    }
    if count == 0 { unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence }
    return noErr
  }

  /// The frame of the queue's time.
  private var frameTime: Int64 {
    @_noLocks get {
      guard let queue = unsafe queue else { return 0 }
      return unsafe queue._withUnsafeGuaranteedRef { $0.frameTime.load(ordering: .relaxed) }
    }
  }

  /// Moves the queue's time on.
  @_noLocks private func moveTime(_ frames: Int) {
    guard let queue = unsafe queue else { return }
    unsafe queue._withUnsafeGuaranteedRef {
      _ = $0.frameTime.add(Int64(frames), ordering: .relaxed)
    }
  }

  /// Nanoseconds for which a device that may wait does so; then it goes on with silence.
  private static let maximumWait: UInt64 = 30_000_000_000

  /// Reads frames from the ring; of a device that may wait, all of them unless nothing comes.
  @_noLocks private func dequeue(_ samples: UnsafeMutablePointer<Float>, _ frames: Int) -> Int {
    var count = 0
    while true {
      let mark = filledWords.mark
      unsafe skip(samples, frames)
      let size = min(frames - count, consumer.availableToRead / (4 * channelCount))
      if size > 0,
        unsafe consumer.read(
          into: samples + count * channelCount, count: size * 4 * channelCount)
      {
        // The queue's time is that of the frames that a returned buffer had.
        moveTime(size)
        read.add(UInt64(size * 4 * channelCount), ordering: .releasing)
        count += size
        silentFrames = 0
      }
      // The queue's thread returns buffers that were played, and decodes more.
      signalWords?.post()
      if count == frames { return count }
      if isOver.load(ordering: .acquiring), consumer.availableToRead == 0 {
        noteSilence(frames - count)
        return count
      }
      guard isPatient.load(ordering: .acquiring), !isStopped.load(ordering: .acquiring),
        !isPaused.load(ordering: .acquiring),
        filledWords.wait(since: mark, nanoseconds: Self.maximumWait)
      else { return count }
    }
  }

  /// Counts silence behind the end: frames that a rate converter still holds are silence by then.
  @_noLocks private func noteSilence(_ count: Int) {
    silentFrames += count
    if silentFrames >= Int(sampleRate / 50) { hasStarved.store(true, ordering: .releasing) }
  }

  /// Drops forgotten frames, by way of the slice's memory.
  @_noLocks private func skip(_ samples: UnsafeMutablePointer<Float>, _ frames: Int) {
    let limit = discarded.load(ordering: .acquiring)
    while read.load(ordering: .relaxed) < limit {
      let left = Int(limit - read.load(ordering: .relaxed))
      let step = min(left, min(frames * channelCount * 4, consumer.availableToRead))
      guard step > 0, unsafe consumer.read(into: samples, count: step) else { return }
      read.add(UInt64(step), ordering: .releasing)
    }
  }

  /// Applies volume and pan, from the frames on at which they change.
  @_noLocks private func shape(
    _ samples: UnsafeMutablePointer<Float>, _ count: Int, from start: Int64
  ) {
    var done = 0
    while done < count {
      let next = changesDue(at: start + Int64(done))
      let step = min(count - done, Int(min(Int64(count), max(1, next - start - Int64(done)))))
      unsafe scale(samples + done * channelCount, step)
      done += step
    }
  }

  /// Makes changes that are due; the frame of the next one.
  @_noLocks private func changesDue(at frame: Int64) -> Int64 {
    while true {
      if nextEvent == nil {
        var record: (Int64, UInt32, Float) = (0, 0, 0)
        let consumer = eventConsumer
        let isThere = unsafe withUnsafeMutableBytes(of: &record) { bytes -> Bool in
          guard let start = bytes.baseAddress, consumer.availableToRead >= 16 else {
            return false
          }
          return unsafe consumer.read(into: start, count: 16)
        }
        guard isThere else { return .max }
        nextEvent = (record.0, record.1, record.2)
      }
      guard let event = nextEvent, event.frame <= frame else { return nextEvent?.frame ?? .max }
      _ = set(event.id, event.value)
      nextEvent = nil
    }
  }

  @_noLocks private func scale(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    let wanted = Float(bitPattern: volume.load(ordering: .relaxed))
    if wanted != targetGain {
      let frames = Double(Float(bitPattern: rampTime.load(ordering: .relaxed))) * sampleRate
      targetGain = wanted
      gainStep = frames >= 1 ? (wanted - presentGain) / Float(frames) : wanted - presentGain
    }
    let pan = Float(bitPattern: pan.load(ordering: .relaxed))
    let (present, target, isStereo) = (presentGain, targetGain, channelCount == 2)
    guard present != 1 || target != 1 || (pan != 0 && isStereo) else { return }
    let (left, right) = channelCount == 2 ? (min(1, 1 - pan), min(1, 1 + pan)) : (1, 1)
    for frame in 0..<count {
      if presentGain != targetGain {
        let step = gainStep
        presentGain += step
        let isPast = step > 0 ? presentGain > targetGain : presentGain < targetGain
        if isPast || step == 0 { presentGain = targetGain }
      }
      for channel in 0..<channelCount {
        let side = channel == 0 ? left : channel == 1 ? right : 1
        unsafe samples[frame * channelCount + channel] *= presentGain * side
      }
    }
  }
}
