// The render side of an input queue: from the device into the ring.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

/// Keeps recorded frames of a device until the queue's thread reads them.
///
/// @unchecked Sendable because each end of the ring is one thread's, and all else is atomic or fixed.
@safe final class QueueRecorder: @unchecked Sendable {
  /// The queue, borrowed: it keeps this.
  private let queue: Unmanaged<Queue>
  private let levels: Unmanaged<QueueLevels>
  private let signalWords: RenderSignalWords
  private let channelCount: Int
  let ring: SPSCRing
  private let producer: SPSCRingProducer
  private let memory: UnsafeMutablePointer<Float>
  private static let mostFrames = 1 << 16
  /// The device that renders; set before it starts.
  var device: QueueDevice? {
    didSet { unsafe borrowedDevice = device.map { unsafe Unmanaged.passUnretained($0) } }
  }
  private var borrowedDevice: Unmanaged<QueueDevice>?
  /// Whether new frames are dropped.
  let isPaused = Atomic<Bool>(false)
  /// Whether the device may be kept waiting for room.
  let isPatient = Atomic<Bool>(false)
  private let isStopped = Atomic<Bool>(false)
  /// Posted when there is room in the ring, and at the stop.
  private let room = RenderSignal()
  private let roomWords: RenderSignalWords
  /// Nanoseconds for which a device that may wait does so; then its input is dropped.
  private static let maximumWait: UInt64 = 30_000_000_000

  init(_ queue: Queue) {
    unsafe self.queue = Unmanaged.passUnretained(queue)
    unsafe levels = Unmanaged.passUnretained(queue.levels)
    signalWords = queue.signal.words
    roomWords = room.words
    channelCount = queue.channelCount
    ring = SPSCRing(minimumCapacity: 4 * channelCount * max(1 << 17, Int(queue.format.mSampleRate)))
    producer = ring.producer
    unsafe memory = .allocate(capacity: Self.mostFrames * channelCount)
    unsafe memory.initialize(repeating: 0, count: Self.mostFrames * channelCount)
  }

  deinit { unsafe memory.deallocate() }

  /// The callback of the device's unit.
  var inputCallback: AURenderCallbackStruct {
    unsafe AURenderCallbackStruct(
      inputProc: { context, flags, time, _, frames, _ in
        guard let context = unsafe context else { return kAudio_ParamError }
        return unsafe Unmanaged<QueueRecorder>.fromOpaque(context)._withUnsafeGuaranteedRef {
          unsafe $0.record(flags, time, frames)
        }
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
  }

  @_noLocks private func record(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>?,
    _ frames: UInt32
  ) -> OSStatus {
    guard let device = unsafe borrowedDevice, Int(frames) <= Self.mostFrames else {
      return kAudioUnitErr_TooManyFramesToProcess
    }
    let size = Int(frames) * 4 * channelCount
    var list = AudioBufferList()
    list.mNumberBuffers = 1
    unsafe list.mBuffers = AudioBuffer(
      mNumberChannels: UInt32(channelCount), mDataByteSize: UInt32(size),
      mData: UnsafeMutableRawPointer(memory))
    let status = unsafe device._withUnsafeGuaranteedRef {
      unsafe $0.render(flags, time, frames, &list)
    }
    guard status == noErr, let data = unsafe list.mBuffers.mData else { return status }
    guard !isPaused.load(ordering: .acquiring) else { return noErr }
    let samples = unsafe data.assumingMemoryBound(to: Float.self)
    unsafe levels._withUnsafeGuaranteedRef { unsafe $0.measure(samples, frames: Int(frames)) }
    unsafe queue._withUnsafeGuaranteedRef {
      _ = $0.frameTime.add(Int64(frames), ordering: .relaxed)
    }
    while true {
      let mark = roomWords.mark
      let isWritten = unsafe producer.write(data, count: size)
      signalWords.post()
      guard !isWritten, isPatient.load(ordering: .acquiring),
        !isStopped.load(ordering: .acquiring),
        roomWords.wait(since: mark, nanoseconds: Self.maximumWait)
      else { return noErr }
    }
  }

  /// Has a device that waits for room go on. Context: the queue's thread.
  func noteRoom() { room.post() }

  /// Has a device that waits go on without the queue. Context: control.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    room.post()
  }
}
