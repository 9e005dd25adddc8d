// The functions of AudioQueue.h that make and end queues, and move buffers.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MacSystem
import RealtimeSupport
import Synchronization

/// Makes a queue that plays.
///
/// - Returns: `fmt?` for planar PCM, and for a format that nobody decodes; -50.
///
/// Context: control.
@c @implementation
public func AudioQueueNewOutput(
  _ format: UnsafePointer<AudioStreamBasicDescription>?, _ callback: AudioQueueOutputCallback?,
  _ userData: UnsafeMutableRawPointer?, _ callbackRunLoop: CFRunLoopRef?,
  _ callbackRunLoopMode: CFStringRef?, _ flags: UInt32,
  _ outQueue: UnsafeMutablePointer<AudioQueueRef?>?
) -> OSStatus {
  guard let callback = unsafe callback else { return kAudio_ParamError }
  let made = unsafe OutputCallback { queue, buffer in unsafe callback(userData, queue, buffer) }
  return unsafe newQueue(format, outQueue) { (format) throws(QueueFailure) in
    unsafe try OutputQueue(format, delivery(callbackRunLoop, callbackRunLoopMode), made)
  }
}

/// Makes a queue that records.
///
/// - Returns: `fmt?` for planar PCM, and for a format that nobody encodes; -50.
///
/// Context: control.
@c @implementation
public func AudioQueueNewInput(
  _ format: UnsafePointer<AudioStreamBasicDescription>?, _ callback: AudioQueueInputCallback?,
  _ userData: UnsafeMutableRawPointer?, _ callbackRunLoop: CFRunLoopRef?,
  _ callbackRunLoopMode: CFStringRef?, _ flags: UInt32,
  _ outQueue: UnsafeMutablePointer<AudioQueueRef?>?
) -> OSStatus {
  guard let callback = unsafe callback else { return kAudio_ParamError }
  let made = unsafe InputCallback { queue, buffer, time, count, packets in
    unsafe callback(userData, queue, buffer, time, count, packets)
  }
  return unsafe newQueue(format, outQueue) { (format) throws(QueueFailure) in
    unsafe try InputQueue(format, delivery(callbackRunLoop, callbackRunLoopMode), made)
  }
}

private func delivery(_ loop: CFRunLoopRef?, _ mode: CFStringRef?) -> CallbackDelivery {
  guard let loop = unsafe loop else { return CallbackDelivery() }
  return unsafe CallbackDelivery(loop, mode)
}

private func newQueue(
  _ format: UnsafePointer<AudioStreamBasicDescription>?,
  _ outQueue: UnsafeMutablePointer<AudioQueueRef?>?,
  _ make: (AudioStreamBasicDescription) throws(QueueFailure) -> Queue
) -> OSStatus {
  guard var format = unsafe format?.pointee, let outQueue = unsafe outQueue else {
    return kAudio_ParamError
  }
  format.completeSizes()
  let isPlanar =
    format.mFormatID == kAudioFormatLinearPCM
    && format.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0 && format.mChannelsPerFrame > 1
  guard !isPlanar else { return kAudioFormatUnsupportedDataFormatError }
  do throws(QueueFailure) {
    unsafe outQueue.pointee = Queues.keep(try make(format))
    return noErr
  } catch {
    return error.status
  }
}

extension AudioStreamBasicDescription {
  /// Fills in the sizes of packed PCM where all of them are 0, as a Mac does.
  fileprivate mutating func completeSizes() {
    guard mFormatID == kAudioFormatLinearPCM, mBytesPerFrame == 0, mBytesPerPacket == 0
    else { return }
    mBytesPerFrame = (mBitsPerChannel + 7) / 8 &* mChannelsPerFrame
    mBytesPerPacket = mBytesPerFrame
    mFramesPerPacket = 1
  }
}

// The declarations are hidden from Swift: `@c` cannot check a signature with a block.

/// Makes a queue that plays, and calls a block on a dispatch queue.
///
/// Context: control. The corresponding Core Audio function is `AudioQueueNewOutputWithDispatchQueue`.
@_cdecl("AudioQueueNewOutputWithDispatchQueue")
public func newOutputWithDispatchQueue(
  _ outQueue: UnsafeMutablePointer<AudioQueueRef?>?,
  _ format: UnsafePointer<AudioStreamBasicDescription>?, _ flags: UInt32,
  _ dispatch: UnsafeMutableRawPointer?, _ block: UnsafeRawPointer?
) -> OSStatus {
  guard let block = unsafe Block(block), let target = unsafe DispatchQueueHandle(dispatch) else {
    return kAudio_ParamError
  }
  typealias Function =
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<AudioQueueBuffer>
    ) -> Void
  let made = unsafe OutputCallback { queue, buffer in
    unsafe block.function(as: Function.self)(block.pointer, queue, buffer)
  }
  return unsafe newQueue(format, outQueue) { (format) throws(QueueFailure) in
    try OutputQueue(format, CallbackDelivery(target), made)
  }
}

