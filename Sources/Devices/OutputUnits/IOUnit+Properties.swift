// The properties of an output unit: its own, those of its halves, those of its device.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import HardwareObjects
import Synchronization

extension IOUnit {
  /// The properties that no half has.
  static let own: Set<AudioUnitPropertyID> = [
    kAudioOutputUnitProperty_CurrentDevice, kAudioOutputUnitProperty_IsRunning,
    kAudioOutputUnitProperty_EnableIO, kAudioOutputUnitProperty_HasIO,
    kAudioOutputUnitProperty_StartTime, kAudioOutputUnitProperty_SetInputCallback,
    kAudioOutputUnitProperty_StartTimestampsAtZero, kAudioOutputUnitProperty_ChannelMap,
    kAudioUnitProperty_ElementCount,
  ]
  /// Whether a property is one of units that programs publish.
  private func isOfNodes(_ property: AudioUnitPropertyID) -> Bool {
    isRemote && Self.ofNodes.contains(property)
  }
  private static let ofBothHalves: Set<AudioUnitPropertyID> = [
    kAudioUnitProperty_SampleRateConverterComplexity, kAudioUnitProperty_RenderQuality,
  ]
  private static let ofDevicesAlone: Set<AudioUnitPropertyID> = [
    kAudioOutputUnitProperty_EnableIO, kAudioOutputUnitProperty_HasIO,
    kAudioOutputUnitProperty_SetInputCallback,
  ]

  /// Whether a property is here at all.
  private func exists(_ property: AudioUnitPropertyID) -> Bool {
    if followsDefault, Self.ofDevicesAlone.contains(property) { return false }
    if !isVoice, Self.ofVoices.contains(property) { return false }
    let isRemote = description.componentSubType == kAudioUnitSubType_RemoteIO
    return !(isRemote && property == kAudioOutputUnitProperty_CurrentDevice)
  }

