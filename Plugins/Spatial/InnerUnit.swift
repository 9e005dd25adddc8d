// A unit inside of another one, called by its interface as a host calls it.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox

/// The functions of an inner unit for the render thread. Context: render.
@safe struct InnerUnitCalls: BitwiseCopyable {
  fileprivate let unit: UnsafeMutableRawPointer
  private let set: AudioUnitSetParameterProc
  private let process: AudioUnitProcessProc

  fileprivate init?(_ unit: UnsafeMutablePointer<AudioComponentPlugInInterface>) {
    guard let set = unsafe unit.pointee.Lookup(Int16(kAudioUnitSetParameterSelect)),
      let process = unsafe unit.pointee.Lookup(Int16(kAudioUnitProcessSelect))
    else { return nil }
    unsafe self.unit = UnsafeMutableRawPointer(unit)
    unsafe self.set = unsafe unsafeBitCast(set, to: AudioUnitSetParameterProc.self)
    unsafe self.process = unsafe unsafeBitCast(process, to: AudioUnitProcessProc.self)
  }

  /// Sets a global parameter.
  @_noLocks func set(_ id: AudioUnitParameterID, _ value: Float) {
    // Door out of checked code: a unit of this project sets a parameter without waiting.
    let (call, unit) = unsafe (set, unit)
    unsafe _unsafePerformance { _ = unsafe call(unit, id, kAudioUnitScope_Global, 0, value, 0) }
  }

  /// Processes a list in place; true if the output is silence.
  @_noLocks func process(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ frameCount: Int, sampleTime: Double,
    isSilent: Bool
  ) -> Bool {
    var flags = isSilent ? kAudioUnitRenderAction_OutputIsSilence : 0
    var time = AudioTimeStamp()
    time.mSampleTime = sampleTime
    time.mFlags = kAudioTimeStampSampleTimeValid
    // Door out of checked code: a unit of this project renders.
    let (call, unit) = unsafe (process, unit)
    unsafe _unsafePerformance {
      _ = unsafe call(unit, &flags, &time, UInt32(truncatingIfNeeded: frameCount), list)
    }
    return flags & kAudioUnitRenderAction_OutputIsSilence != 0
  }
}

/// An inner unit on control threads. It lives as long as this.
///
/// @unchecked Sendable because it holds addresses alone, and a unit is safe for all control threads.
@safe final class InnerUnit: @unchecked Sendable {
  let calls: InnerUnitCalls
  private let interface: UnsafeMutablePointer<AudioComponentPlugInInterface>

  /// Opens the unit that a factory makes; nil without memory for it. Context: control.
  init?(_ made: UnsafeMutablePointer<AudioComponentPlugInInterface>?) {
    guard let made = unsafe made, let calls = unsafe InnerUnitCalls(made),
      unsafe made.pointee.Open(UnsafeMutableRawPointer(made), nil) == 0
    else { return nil }
    unsafe interface = unsafe made
    self.calls = calls
  }

  deinit { unsafe _ = interface.pointee.Close(UnsafeMutableRawPointer(interface)) }

  private func method<Method>(_ selector: Int, _ type: Method.Type) -> Method? {
    unsafe interface.pointee.Lookup(Int16(selector)).map { unsafe unsafeBitCast($0, to: type) }
  }

  /// Initialises it for planar float samples, in place. Context: control.
  func initialize(sampleRate: Double, channelCount: Int, maximumFrames: Int) -> OSStatus {
    if let end = unsafe method(
      Int(kAudioUnitUninitializeSelect), AudioUnitUninitializeProc.self)
    {
      unsafe _ = end(calls.unit)
    }
    let format = AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4,
      mChannelsPerFrame: UInt32(channelCount), mBitsPerChannel: 32, mReserved: 0)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      let status = set(kAudioUnitProperty_StreamFormat, scope, format)
      guard status == 0 else { return status }
    }
    let status = set(
      kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, UInt32(maximumFrames))
    guard status == 0,
      let begin = unsafe method(Int(kAudioUnitInitializeSelect), AudioUnitInitializeProc.self)
    else { return status }
    return unsafe begin(calls.unit)
  }

  /// Sets a property of element 0 of a scope. Context: control.
  func set<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ value: Value
  ) -> OSStatus {
    guard
      let call = unsafe method(Int(kAudioUnitSetPropertySelect), AudioUnitSetPropertyProc.self)
    else { return kAudio_UnimplementedError }
    return unsafe withUnsafePointer(to: value) { data in
      unsafe call(calls.unit, id, scope, 0, data, UInt32(MemoryLayout<Value>.size))
    }
  }

  /// A property of the whole; `otherwise` where it has none. Context: control.
  func value<Value: BitwiseCopyable>(_ id: AudioUnitPropertyID, _ otherwise: Value) -> Value {
    var value = otherwise
    var size = UInt32(MemoryLayout<Value>.size)
    if let call = unsafe method(
      Int(kAudioUnitGetPropertySelect), AudioUnitGetPropertyProc.self)
    {
      unsafe _ = withUnsafeMutablePointer(to: &value) { data in
        unsafe call(calls.unit, id, kAudioUnitScope_Global, 0, data, &size)
      }
    }
    return value
  }

  /// Forgets the past. Context: control.
  func reset() {
    if let call = unsafe method(Int(kAudioUnitResetSelect), AudioUnitResetProc.self) {
      unsafe _ = call(calls.unit, kAudioUnitScope_Global, 0)
    }
  }
}