/// Makes a queue that records, and calls a block on a dispatch queue.
///
/// Context: control. The corresponding Core Audio function is `AudioQueueNewInputWithDispatchQueue`.
@_cdecl("AudioQueueNewInputWithDispatchQueue")
public func newInputWithDispatchQueue(
  _ outQueue: UnsafeMutablePointer<AudioQueueRef?>?,
  _ format: UnsafePointer<AudioStreamBasicDescription>?, _ flags: UInt32,
  _ dispatch: UnsafeMutableRawPointer?, _ block: UnsafeRawPointer?
) -> OSStatus {
  guard let block = unsafe Block(block), let target = unsafe DispatchQueueHandle(dispatch) else {
    return kAudio_ParamError
  }
  typealias Function =
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<AudioQueueBuffer>,
      UnsafePointer<AudioTimeStamp>, UInt32, UnsafePointer<AudioStreamPacketDescription>?
    ) -> Void
  let made = unsafe InputCallback { queue, buffer, time, count, packets in
    unsafe block.function(as: Function.self)(block.pointer, queue, buffer, time, count, packets)
  }
  return unsafe newQueue(format, outQueue) { (format) throws(QueueFailure) in
    try InputQueue(format, CallbackDelivery(target), made)
  }
}

/// Ends a queue: at once, or when all enqueued buffers were played. The handle is no queue any
/// more.
///
/// Context: control; also in a callback.
@c @implementation
public func AudioQueueDispose(_ queue: AudioQueueRef?, _ immediate: Bool) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    if !immediate, found.isRunning {
      try end(found)
      while found.isRunning {
        let mark = found.signal.mark
        found.signal.wait(since: mark, nanoseconds: 50_000_000)
      }
    }
    guard found.beginDisposal() else { throw QueueFailure(kAudio_ParamError) }
    // A callback that runs meanwhile still uses the handle.
    _ = found.closeDevice()
    found.endThread()
    found.delivery.close()
    unsafe Queues.remove(queue)
  }
}

/// Makes a buffer of a queue's.
///
/// Context: control.
@c @implementation
public func AudioQueueAllocateBuffer(
  _ queue: AudioQueueRef?, _ byteCount: UInt32,
  _ outBuffer: UnsafeMutablePointer<AudioQueueBufferRef?>?
) -> OSStatus {
  unsafe AudioQueueAllocateBufferWithPacketDescriptions(queue, byteCount, 0, outBuffer)
}

/// Makes a buffer with room for descriptions of packets.
///
/// Context: control.
@c @implementation
public func AudioQueueAllocateBufferWithPacketDescriptions(
  _ queue: AudioQueueRef?, _ byteCount: UInt32, _ numberPacketDescriptions: UInt32,
  _ outBuffer: UnsafeMutablePointer<AudioQueueBufferRef?>?
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    guard let outBuffer = unsafe outBuffer else { throw QueueFailure(kAudio_ParamError) }
    guard let made = unsafe found.buffers.allocate(byteCount, numberPacketDescriptions) else {
      throw QueueFailure(kAudio_MemFullError)
    }
    unsafe outBuffer.pointee = unsafe made
  }
}

/// Frees a buffer that the program has.
///
/// - Returns: -66687 for a buffer of another queue, -66679 for one that is enqueued.
///
/// Context: control.
@c @implementation
public func AudioQueueFreeBuffer(
  _ queue: AudioQueueRef?, _ buffer: AudioQueueBufferRef?
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    guard let buffer = unsafe buffer else { throw QueueFailure(kAudioQueueErr_InvalidBuffer) }
    let status = unsafe found.buffers.free(buffer)
    guard status == noErr else { throw QueueFailure(status) }
  }
}

/// Enqueues a buffer.
///
/// Context: any but a device's thread.
@c @implementation
public func AudioQueueEnqueueBuffer(
  _ queue: AudioQueueRef?, _ buffer: AudioQueueBufferRef?, _ numberPacketDescriptions: UInt32,
  _ packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?
) -> OSStatus {
  unsafe AudioQueueEnqueueBufferWithParameters(
    queue, buffer, numberPacketDescriptions, packetDescriptions, 0, 0, 0, nil, nil, nil)
}

