// The output unit of a queue: made when the queue starts, on the device that the queue has.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import HardwareObjects

/// An instance of `ahal` with one side in use.
///
/// @unchecked Sendable because a unit may be started, stopped and asked from any thread.
@safe final class QueueDevice: @unchecked Sendable {
  private let unit: AudioUnitHandle
  private let isInput: Bool

  /// Opens the unit.
  ///
  /// - Parameters:
  ///   - uid: The device; nil for the default.
  ///   - format: The format of the queue: interleaved 32-bit float.
  ///   - assignments: For each channel that of the device, from 1; empty for each its own.
  ///   - callback: Renders, or reads a recording.
  /// - Throws: `-66680` for a device that is not there, `-66681` for one that cannot be used.
  init(
    isInput: Bool, uid: String?, format: inout AudioStreamBasicDescription,
    assignments: [UInt32], callback: AURenderCallbackStruct
  ) throws(QueueFailure) {
    self.isInput = isInput
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_HALOutput,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    var made: AudioUnitHandle?
    guard let component = unsafe AudioComponentFindNext(nil, &description),
      unsafe AudioComponentInstanceNew(component, &made) == noErr, let unit = unsafe made
    else { throw QueueFailure(kAudioQueueErr_CannotStart) }
    unsafe self.unit = unsafe unit
    do throws(QueueFailure) {
      unsafe try setUp(uid, &format, assignments, unsafe callback)
    } catch {
      _ = unsafe AudioComponentInstanceDispose(unit)
      throw error
    }
  }

  deinit { _ = unsafe AudioComponentInstanceDispose(unit) }

  private func setUp(
    _ uid: String?, _ format: inout AudioStreamBasicDescription, _ assignments: [UInt32],
    _ callback: AURenderCallbackStruct
  ) throws(QueueFailure) {
    if isInput {
      try set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, UInt32(0))
      try set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(1))
    }
    if let device = try device(uid) {
      let status = status(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, device)
      guard status == noErr else { throw QueueFailure(kAudioQueueErr_InvalidDevice) }
    }
    if isInput {
      var hardware = AudioStreamBasicDescription()
      var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
      _ = unsafe AudioUnitGetProperty(
        unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1, &hardware, &size)
      // Element 1 does not convert rates: the queue does.
      format.mSampleRate = hardware.mSampleRate
      try set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, format)
      unsafe try set(
        kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, callback)
    } else {
      try set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, format)
      unsafe try set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, callback)
    }
    if !assignments.isEmpty { try map(assignments) }
    let status = unsafe AudioUnitInitialize(unit)
    guard status == noErr else { throw QueueFailure(kAudioQueueErr_CannotStart) }
  }

  /// Has each channel of the queue go to that of the device, or come from it.
  private func map(_ assignments: [UInt32]) throws(QueueFailure) {
    var map = assignments.map { Int32(clamping: $0) - 1 }
    if !isInput {
      let count = HardwareSystem.shared.device(device)?.channelCount(isInput: false) ?? 0
      let places = map
      map = (0..<Int32(count)).map { channel in
        places.firstIndex(of: channel).map { Int32($0) } ?? -1
      }
    }
    let status = unsafe map.withUnsafeBytes { bytes in
      unsafe AudioUnitSetProperty(
        unit, kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, isInput ? 1 : 0,
        bytes.baseAddress, UInt32(bytes.count))
    }
    guard status == noErr else { throw QueueFailure(kAudioQueueErr_InvalidPropertyValue) }
  }

  /// The device of a UID; for nil the default of the side.
  private func device(_ uid: String?) throws(QueueFailure) -> AudioObjectID? {
    let system = HardwareSystem.shared
    guard let uid else { return system.defaultDevice(isInput: isInput)?.id }
    guard let found = system.device(named: uid) else {
      throw QueueFailure(kAudioQueueErr_InvalidDevice)
    }
    return found.id
  }

  private func status<Value: BitwiseCopyable>(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ value: Value
  ) -> OSStatus {
    unsafe withUnsafeBytes(of: value) { bytes in
      unsafe AudioUnitSetProperty(
        unit, property, scope, element, bytes.baseAddress, UInt32(bytes.count))
    }
  }

  private func set<Value: BitwiseCopyable>(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ value: Value
  ) throws(QueueFailure) {
    let status = status(property, scope, element, value)
    guard status == noErr else { throw QueueFailure(kAudioQueueErr_CannotStart) }
  }

  /// Starts the device, at a time of the host or of the device.
  func start(_ time: AudioTimeStamp?) -> OSStatus {
    if let time, time.mFlags != 0 {
      let wanted = AudioOutputUnitStartAtTimeParams(mTimestamp: time, mFlags: 0)
      _ = status(
        kAudioOutputUnitProperty_StartTime, kAudioUnitScope_Global, 0, wanted)
    }
    return unsafe AudioOutputUnitStart(unit)
  }

  /// Stops it; nothing renders any more when it returns on another thread than the device's.
  func stop() { _ = unsafe AudioOutputUnitStop(unit) }

  /// Whether the unit runs.
  var isRunning: Bool {
    var word: UInt32 = 0
    var size: UInt32 = 4
    _ = unsafe AudioUnitGetProperty(
      unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &word, &size)
    return word != 0
  }

  /// The number of the device.
  var device: AudioObjectID {
    var word: UInt32 = 0
    var size: UInt32 = 4
    _ = unsafe AudioUnitGetProperty(
      unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &word, &size)
    return word
  }

  /// Whether the device's seconds are those of the world; false where it may be kept waiting.
  var isRealTime: Bool { HardwareSystem.shared.device(device)?.isRealTime ?? true }

  /// Renders recorded frames. Context: the device's thread. The door out of checked code: the output unit.
  @_noLocks func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>?,
    _ frames: UInt32, _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let unit = unsafe unit
    return unsafe _unsafePerformance { unsafe AudioUnitRender(unit, flags, time, 1, frames, list) }
  }
}

/// Why a call to a queue fails: its code.
struct QueueFailure: Error {
  let status: OSStatus
  init(_ status: OSStatus) { self.status = status }
}
