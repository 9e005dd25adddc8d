// The functions of AudioQueue.h for parameters and properties.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import HardwareObjects
import Synchronization

/// A parameter's value.
///
/// - Returns: -66682 for one that there is not, -66677 for a queue that records.
///
/// Context: any.
@c @implementation
public func AudioQueueGetParameter(
  _ queue: AudioQueueRef?, _ parameter: AudioQueueParameterID,
  _ outValue: UnsafeMutablePointer<AudioQueueParameterValue>?
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    guard let player = (found as? OutputQueue)?.player else {
      throw QueueFailure(kAudioQueueErr_InvalidQueueType)
    }
    guard let outValue = unsafe outValue, let value = player.value(parameter) else {
      throw QueueFailure(kAudioQueueErr_InvalidParameter)
    }
    unsafe outValue.pointee = value
  }
}

/// Sets a parameter, from the next slice on; speed and pitch from the next decoded frames on.
///
/// - Returns: As `AudioQueueGetParameter`; -66682 for a speed or a pitch without `kAudioQueueProperty_EnableTimePitch`.
///
/// Context: any.
@c @implementation
public func AudioQueueSetParameter(
  _ queue: AudioQueueRef?, _ parameter: AudioQueueParameterID, _ value: AudioQueueParameterValue
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    guard let player = (found as? OutputQueue)?.player else {
      throw QueueFailure(kAudioQueueErr_InvalidQueueType)
    }
    let status = player.set(parameter, value)
    guard status == noErr else { throw QueueFailure(status) }
  }
}

/// The bytes of a property; strings aside.
private func value(
  _ queue: Queue, _ property: AudioQueuePropertyID
) throws(QueueFailure) -> [UInt8] {
  func bytes<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
    unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
  }
  let device = queue.device.withLock { $0?.device }
  let hardware =
    device.flatMap { HardwareSystem.shared.device($0) }
    ?? HardwareSystem.shared.defaultDevice(isInput: queue.isInput)
  switch property {
  case kAudioQueueProperty_IsRunning: return bytes(queue.isRunning ? 1 : 0 as UInt32)
  case kAudioQueueDeviceProperty_SampleRate: return bytes(hardware?.sampleRate ?? 0.0)
  case kAudioQueueDeviceProperty_NumberChannels:
    return bytes(UInt32(hardware?.channelCount(isInput: queue.isInput) ?? 0))
  case kAudioQueueProperty_StreamDescription: return bytes(queue.format)
  case kAudioQueueProperty_MaximumOutputPacketSize:
    guard let recorder = queue as? InputQueue else {
      throw QueueFailure(kAudioQueueErr_InvalidQueueType)
    }
    return bytes(recorder.largestPacket)
  case kAudioQueueProperty_MagicCookie:
    if let recorder = queue as? InputQueue {
      return recorder.converterProperty(kAudioConverterCompressionMagicCookie) ?? []
    }
    return queue.state.withLock { $0.cookie }
  case kAudioQueueProperty_ChannelLayout:
    let layout = queue.state.withLock { $0.layout }
    guard !layout.isEmpty else { throw QueueFailure(kAudioQueueErr_InvalidProperty) }
    return layout
  case kAudioQueueProperty_EnableLevelMetering:
    return bytes(queue.levels.isOn.load(ordering: .relaxed) ? 1 : 0 as UInt32)
  case kAudioQueueProperty_CurrentLevelMeter, kAudioQueueProperty_CurrentLevelMeterDB:
    guard queue.levels.isOn.load(ordering: .relaxed) else {
      throw QueueFailure(kAudioQueueErr_InvalidProperty)
    }
    return queue.levels.states(inDecibels: property == kAudioQueueProperty_CurrentLevelMeterDB)
      .flatMap { bytes($0) }
  case kAudioQueueProperty_DecodeBufferSizeFrames:
    return bytes(queue.state.withLock { $0.aheadFrames })
  case kAudioQueueProperty_ConverterError: return bytes(queue.state.withLock { $0.converterError })
  case kAudioQueueProperty_EnableTimePitch:
    return bytes(queue.state.withLock { $0.hasPitch } ? 1 : 0 as UInt32)
  case kAudioQueueProperty_TimePitchAlgorithm:
    return bytes(queue.state.withLock { $0.pitchAlgorithm })
  case kAudioQueueProperty_TimePitchBypass:
    let player = (queue as? OutputQueue)?.player
    return bytes(player?.isPitchBypassed.load(ordering: .relaxed) ?? false ? 1 : 0 as UInt32)
  case kAudioQueueProperty_HardwareCodecPolicy: return bytes(0 as UInt32)
  default:
    // The answer of the recorder's converter.
    guard let found = (queue as? InputQueue)?.converterProperty(property) else {
      throw QueueFailure(kAudioQueueErr_InvalidProperty)
    }
    return found
  }
}