/// Enqueues a buffer, with its parameter changes and its time.
///
/// - Returns: -66687, -66632 while the queue returns buffers, -66666 for one that it has already; -50 for packets that
///   differ in size and are not described.
///
/// A buffer without bytes is returned when the buffers before it were played.
///
/// Context: any but a device's thread.
@c @implementation
public func AudioQueueEnqueueBufferWithParameters(
  _ queue: AudioQueueRef?, _ buffer: AudioQueueBufferRef?, _ numberPacketDescriptions: UInt32,
  _ packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?, _ trimFramesAtStart: UInt32,
  _ trimFramesAtEnd: UInt32, _ numberParameters: UInt32,
  _ parameters: UnsafePointer<AudioQueueParameterEvent>?,
  _ startTime: UnsafePointer<AudioTimeStamp>?,
  _ outActualStartTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    guard let buffer = unsafe buffer, unsafe found.buffers.contains(buffer) else {
      throw QueueFailure(kAudioQueueErr_InvalidBuffer)
    }
    guard !found.state.withLock({ $0.isResetting }) else {
      throw QueueFailure(kAudioQueueErr_EnqueueDuringReset)
    }
    var entry = unsafe EnqueuedBuffer(buffer)
    if !found.isInput {
      try unsafe describe(&entry, found, numberPacketDescriptions, packetDescriptions)
      entry.trimAtStart = Int64(trimFramesAtStart)
      entry.trimAtEnd = Int64(trimFramesAtEnd)
      if let parameters = unsafe parameters {
        entry.parameters = unsafe Array(
          UnsafeBufferPointer(start: parameters, count: Int(numberParameters)))
      }
      if let time = unsafe startTime?.pointee, time.mFlags & kAudioTimeStampSampleTimeValid != 0 {
        entry.start = time.mSampleTime
      }
    }
    guard unsafe found.buffers.enqueue(buffer) else {
      throw QueueFailure(kAudioQueueErr_BufferEnqueuedTwice)
    }
    if let outActualStartTime = unsafe outActualStartTime {
      var time = AudioTimeStamp()
      time.mSampleTime = entry.start ?? Double(found.frameTime.load(ordering: .relaxed))
      time.mFlags = kAudioTimeStampSampleTimeValid
      unsafe outActualStartTime.pointee = time
    }
    found.state.withLock { $0.pending.append(entry) }
    (found as? OutputQueue)?.player.goOn()
    found.signal.post()
  }
}

/// Reads the bytes and the packets of a buffer that is to be played.
private func describe(
  _ entry: inout EnqueuedBuffer, _ queue: Queue, _ count: UInt32,
  _ packets: UnsafePointer<AudioStreamPacketDescription>?
) throws(QueueFailure) {
  let buffer = unsafe entry.buffer.pointee
  // As on a Mac: the program has it back when its turn comes.
  guard unsafe buffer.mAudioDataByteSize > 0 else { return }
  guard unsafe buffer.mAudioDataByteSize <= buffer.mAudioDataBytesCapacity else {
    throw QueueFailure(kAudio_ParamError)
  }
  guard queue.format.mBytesPerPacket == 0 else { return }
  if let packets = unsafe packets, count > 0 {
    entry.packets = unsafe Array(UnsafeBufferPointer(start: packets, count: Int(count)))
  } else if let own = unsafe buffer.mPacketDescriptions, unsafe buffer.mPacketDescriptionCount > 0 {
    let number = unsafe Int(min(buffer.mPacketDescriptionCount, buffer.mPacketDescriptionCapacity))
    entry.packets = unsafe Array(UnsafeBufferPointer(start: own, count: number))
  } else {
    throw QueueFailure(kAudio_ParamError)
  }
  let size = unsafe Int64(buffer.mAudioDataByteSize)
  for packet in entry.packets {
    guard packet.mStartOffset >= 0, packet.mStartOffset + Int64(packet.mDataByteSize) <= size else {
      throw QueueFailure(kAudio_ParamError)
    }
  }
}

/// Lets a queue come to its end.
func end(_ queue: Queue) throws(QueueFailure) {
  let wasPaused = queue.state.withLock { state -> Bool in
    defer { if state.run != .stopped { state.run = .ending } }
    return state.run == .paused
  }
  if wasPaused { (queue as? OutputQueue)?.player.setPaused(false) }
  queue.signal.post()
}