  /// The size of a property of the unit, and whether it can be set; nil for one of a half.
  private func ownInfo(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> (size: UInt32, isWritable: Bool)? {
    switch property {
    case kAudioOutputUnitProperty_CurrentDevice: (4, !followsDefault)
    case kAudioOutputUnitProperty_IsRunning, kAudioOutputUnitProperty_HasIO: (4, false)
    case kAudioOutputUnitProperty_EnableIO, kAudioOutputUnitProperty_StartTimestampsAtZero:
      (4, true)
    case kAudioUnitProperty_ElementCount: (4, false)
    case kAudioOutputUnitProperty_StartTime:
      (UInt32(MemoryLayout<AudioOutputUnitStartAtTimeParams>.size), true)
    case kAudioOutputUnitProperty_SetInputCallback:
      unsafe (UInt32(MemoryLayout<AURenderCallbackStruct>.size), true)
    case kAudioOutputUnitProperty_ChannelMap:
      (UInt32(map(element).count * 4), true)
    case _ where Self.ofVoices.contains(property): (voiceSize(property), true)
    case _ where isOfNodes(property): nodeInfo(property)
    case AudioUnitPropertyID(kAuricleProperty_FailureReason) where isVoice: (8, false)
    default: nil
    }
  }

  private func map(_ element: AudioUnitElement) -> [Int32] {
    state.withLock { element == 1 ? $0.inputMap : $0.outputMap }
  }

  /// Whether a side follows the device, and is read-only.
  private func isDeviceSide(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> Bool {
    half(element)?.deviceScope == scope
  }

  /// The device's property behind a property of the unit: its codes are longer than a unit's, and
  /// the side that follows it has its layout.
  private func deviceProperty(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> (selector: AudioObjectPropertySelector, element: AudioUnitElement)? {
    if property > 0xFFFF { return (property, element) }
    guard property == kAudioUnitProperty_AudioChannelLayout, isDeviceSide(scope, element) else {
      return nil
    }
    return (kAudioDevicePropertyPreferredChannelLayout, 0)
  }

  /// Returns the size of a property.
  func info(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ size: UnsafeMutablePointer<UInt32>?, _ isWritable: UnsafeMutablePointer<Bool>?
  ) -> OSStatus {
    if let found = deviceProperty(property, scope, element) {
      return unsafe deviceInfo(found.selector, scope, found.element, size, isWritable)
    }
    guard exists(property) else { return kAudioUnitErr_InvalidProperty }
    if let own = ownInfo(property, scope, element) {
      unsafe size?.pointee = own.size
      unsafe isWritable?.pointee = own.isWritable
      return 0
    }
    let isGlobal =
      scope == kAudioUnitScope_Global || property == kAudioUnitProperty_MaximumFramesPerSlice
    guard let half = isGlobal ? output : half(element) else { return kAudioUnitErr_InvalidElement }
    let status = unsafe half.info(
      property, isGlobal ? kAudioUnitScope_Global : scope, size, isWritable)
    if status == 0, property == kAudioUnitProperty_StreamFormat, isDeviceSide(scope, element) {
      unsafe isWritable?.pointee = false
    }
    return status
  }

  /// Copies the value of a property.
  func get(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeMutableRawPointer?, _ size: UnsafeMutablePointer<UInt32>?
  ) -> OSStatus {
    if let found = deviceProperty(property, scope, element) {
      return unsafe deviceGet(found.selector, scope, found.element, data, size)
    }
    guard exists(property) else { return kAudioUnitErr_InvalidProperty }
    if let own = ownInfo(property, scope, element) {
      guard let data = unsafe data, let size = unsafe size else { return kAudio_ParamError }
      guard unsafe size.pointee < own.size else {
        unsafe size.pointee = own.size
        return unsafe ownGet(property, scope, element, data)
      }
      // A smaller buffer receives the beginning, as programs that read a flag of one byte expect.
      var whole = [UInt8](repeating: 0, count: Int(own.size))
      return unsafe whole.withUnsafeMutableBytes { bytes in
        guard let start = bytes.baseAddress else { return kAudio_ParamError }
        let status = unsafe ownGet(property, scope, element, start)
        if status == 0 { unsafe data.copyMemory(from: start, byteCount: Int(size.pointee)) }
        return status
      }
    }
    if property == kAudioUnitProperty_MaximumFramesPerSlice {
      guard let data = unsafe data, let size = unsafe size, unsafe size.pointee >= 4 else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      unsafe size.pointee = 4
      let frames = state.withLock { max($0.maximumFrames, $0.preparedFrames) }
      unsafe data.storeBytes(of: frames, as: UInt32.self)
      return 0
    }
    guard let half = scope == kAudioUnitScope_Global ? output : half(element) else {
      return kAudioUnitErr_InvalidElement
    }
    return unsafe half.get(property, scope, data, size)
  }

  private func ownGet(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeMutableRawPointer
  ) -> OSStatus {
    func store(_ word: UInt32) -> OSStatus {
      unsafe data.storeBytes(of: word, as: UInt32.self)
      return 0
    }
    let isInput = element == 1
    if isOfNodes(property) { return unsafe nodeGet(property, data) }
    switch property {
    case kAudioOutputUnitProperty_CurrentDevice:
      return store(state.withLock { $0.device?.id ?? kAudioObjectUnknown })
    case kAudioOutputUnitProperty_IsRunning: return store(state.withLock { $0.isRunning ? 1 : 0 })
    case kAudioOutputUnitProperty_EnableIO:
      guard element <= 1 else { return kAudioUnitErr_InvalidElement }
      return store(state.withLock { (isInput ? $0.hasInput : $0.hasOutput) ? 1 : 0 })
    case kAudioOutputUnitProperty_HasIO:
      guard element <= 1 else { return kAudioUnitErr_InvalidElement }
      let device = state.withLock { $0.device }
      return store((device?.channelCount(isInput: isInput) ?? 0) > 0 ? 1 : 0)
    case kAudioUnitProperty_ElementCount:
      return store(scope == kAudioUnitScope_Global || followsDefault ? 1 : 2)
    case kAudioOutputUnitProperty_StartTimestampsAtZero:
      return store(cycle.startsAtZero.load(ordering: .relaxed) ? 1 : 0)
    case kAudioOutputUnitProperty_SetInputCallback:
      unsafe data.storeBytes(of: cycle.inputCallback, as: AURenderCallbackStruct.self)
      return 0
    case kAudioOutputUnitProperty_ChannelMap:
      for (index, source) in map(element).enumerated() {
        unsafe data.storeBytes(of: source, toByteOffset: index * 4, as: Int32.self)
      }
      return 0
    case _ where Self.ofVoices.contains(property):
      unsafe voiceGet(property, data)
      return 0
    case AudioUnitPropertyID(kAuricleProperty_FailureReason):
      let text = state.withLock { $0.voice.failure }
      unsafe data.storeBytes(of: UInt(bitPattern: makeCFString(text)), as: UInt.self)
      return 0
    default: return kAudioUnitErr_PropertyNotInUse
    }
  }

  /// Sets a property; one that the halves refuse while they are initialized is set between two preparations.
  func set(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeRawPointer?, _ size: UInt32
  ) -> OSStatus {
    let status = unsafe setOnce(property, scope, element, data, size)
    guard status == kAudioUnitErr_Initialized else { return status }
    // The sides of a device that runs stay as they are.
    if property == kAudioOutputUnitProperty_EnableIO, state.withLock({ $0.isRunning }) {
      return status
    }
    return reprepare { unsafe setOnce(property, scope, element, data, size) }
  }

  private func setOnce(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeRawPointer?, _ size: UInt32
  ) -> OSStatus {
    if property > 0xFFFF { return unsafe deviceSet(property, scope, element, data, size) }
    guard exists(property) else { return kAudioUnitErr_InvalidProperty }
    switch property {
    case kAudioOutputUnitProperty_CurrentDevice, kAudioOutputUnitProperty_IsRunning,
      kAudioOutputUnitProperty_EnableIO, kAudioOutputUnitProperty_HasIO,
      kAudioOutputUnitProperty_StartTime, kAudioOutputUnitProperty_SetInputCallback,
      kAudioOutputUnitProperty_StartTimestampsAtZero, kAudioOutputUnitProperty_ChannelMap,
      kAudioUnitProperty_ElementCount, kAudioUnitProperty_MaximumFramesPerSlice:
      return unsafe ownSet(property, scope, element, data, size)
    default: break
    }
    if Self.ofVoices.contains(property) { return unsafe voiceSet(property, data, size) }
    if isOfNodes(property) { return unsafe nodeSet(property, data, size) }
    if property == kAudioUnitProperty_StreamFormat, isDeviceSide(scope, element) {
      return kAudioUnitErr_PropertyNotWritable
    }
    if Self.ofBothHalves.contains(property) { _ = unsafe input.set(property, scope, data, size) }
    let isSource = [
      kAudioUnitProperty_SetRenderCallback, kAudioUnitProperty_MakeConnection,
    ].contains(property)
    // Sound for the device comes into element 0, for any scope of the host.
    if isSource {
      guard element == 0 else { return kAudioUnitErr_InvalidElement }
      return unsafe output.set(property, kAudioUnitScope_Input, data, size)
    }
    guard let half = scope == kAudioUnitScope_Global ? output : half(element) else {
      return kAudioUnitErr_InvalidElement
    }
    return unsafe half.set(property, scope, data, size)
  }
}
