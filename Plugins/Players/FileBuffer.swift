// Frames of a file on their way to the render thread: a slice with its own memory.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import Synchronization

/// One buffer of a file player. The render thread says when it has played it.
@safe struct FileBuffer: ~Copyable {
  let slice: SlicePointer
  let memory: UnsafeMutablePointer<Float>
  private let list: UnsafeMutablePointer<AudioBufferList>
  /// Whether the render thread is done with it.
  let isPlayed = Atomic(true)
  /// Whether it was handed over and its end was not seen yet.
  var isUnderWay = false
  /// The region that it is of, while it is under way.
  var region: FileRegion?
  /// Raised when it was played.
  private let wake: UnsafeMutablePointer<sem_t>

  init(channelCount: Int, frameCount: Int, wake: UnsafeMutablePointer<sem_t>) {
    unsafe self.wake = unsafe wake
    let channels = max(channelCount, 1)
    unsafe memory = .allocate(capacity: channels * frameCount)
    unsafe memory.initialize(repeating: 0, count: channels * frameCount)
    let bytes = unsafe 8 + channels * MemoryLayout<AudioBuffer>.stride
    unsafe list = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 8)
      .bindMemory(to: AudioBufferList.self, capacity: 1)
    unsafe list.pointee.mNumberBuffers = UInt32(channels)
    for channel in 0..<channels {
      unsafe (UnsafeMutableRawPointer(list) + 8).storeBytes(
        of: AudioBuffer(
          mNumberChannels: 1, mDataByteSize: UInt32(frameCount * 4),
          mData: memory + channel * frameCount),
        toByteOffset: channel * MemoryLayout<AudioBuffer>.stride, as: AudioBuffer.self)
    }
    unsafe slice = .allocate(capacity: 1)
    unsafe slice.initialize(to: ScheduledAudioSlice())
  }

  deinit {
    unsafe memory.deallocate()
    unsafe UnsafeMutableRawPointer(list).deallocate()
    unsafe slice.deallocate()
  }

  /// Makes the slice ready to be handed over.
  mutating func prepare(
    _ address: UnsafeMutablePointer<FileBuffer>, frames: Int, of region: FileRegion
  ) {
    var stamp = AudioTimeStamp()
    if let time = region.time {
      stamp.mSampleTime = time + Double(region.offset)
      stamp.mFlags = kAudioTimeStampSampleTimeValid
    }
    unsafe slice.pointee = ScheduledAudioSlice()
    unsafe slice.pointee.mTimeStamp = stamp
    unsafe slice.pointee.mCompletionProc = { data, _ in
      // On the render thread: a semaphore is raised without waiting.
      guard let buffer = unsafe data?.assumingMemoryBound(to: FileBuffer.self) else { return }
      let wake = unsafe buffer.pointee.wake
      unsafe buffer.pointee.isPlayed.store(true, ordering: .releasing)
      unsafe sem_post(wake)
    }
    unsafe slice.pointee.mCompletionProcUserData = UnsafeMutableRawPointer(address)
    unsafe slice.pointee.mReserved = region.number
    unsafe slice.pointee.mNumberFrames = UInt32(frames)
    unsafe slice.pointee.mBufferList = unsafe list
    isPlayed.store(false, ordering: .relaxed)
    isUnderWay = true
    self.region = region
  }

  /// Reclaims it from the render thread, which is done with it.
  mutating func release() {
    guard isUnderWay else { return }
    isUnderWay = false
    if unsafe slice.pointee.mFlags & kScheduledAudioSliceFlag_BeganToRender != 0 {
      region?.hasBegun = true
    }
    region?.buffersUnderWay -= 1
    region = nil
  }
}
