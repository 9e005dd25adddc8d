// The render side of an input queue: from the device into the ring.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import RealtimeSupport
import Synchronization

/// Keeps what a device records until the queue's thread takes it.
///
/// @unchecked Sendable because each end of the ring is one thread's, and all else is atomic or fixed.
@safe final class QueueRecorder: @unchecked Sendable {
  private unowned let queue: Queue
  private let channelCount: Int
  let ring: SPSCRing
  private let memory: UnsafeMutablePointer<Float>
  private static let mostFrames = 1 << 14
  /// What renders; set before it starts.
  var device: QueueDevice?
  /// Whether what comes is dropped.
  let isPaused = Atomic<Bool>(false)
  /// Whether the device may be kept waiting for room.
  let isPatient = Atomic<Bool>(false)

  init(_ queue: Queue) {
    self.queue = queue
    channelCount = queue.channelCount
    ring = SPSCRing(minimumCapacity: 4 * channelCount * max(1 << 15, Int(queue.format.mSampleRate)))
    unsafe memory = .allocate(capacity: Self.mostFrames * channelCount)
    unsafe memory.initialize(repeating: 0, count: Self.mostFrames * channelCount)
  }

  deinit { unsafe memory.deallocate() }

  /// What the device's unit calls.
  var inputCallback: AURenderCallbackStruct {
    unsafe AURenderCallbackStruct(
      inputProc: { context, flags, time, _, frames, _ in
        guard let context = unsafe context else { return kAudio_ParamError }
        return unsafe Unmanaged<QueueRecorder>.fromOpaque(context)._withUnsafeGuaranteedRef {
          unsafe $0.record(flags, time, frames)
        }
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
  }

  private func record(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>?,
    _ frames: UInt32
  ) -> OSStatus {
    guard let device, Int(frames) <= Self.mostFrames else {
      return kAudioUnitErr_TooManyFramesToProcess
    }
    let size = Int(frames) * 4 * channelCount
    var list = AudioBufferList()
    list.mNumberBuffers = 1
    unsafe list.mBuffers = AudioBuffer(
      mNumberChannels: UInt32(channelCount), mDataByteSize: UInt32(size),
      mData: UnsafeMutableRawPointer(memory))
    let status = unsafe device.render(flags, time, frames, &list)
    guard status == noErr, let data = unsafe list.mBuffers.mData else { return status }
    guard !isPaused.load(ordering: .acquiring) else { return noErr }
    unsafe queue.levels.measure(data.assumingMemoryBound(to: Float.self), frames: Int(frames))
    queue.frameTime.add(Int64(frames), ordering: .relaxed)
    var patience = isPatient.load(ordering: .acquiring) ? 10_000 : 0
    while unsafe !ring.producer.write(data, count: size), patience > 0 {
      guard queue.state.withLockIfAvailable({ $0.run == .running }) ?? true else { break }
      patience -= 1
      usleep(200)
    }
    return noErr
  }
}