/// Copies the value of a property; the string of the device is the caller's to release.
///
/// - Returns: -66684 for one that there is not, -66683 where there is no room.
///
/// Context: any but a device's thread.
@c @implementation
public func AudioQueueGetProperty(
  _ queue: AudioQueueRef?, _ property: AudioQueuePropertyID, _ outData: UnsafeMutableRawPointer?,
  _ ioDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    guard let outData = unsafe outData, let ioDataSize = unsafe ioDataSize else {
      throw QueueFailure(kAudio_ParamError)
    }
    if property == kAudioQueueProperty_CurrentDevice {
      guard unsafe ioDataSize.pointee >= 8 else {
        throw QueueFailure(kAudioQueueErr_InvalidPropertySize)
      }
      let uid =
        found.state.withLock { $0.deviceUID }
        ?? HardwareSystem.shared.defaultDevice(isInput: found.isInput)?.uid
      let string = unsafe uid.flatMap { unsafe makeCFString($0) }
      unsafe outData.storeBytes(of: UInt(bitPattern: string), as: UInt.self)
      unsafe ioDataSize.pointee = 8
      return
    }
    let bytes = try value(found, property)
    guard unsafe Int(ioDataSize.pointee) >= bytes.count else {
      throw QueueFailure(kAudioQueueErr_InvalidPropertySize)
    }
    unsafe outData.copyMemory(from: bytes, byteCount: bytes.count)
    unsafe ioDataSize.pointee = UInt32(bytes.count)
  }
}

/// The size of a property's value.
///
/// Context: any but a device's thread.
@c @implementation
public func AudioQueueGetPropertySize(
  _ queue: AudioQueueRef?, _ property: AudioQueuePropertyID,
  _ outDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    let size =
      property == kAudioQueueProperty_CurrentDevice ? 8 : try value(found, property).count
    unsafe outDataSize?.pointee = UInt32(size)
  }
}

/// Sets a property.
///
/// - Returns: -66684 for an unknown or read-only one, -66683, -66675; -66678 for a device while the
///   queue runs.
///
/// Context: control; also in a callback.
@c @implementation
public func AudioQueueSetProperty(
  _ queue: AudioQueueRef?, _ property: AudioQueuePropertyID, _ data: UnsafeRawPointer?,
  _ dataSize: UInt32
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    guard let data = unsafe data else { throw QueueFailure(kAudio_ParamError) }
    func word() throws(QueueFailure) -> UInt32 {
      guard dataSize == 4 else { throw QueueFailure(kAudioQueueErr_InvalidPropertySize) }
      return unsafe data.loadUnaligned(as: UInt32.self)
    }
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: data, count: Int(dataSize)))
    switch property {
    case kAudioQueueProperty_CurrentDevice:
      guard dataSize == 8 else { throw QueueFailure(kAudioQueueErr_InvalidPropertySize) }
      unsafe try setDevice(found, unsafe data.loadUnaligned(as: CFStringRef?.self))
    case kAudioQueueProperty_MagicCookie:
      guard let player = found as? OutputQueue else {
        throw QueueFailure(kAudioQueueErr_InvalidQueueType)
      }
      let status = player.work.withLock { _ in player.stream.setCookie(bytes) }
      guard status == noErr else { throw QueueFailure(status) }
      found.state.withLock { $0.cookie = bytes }
    case kAudioQueueProperty_ChannelLayout:
      guard bytes.count >= 12 else { throw QueueFailure(kAudioQueueErr_InvalidPropertySize) }
      found.state.withLock { $0.layout = bytes }
    case kAudioQueueProperty_EnableLevelMetering:
      found.levels.isOn.store(try word() != 0, ordering: .relaxed)
    case kAudioQueueProperty_DecodeBufferSizeFrames:
      let frames = try word()
      found.state.withLock { $0.aheadFrames = frames }
    case kAudioQueueProperty_EnableTimePitch, kAudioQueueProperty_TimePitchAlgorithm,
      kAudioQueueProperty_TimePitchBypass:
      try setPitch(found, property, try word())
    case kAudioQueueProperty_HardwareCodecPolicy: _ = try word()
    case kAudioQueueProperty_ChannelAssignments: try unsafe assign(found, data, dataSize)
    default: throw QueueFailure(kAudioQueueErr_InvalidProperty)
    }
  }
}

