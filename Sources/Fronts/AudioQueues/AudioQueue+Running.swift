// The functions of AudioQueue.h that run queues, and read their time.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
public import CAudioToolbox
import HardwareObjects
import MacSystem
import RealtimeSupport
import Synchronization

/// Starts a queue, or has it go on after a pause.
///
/// - Returns: -66680 for a device that is not there, -66681 for one that cannot be used.
///
/// Context: control; also in a callback.
@c @implementation
public func AudioQueueStart(
  _ queue: AudioQueueRef?, _ startTime: UnsafePointer<AudioTimeStamp>?
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    guard !found.state.withLock({ $0.isGoing }) else { throw QueueFailure(kAudio_ParamError) }
    let time = unsafe startTime?.pointee
    if let player = found as? OutputQueue { try player.start(time) }
    if let recorder = found as? InputQueue { try recorder.start(time) }
  }
}

/// Decodes ahead, so that a start is followed by sound at once.
///
/// - Returns: -66677 for a queue that records.
///
/// Context: control.
@c @implementation
public func AudioQueuePrime(
  _ queue: AudioQueueRef?, _ numberFrames: UInt32, _ outNumberFrames: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    guard let player = found as? OutputQueue else {
      throw QueueFailure(kAudioQueueErr_InvalidQueueType)
    }
    let count = player.prime(Int(numberFrames))
    unsafe outNumberFrames?.pointee = UInt32(count)
  }
}

/// Stops a queue: at once, with all buffers returned meanwhile, or when all enqueued buffers were
/// played or filled.
///
/// Context: control; also in a callback.
@c @implementation
public func AudioQueueStop(_ queue: AudioQueueRef?, _ immediate: Bool) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    guard immediate else { return try end(found) }
    let wasRunning = found.closeDevice()
    found.waitForTurn()
    reset(found)
    if wasRunning { found.changed(kAudioQueueProperty_IsRunning) }
    found.signal.post()
  }
}

private func reset(_ queue: Queue) {
  (queue as? OutputQueue)?.reset()
  (queue as? InputQueue)?.reset()
}

/// Pauses a queue: buffers, decoder and time stay.
///
/// Context: control; also in a callback.
@c @implementation
public func AudioQueuePause(_ queue: AudioQueueRef?) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    (found as? InputQueue)?.pause()
    if let player = found as? OutputQueue {
      player.player.setPaused(true)
      found.state.withLock { if $0.run == .running { $0.run = .paused } }
    }
  }
}

/// Has the decoder render all enqueued buffers, before later ones.
///
/// Context: control; also in a callback.
@c @implementation
public func AudioQueueFlush(_ queue: AudioQueueRef?) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    found.state.withLock { $0.wantsFlush = true }
    found.signal.post()
  }
}

/// Returns all buffers and forgets decoded frames; a queue that runs goes on.
///
/// Context: control; also in a callback.
@c @implementation
public func AudioQueueReset(_ queue: AudioQueueRef?) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in reset(found) }
}

// MARK: Time

/// Frames since the start. A timeline shows when the device was changed, too.
///
/// - Returns: -66678 for a queue that does not run.
///
/// Context: any.
@c @implementation
public func AudioQueueGetCurrentTime(
  _ queue: AudioQueueRef?, _ timeline: AudioQueueTimelineRef?,
  _ outTime: UnsafeMutablePointer<AudioTimeStamp>?,
  _ outTimelineDiscontinuity: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    guard found.isRunning else { throw QueueFailure(kAudioQueueErr_InvalidRunState) }
    if let outTimelineDiscontinuity = unsafe outTimelineDiscontinuity {
      unsafe outTimelineDiscontinuity.pointee = unsafe timeline != nil && hasBroken(found)
    }
    var time = AudioTimeStamp()
    time.mSampleTime = Double(found.frameTime.load(ordering: .relaxed))
    time.mFlags = kAudioTimeStampSampleTimeValid
    unsafe outTime?.pointee = time
  }
}

/// Whether the device was changed, or had to be started anew, since this was asked the last time.
private func hasBroken(_ queue: Queue) -> Bool {
  guard let device = queue.device.withLock({ $0?.device }) else { return false }
  let present = Queue.DeviceMark(
    device: device, breaks: HardwareSystem.shared.device(device)?.engine?.breaks ?? 0)
  return queue.state.withLock { state -> Bool in
    defer { state.timelineMark = present }
    return state.timelineMark.map { $0 != present } ?? false
  }
}

/// Makes a timeline, which is the queue's own.
///
/// Context: control.
@c @implementation
public func AudioQueueCreateTimeline(
  _ queue: AudioQueueRef?, _ outTimeline: UnsafeMutablePointer<AudioQueueTimelineRef?>?
) -> OSStatus {
  unsafe Queues.call(queue) { (_) throws(QueueFailure) in
    guard let outTimeline = unsafe outTimeline else { throw QueueFailure(kAudio_ParamError) }
    unsafe outTimeline.pointee = unsafe queue
  }
}

/// Forgets a timeline.
///
/// Context: control.
@c @implementation
public func AudioQueueDisposeTimeline(
  _ queue: AudioQueueRef?, _ timeline: AudioQueueTimelineRef?
) -> OSStatus {
  unsafe Queues.call(queue) { (_) throws(QueueFailure) in
    guard unsafe timeline == queue else { throw QueueFailure(kAudio_ParamError) }
  }
}

private func deviceOf(_ queue: Queue) throws(QueueFailure) -> AudioObjectID {
  if let device = queue.device.withLock({ $0?.device }) { return device }
  guard let device = HardwareSystem.shared.defaultDevice(isInput: queue.isInput) else {
    throw QueueFailure(kAudioQueueErr_InvalidDevice)
  }
  return device.id
}

/// The time of the queue's device; of one that does not run, the host's alone.
///
/// Context: any.
@c @implementation
public func AudioQueueDeviceGetCurrentTime(
  _ queue: AudioQueueRef?, _ outTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    guard let outTime = unsafe outTime else { throw QueueFailure(kAudio_ParamError) }
    guard unsafe AudioDeviceGetCurrentTime(try deviceOf(found), outTime) != noErr else { return }
    var time = AudioTimeStamp()
    time.mHostTime = AudioGetCurrentHostTime()
    time.mFlags = kAudioTimeStampHostTimeValid
    unsafe outTime.pointee = time
  }
}

/// Converts a time of the queue's device to its other clocks.
///
/// Context: any.
@c @implementation
public func AudioQueueDeviceTranslateTime(
  _ queue: AudioQueueRef?, _ time: UnsafePointer<AudioTimeStamp>?,
  _ outTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    let status = unsafe AudioDeviceTranslateTime(try deviceOf(found), time, outTime)
    guard status == noErr else { throw QueueFailure(status) }
  }
}

/// The first time at which the queue's device can start something.
///
/// Context: any.
@c @implementation
public func AudioQueueDeviceGetNearestStartTime(
  _ queue: AudioQueueRef?, _ ioRequestedStartTime: UnsafeMutablePointer<AudioTimeStamp>?,
  _ flags: UInt32
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    let status = unsafe AudioDeviceGetNearestStartTime(
      try deviceOf(found), ioRequestedStartTime, flags)
    guard status == noErr else { throw QueueFailure(status) }
  }
}
