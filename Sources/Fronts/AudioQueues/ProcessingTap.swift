// A program's own processing in a queue, between decoder and device.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// One tap. Context of processing: the queue's thread, under its `work`.
@safe final class ProcessingTap: @unchecked Sendable {
  // @unchecked Sendable because the program keeps the context valid, and the rest is the queue's thread's.
  unowned let queue: Queue
  private let callback: AudioQueueProcessingTapCallback
  private let context: UnsafeMutableRawPointer?
  let flags: AudioQueueProcessingTapFlags
  private var source: UnsafeMutablePointer<Float>?
  private var left = 0
  private var time: Int64 = 0
  private var isInside = false
  private var isFirst = true
  /// The frames of a call at most.
  static let mostFrames: UInt32 = 1024

  init(
    _ queue: Queue, _ callback: @escaping AudioQueueProcessingTapCallback,
    _ context: UnsafeMutableRawPointer?, _ flags: AudioQueueProcessingTapFlags
  ) {
    self.queue = queue
    unsafe self.callback = unsafe callback
    unsafe self.context = unsafe context
    self.flags = flags
  }

  var handle: OpaquePointer? { unsafe OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

  private func list(_ data: UnsafeMutableRawPointer?, _ frames: Int) -> AudioBufferList {
    var list = AudioBufferList()
    list.mNumberBuffers = 1
    unsafe list.mBuffers = AudioBuffer(
      mNumberChannels: UInt32(queue.channelCount),
      mDataByteSize: unsafe data == nil ? 0 : UInt32(frames * 4 * queue.channelCount), mData: data)
    return list
  }

  /// Lets the program see, or make, frames in place.
  func process(_ samples: UnsafeMutablePointer<Float>, frameCount: Int) {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(time)
    stamp.mFlags = kAudioTimeStampSampleTimeValid
    var flags: AudioQueueProcessingTapFlags = isFirst ? kAudioQueueProcessingTap_StartOfStream : 0
    isFirst = false
    var made = UInt32(frameCount)
    isInside = true
    defer {
      isInside = false
      time += Int64(frameCount)
    }
    if self.flags & kAudioQueueProcessingTap_Siphon != 0 {
      var list = unsafe list(samples, frameCount)
      unsafe callback(context, handle, UInt32(frameCount), &stamp, &flags, &made, &list)
      return
    }
    unsafe source = unsafe samples
    left = frameCount
    var list = unsafe list(nil, 0)
    made = 0
    unsafe callback(context, handle, UInt32(frameCount), &stamp, &flags, &made, &list)
    let kept = min(Int(made), frameCount)
    if kept > 0, let data = unsafe list.mBuffers.mData,
      unsafe data != UnsafeMutableRawPointer(samples)
    {
      unsafe samples.update(
        from: data.assumingMemoryBound(to: Float.self), count: kept * queue.channelCount)
    }
    let missing = (frameCount - kept) * queue.channelCount
    unsafe (samples + kept * queue.channelCount).update(repeating: 0, count: missing)
  }

  /// Passes frames of the source to the program; in the queue's memory where it brings none.
  func passSource(
    _ frames: UInt32, _ ioTime: UnsafeMutablePointer<AudioTimeStamp>?,
    _ outFlags: UnsafeMutablePointer<AudioQueueProcessingTapFlags>?,
    _ outFrames: UnsafeMutablePointer<UInt32>?, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard isInside, let start = unsafe source else { return kAudioQueueErr_InvalidTapContext }
    let count = min(Int(frames), left)
    let size = count * 4 * queue.channelCount
    if let target = unsafe data.pointee.mBuffers.mData {
      unsafe target.copyMemory(from: start, byteCount: size)
    } else {
      unsafe data.pointee.mBuffers.mData = UnsafeMutableRawPointer(start)
    }
    unsafe data.pointee.mBuffers.mDataByteSize = UInt32(size)
    unsafe source = start + count * queue.channelCount
    left -= count
    unsafe ioTime?.pointee.mSampleTime = Double(time)
    unsafe outFlags?.pointee = 0
    unsafe outFrames?.pointee = UInt32(count)
    return noErr
  }

  /// The queue's time of the frames that were passed.
  func queueTime() -> (Double, UInt32) { (Double(time), UInt32(left)) }

  /// The tap of a handle that a callback received.
  static func of(_ handle: OpaquePointer?) -> ProcessingTap? {
    guard let handle = unsafe handle else { return nil }
    return unsafe Unmanaged<ProcessingTap>.fromOpaque(UnsafeRawPointer(handle))
      .takeUnretainedValue()
  }
}
