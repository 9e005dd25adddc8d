// The functions of AudioQueue.h that pull a queue by hand, and that put processing into one.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import Synchronization

/// Has a queue pulled by hand in a format; null returns it to its device.
///
/// - Returns: -66678 while it runs, -66677 for a queue that records, `fmt?`.
///
/// Context: control.
@c @implementation
public func AudioQueueSetOfflineRenderFormat(
  _ queue: AudioQueueRef?, _ format: UnsafePointer<AudioStreamBasicDescription>?,
  _ layout: UnsafePointer<AudioChannelLayout>?
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    guard found is OutputQueue else { throw QueueFailure(kAudioQueueErr_InvalidQueueType) }
    guard !found.isRunning else { throw QueueFailure(kAudioQueueErr_InvalidRunState) }
    let wanted = unsafe format?.pointee
    if let wanted, wanted.mFormatID != kAudioFormatLinearPCM {
      throw QueueFailure(kAudioFormatUnsupportedDataFormatError)
    }
    found.state.withLock { $0.offlineFormat = wanted }
  }
}

/// Renders frames into a buffer of the queue's: fewer where too little is enqueued, none at the end.
///
/// - Returns: -66626 for a queue that a device pulls, -66678 for one that was not started, -66687.
///
/// Context: control; output callbacks are called meanwhile.
@c @implementation
public func AudioQueueOfflineRender(
  _ queue: AudioQueueRef?, _ timeStamp: UnsafePointer<AudioTimeStamp>?,
  _ buffer: AudioQueueBufferRef?, _ numberFrames: UInt32
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    guard let player = found as? OutputQueue,
      let format = found.state.withLock({ $0.offlineFormat })
    else { throw QueueFailure(kAudioQueueErr_InvalidOfflineMode) }
    guard found.isRunning else { throw QueueFailure(kAudioQueueErr_InvalidRunState) }
    guard let buffer = unsafe buffer, unsafe found.buffers.contains(buffer) else {
      throw QueueFailure(kAudioQueueErr_InvalidBuffer)
    }
    let room =
      unsafe Int(buffer.pointee.mAudioDataBytesCapacity) / max(1, Int(format.mBytesPerFrame))
    let wanted = min(Int(numberFrames), room)
    unsafe buffer.pointee.mAudioDataByteSize = 0
    guard wanted > 0 else { return }
    var samples = [Float](repeating: 0, count: wanted * found.channelCount)
    let count = unsafe samples.withUnsafeMutableBufferPointer { memory -> Int in
      guard let start = memory.baseAddress else { return 0 }
      return unsafe player.decodeOffline(into: start, frameCount: wanted)
    }
    guard count > 0, let data = unsafe buffer.pointee.mAudioData else {
      // All of a queue that was to end is there now.
      let isOver = found.state.withLock { $0.run == .ending }
      if isOver, found.closeDevice() { found.changed(kAudioQueueProperty_IsRunning) }
      return
    }
    let gain = player.player.value(kAudioQueueParam_Volume) ?? 1
    if gain != 1 { for index in samples.indices { samples[index] *= gain } }
    unsafe buffer.pointee.mAudioDataByteSize = try unsafe convert(
      &samples, count, found, to: format, data, buffer.pointee.mAudioDataBytesCapacity)
  }
}

/// Puts frames into another format of the same rate.
private func convert(
  _ samples: inout [Float], _ count: Int, _ queue: Queue, to format: AudioStreamBasicDescription,
  _ target: UnsafeMutableRawPointer, _ capacity: UInt32
) throws(QueueFailure) -> UInt32 {
  var source = queue.floats(format.mSampleRate)
  var wanted = format
  var converter: AudioConverterRef?
  var status = unsafe AudioConverterNew(&source, &wanted, &converter)
  guard status == noErr, let converter = unsafe converter else { throw QueueFailure(status) }
  defer { unsafe _ = AudioConverterDispose(converter) }
  var size = capacity
  let bytes = UInt32(count * 4 * queue.channelCount)
  status = unsafe AudioConverterConvertBuffer(converter, bytes, &samples, &size, target)
  guard status == noErr else { throw QueueFailure(status) }
  return size
}

