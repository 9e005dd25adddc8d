// The device of an engine: a unit for hardware, opened when it is first needed.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The device that an engine plays to and records from.
final class EngineDevice: @unchecked Sendable {
  private(set) var unit: AudioUnit?
  private(set) var isRunning = false
  private var hasInput = false
  private var inputFormat: AVAudioFormat?
  private var render: AVAudioFormat?
  /// The number under which notices find the engine.
  private var number: UInt = 0

  deinit { close() }

  /// The unit of the default device; nil without one.
  func open() -> AudioUnit? {
    if let unit { return unit }
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_HALOutput,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    guard let component = AudioComponentFindNext(nil, &description),
      AudioComponentInstanceNew(component, &unit) == noErr
    else { return nil }
    return unit
  }
  func close() {
    DeviceNotices.remove(number)
    stop()
    if let unit {
      AudioUnitUninitialize(unit)
      AudioComponentInstanceDispose(unit)
    }
    unit = nil
  }
  private func stop() {
    if let unit, isRunning { AudioOutputUnitStop(unit) }
    isRunning = false
  }
  /// The format of the device itself; nil without a device or that side of it.
  func format(input: Bool) -> AVAudioFormat? {
    guard let unit = open() else { return nil }
    if input { enableInput(unit) }
    var raw = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout.size(ofValue: raw))
    let status = AudioUnitGetProperty(
      unit, kAudioUnitProperty_StreamFormat, input ? kAudioUnitScope_Input : kAudioUnitScope_Output,
      input ? 1 : 0, &raw, &size)
    guard status == noErr, raw.mSampleRate > 0, raw.mChannelsPerFrame > 0 else { return nil }
    return .auricleStandard(raw.mSampleRate, raw.mChannelsPerFrame)
  }
  private func enableInput(_ unit: AudioUnit) {
    guard !hasInput else { return }
    var on: UInt32 = 1
    hasInput =
      AudioUnitSetProperty(
        unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &on, 4) == noErr
  }

  func prepare(_ cycle: EngineCycle, _ format: AVAudioFormat, input: AVAudioFormat?) throws {
    guard let unit = open() else { throw auricleError(0x2170_6C61) }
    guard render == nil else { return }
    if let input {
      enableInput(unit)
      var raw = input.raw
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &raw,
        UInt32(MemoryLayout.size(ofValue: raw)))
      inputFormat = input
    }
    var raw = format.raw
    try auricleCheck(
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &raw,
        UInt32(MemoryLayout.size(ofValue: raw))))
    var frames = UInt32(AVAudioEngine.deviceFrames)
    AudioUnitSetProperty(
      unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &frames, 4)
    var callback = AURenderCallbackStruct(
      inputProc: renderEngine, inputProcRefCon: Unmanaged.passUnretained(cycle).toOpaque())
    try auricleCheck(
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
        UInt32(MemoryLayout.size(ofValue: callback))))
    if number == 0 { number = DeviceNotices.add(cycle) }
    for property in [kAudioUnitProperty_StreamFormat, kAudioDevicePropertyIOStoppedAbnormally] {
      AudioUnitAddPropertyListener(
        unit, property, deviceChanged, UnsafeMutableRawPointer(bitPattern: number))
    }
    try auricleCheck(AudioUnitInitialize(unit))
    render = format
  }
  func start(_ lock: RenderLock) throws {
    guard let unit, !isRunning else { return }
    // Before the first cycle, which reads it under the lock.
    lock { isRunning = true }
    let status = AudioOutputUnitStart(unit)
    if status != noErr { isRunning = false }
    try auricleCheck(status)
  }
  /// Whether the device ended by itself since the start. Unit and device decide, not the notice: it may come late,
  /// behind the next start. A device that ended during the start is not running, while the unit does not know it.
  var hasEnded: Bool {
    guard let unit, isRunning else { return false }
    var (id, isUnitRunning, isDeviceRunning): (AudioObjectID, UInt32, UInt32) = (0, 0, 0)
    var size: UInt32 = 4
    AudioUnitGetProperty(
      unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &isUnitRunning, &size)
    AudioUnitGetProperty(
      unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &id, &size)
    var address = AudioObjectPropertyAddress(
      mSelector: kAudioDevicePropertyDeviceIsRunning, mScope: kAudioObjectPropertyScopeGlobal,
      mElement: kAudioObjectPropertyElementMain)
    AudioObjectGetPropertyData(id, &address, 0, nil, &size, &isDeviceRunning)
    return isUnitRunning == 0 || isDeviceRunning == 0
  }
  func pause() { stop() }
  /// Stops, and lets the device go.
  func release() {
    stop()
    guard render != nil else { return }
    render = nil
    hasInput = false
    if let unit {
      AudioUnitUninitialize(unit)
      AudioComponentInstanceDispose(unit)
    }
    unit = nil
  }
  /// Reads the device's sound of this cycle. Render thread.
  func readInput(
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
    _ list: UnsafeMutableAudioBufferListPointer
  ) -> OSStatus {
    guard let unit, isRunning, hasInput else {
      clear(list, frames)
      return noErr
    }
    var flags = AudioUnitRenderActionFlags()
    let status = AudioUnitRender(unit, &flags, time, 1, UInt32(frames), list.unsafeMutablePointer)
    if status != noErr { clear(list, frames) }
    return noErr
  }
}

private func renderEngine(
  _ refCon: UnsafeMutableRawPointer, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frames: UInt32,
  _ list: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  guard let list else { return kAudio_ParamError }
  return Unmanaged<EngineCycle>.fromOpaque(refCon)._withUnsafeGuaranteedRef {
    $0.run(time, Int(frames), UnsafeMutableAudioBufferListPointer(list))
  }
}

private func deviceChanged(
  _ refCon: UnsafeMutableRawPointer, _ unit: AudioUnit, _ property: AudioUnitPropertyID,
  _ scope: AudioUnitScope,
  _ element: AudioUnitElement
) {
  let isEnd = property == kAudioDevicePropertyIOStoppedAbnormally
  guard isEnd || scope == kAudioUnitScope_Output && element == 0 else { return }
  guard let cycle = DeviceNotices.cycle(UInt(bitPattern: refCon)) else { return }
  // The engine may be freed where it is found last, which the thread of the notices has to wait for.
  DispatchQueue.global().async { cycle.engine?.deviceDidChange(isEnd: isEnd) }
}

/// The engines that receive notices of their devices, by number: a notice may come when its engine is gone.
private enum DeviceNotices {
  private struct Receivers: @unchecked Sendable {
    var cycles: [UInt: EngineCycle] = [:]
    var last: UInt = 0
  }
  private static let receivers = OSAllocatedUnfairLock(initialState: Receivers())

  static func add(_ cycle: EngineCycle) -> UInt {
    receivers.withLock {
      $0.last += 1
      $0.cycles[$0.last] = cycle
      return $0.last
    }
  }
  static func remove(_ number: UInt) {
    withExtendedLifetime(receivers.withLock { $0.cycles.removeValue(forKey: number) }) {}
  }
  static func cycle(_ number: UInt) -> EngineCycle? {
    receivers.withLock { $0.cycles[number] }
  }
}