/// Connects each channel of a queue to one of the device's.
private func assign(
  _ queue: Queue, _ data: UnsafeRawPointer, _ size: UInt32
) throws(QueueFailure) {
  let stride = unsafe MemoryLayout<AudioQueueChannelAssignment>.stride
  guard Int(size) == stride * queue.channelCount else {
    throw QueueFailure(kAudioQueueErr_InvalidPropertySize)
  }
  guard !queue.isRunning else { throw QueueFailure(kAudioQueueErr_InvalidRunState) }
  var channels: [UInt32] = []
  for index in 0..<queue.channelCount {
    let entry = unsafe data.loadUnaligned(
      fromByteOffset: index * stride, as: AudioQueueChannelAssignment.self)
    guard unsafe entry.mChannelNumber >= 1 else {
      throw QueueFailure(kAudioQueueErr_InvalidPropertyValue)
    }
    unsafe channels.append(entry.mChannelNumber)
    // All are of one device, which is the queue's from now on.
    if unsafe entry.mDeviceUID != nil { unsafe try setDevice(queue, entry.mDeviceUID) }
  }
  queue.state.withLock { $0.assignments = channels }
}

private func setPitch(
  _ queue: Queue, _ property: AudioQueuePropertyID, _ word: UInt32
) throws(QueueFailure) {
  guard let player = queue as? OutputQueue else {
    throw QueueFailure(kAudioQueueErr_InvalidQueueType)
  }
  if property == kAudioQueueProperty_TimePitchBypass {
    return player.player.isPitchBypassed.store(word != 0, ordering: .relaxed)
  }
  guard !queue.isRunning else { throw QueueFailure(kAudioQueueErr_InvalidRunState) }
  var (isOn, algorithm) = queue.state.withLock { ($0.hasPitch, $0.pitchAlgorithm) }
  if property == kAudioQueueProperty_EnableTimePitch { isOn = word != 0 } else { algorithm = word }
  try player.setPitch(isOn ? algorithm : nil)
  queue.state.withLock { ($0.hasPitch, $0.pitchAlgorithm) = (isOn, algorithm) }
}

private func setDevice(_ queue: Queue, _ string: CFStringRef?) throws(QueueFailure) {
  guard !queue.isRunning else { throw QueueFailure(kAudioQueueErr_InvalidRunState) }
  guard let string = unsafe string else {
    return queue.state.withLock { $0.deviceUID = nil }
  }
  guard let uid = unsafe String(cfString: string),
    HardwareSystem.shared.device(named: uid) != nil
  else { throw QueueFailure(kAudioQueueErr_InvalidDevice) }
  queue.state.withLock { $0.deviceUID = uid }
  queue.changed(kAudioQueueProperty_CurrentDevice)
}

/// Adds a listener of a property, called where callbacks run.
///
/// Context: control.
@c @implementation
public func AudioQueueAddPropertyListener(
  _ queue: AudioQueueRef?, _ property: AudioQueuePropertyID,
  _ listener: AudioQueuePropertyListenerProc?, _ userData: UnsafeMutableRawPointer?
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    guard let listener = unsafe listener else { throw QueueFailure(kAudio_ParamError) }
    let made = unsafe Queue.Listener(property: property, procedure: listener, context: userData)
    found.state.withLock { $0.listeners.append(made) }
  }
}

/// Removes a listener.
///
/// Context: control.
@c @implementation
public func AudioQueueRemovePropertyListener(
  _ queue: AudioQueueRef?, _ property: AudioQueuePropertyID,
  _ listener: AudioQueuePropertyListenerProc?, _ userData: UnsafeMutableRawPointer?
) -> OSStatus {
  unsafe Queues.call(queue) { (found) throws(QueueFailure) in
    let address = unsafe unsafeBitCast(listener, to: UInt.self)
    let context = UInt(bitPattern: userData)
    found.state.withLock { state in
      state.listeners.removeAll {
        unsafe $0.property == property && unsafeBitCast($0.procedure, to: UInt.self) == address
          && UInt(bitPattern: $0.context) == context
      }
    }
  }
}