/// Puts a program's own processing into a queue that is stopped.
///
/// - Returns: -66670 for a second tap, -66678 while the queue runs, -50 for flags that name no place.
///
/// Context: control. The callback comes on the queue's thread.
@c @implementation
public func AudioQueueProcessingTapNew(
  _ queue: AudioQueueRef?, _ callback: AudioQueueProcessingTapCallback?,
  _ clientData: UnsafeMutableRawPointer?, _ flags: AudioQueueProcessingTapFlags,
  _ outMaxFrames: UnsafeMutablePointer<UInt32>?,
  _ outProcessingFormat: UnsafeMutablePointer<AudioStreamBasicDescription>?,
  _ outTap: UnsafeMutablePointer<AudioQueueProcessingTapRef?>?
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    let places =
      flags & (kAudioQueueProcessingTap_PreEffects | kAudioQueueProcessingTap_PostEffects)
    guard let callback = unsafe callback, let outTap = unsafe outTap,
      places == kAudioQueueProcessingTap_PreEffects
        || places == kAudioQueueProcessingTap_PostEffects
    else { throw QueueFailure(kAudio_ParamError) }
    guard !found.isRunning else { throw QueueFailure(kAudioQueueErr_InvalidRunState) }
    let tap = unsafe ProcessingTap(found, callback, clientData, flags)
    let isFirst = found.state.withLock { state -> Bool in
      guard state.tap == nil else { return false }
      state.tap = tap
      return true
    }
    guard isFirst else { throw QueueFailure(kAudioQueueErr_TooManyTaps) }
    unsafe outMaxFrames?.pointee = ProcessingTap.mostFrames
    unsafe outProcessingFormat?.pointee = found.floats(
      found.format.mSampleRate > 0 ? found.format.mSampleRate : 44_100)
    unsafe outTap.pointee = unsafe tap.handle
  }
}

/// Removes processing from its queue, which is stopped.
///
/// Context: control.
@c @implementation
public func AudioQueueProcessingTapDispose(_ tap: AudioQueueProcessingTapRef?) -> OSStatus {
  guard let queue = unsafe ProcessingTap.of(tap)?.queue else { return kAudio_ParamError }
  guard !queue.isRunning else { return kAudioQueueErr_InvalidRunState }
  queue.state.withLock { $0.tap = nil }
  return noErr
}

/// Passes frames of the source to a tap's callback.
///
/// - Returns: -66669 outside of the callback.
///
/// Context: the tap's callback.
@c @implementation
public func AudioQueueProcessingTapGetSourceAudio(
  _ tap: AudioQueueProcessingTapRef?, _ numberFrames: UInt32,
  _ ioTimeStamp: UnsafeMutablePointer<AudioTimeStamp>?,
  _ outFlags: UnsafeMutablePointer<AudioQueueProcessingTapFlags>?,
  _ outNumberFrames: UnsafeMutablePointer<UInt32>?, _ ioData: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  guard let found = unsafe ProcessingTap.of(tap), let ioData = unsafe ioData else {
    return kAudio_ParamError
  }
  return unsafe found.passSource(numberFrames, ioTimeStamp, outFlags, outNumberFrames, ioData)
}

/// The queue's time of the frames of this call.
///
/// - Returns: -66667 for the tap of a queue that records.
///
/// Context: the tap's callback.
@c @implementation
public func AudioQueueProcessingTapGetQueueTime(
  _ tap: AudioQueueProcessingTapRef?, _ outQueueSampleTime: UnsafeMutablePointer<Float64>?,
  _ outQueueFrameCount: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  guard let found = unsafe ProcessingTap.of(tap) else { return kAudio_ParamError }
  guard !found.queue.isInput else { return kAudioQueueErr_InvalidTapType }
  let (time, count) = found.queueTime()
  unsafe outQueueSampleTime?.pointee = time
  unsafe outQueueFrameCount?.pointee = count
  return noErr
}
