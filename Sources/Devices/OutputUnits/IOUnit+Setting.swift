// Setting the properties that an output unit has itself, and those of its device through it.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import HardwareObjects
import Synchronization

extension IOUnit {
  /// Sets a property of the unit.
  func ownSet(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeRawPointer?, _ size: UInt32
  ) -> OSStatus {
    if property == kAudioOutputUnitProperty_ChannelMap {
      return unsafe setChannelMap(element, data, size)
    }
    guard let data = unsafe data else {
      guard property == kAudioOutputUnitProperty_SetInputCallback else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      unsafe cycle.setInputCallback(nil, nil)
      return 0
    }
    switch property {
    case kAudioOutputUnitProperty_StartTime:
      guard Int(size) >= MemoryLayout<AudioOutputUnitStartAtTimeParams>.size else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      let time = unsafe data.loadUnaligned(as: AudioOutputUnitStartAtTimeParams.self)
      guard !state.withLock({ $0.isRunning }) else { return kAudioUnitErr_CannotDoInCurrentContext }
      cycle.setStart(time.mTimestamp)
      return 0
    case kAudioOutputUnitProperty_SetInputCallback:
      guard unsafe Int(size) >= MemoryLayout<AURenderCallbackStruct>.size else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      let callback = unsafe data.loadUnaligned(as: AURenderCallbackStruct.self)
      unsafe cycle.setInputCallback(callback.inputProc, callback.inputProcRefCon)
      changed(property)
      return 0
    case kAudioOutputUnitProperty_IsRunning, kAudioOutputUnitProperty_HasIO,
      kAudioUnitProperty_ElementCount:
      return kAudioUnitErr_PropertyNotWritable
    default: break
    }
    guard size == 4 else { return kAudioUnitErr_InvalidPropertyValue }
    return setWord(property, scope, element, unsafe data.loadUnaligned(as: UInt32.self))
  }

  private func setWord(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ word: UInt32
  ) -> OSStatus {
    switch property {
    case kAudioOutputUnitProperty_CurrentDevice:
      return isVoice ? chooseVoiceDevice(word, element) : choose(word)
    case kAudioOutputUnitProperty_StartTimestampsAtZero:
      cycle.startsAtZero.store(word != 0, ordering: .relaxed)
    case kAudioUnitProperty_MaximumFramesPerSlice:
      guard !state.withLock({ $0.isInitialized }) else { return kAudioUnitErr_Initialized }
      guard word > 0, word <= 1 << 22 else { return kAudioUnitErr_InvalidPropertyValue }
      state.withLock { $0.maximumFrames = word }
      for half in [output, input] {
        half.set(property, kAudioUnitScope_Global, value: word)
      }
      // The half of the output posts it.
      return 0
    case kAudioOutputUnitProperty_EnableIO:
      guard element <= 1 else { return kAudioUnitErr_InvalidElement }
      guard !state.withLock({ $0.isInitialized }) else { return kAudioUnitErr_Initialized }
      // Without either side there is no echo to cancel.
      guard !isVoice || word != 0 else { return kAudioUnitErr_InvalidPropertyValue }
      state.withLock { state in
        if element == 1 { state.hasInput = word != 0 } else { state.hasOutput = word != 0 }
      }
      // A device without an output may record.
      let device = state.withLock { $0.device }
      if element == 1, word != 0, device?.channelCount(isInput: true) ?? 0 == 0,
        !state.withLock({ $0.isChosen || $0.hasOutput }),
        let recorder = HardwareSystem.shared.defaultDevice(isInput: true)
      {
        adoptFormats(of: recorder)
        state.withLock { $0.device = recorder }
      }
    default: return kAudioUnitErr_InvalidProperty
    }
    changed(property, scope, element)
    return 0
  }

  private func setChannelMap(
    _ element: AudioUnitElement, _ data: UnsafeRawPointer?, _ size: UInt32
  ) -> OSStatus {
    guard half(element) != nil else { return kAudioUnitErr_InvalidElement }
    guard !state.withLock({ $0.isInitialized }) else { return kAudioUnitErr_Initialized }
    guard size % 4 == 0, size <= 4096 else { return kAudioUnitErr_InvalidPropertyValue }
    var map: [Int32] = []
    if let data = unsafe data {
      map = (0..<(Int(size) / 4)).map {
        unsafe data.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self)
      }
    }
    state.withLock { state in
      if element == 1 { state.inputMap = map } else { state.outputMap = map }
    }
    changed(kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, element)
    return 0
  }

  // MARK: The device through the unit

  private func deviceAddress(
    _ selector: UInt32, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> AudioObjectPropertyAddress {
    let side: AudioObjectPropertyScope =
      switch scope {
      case kAudioUnitScope_Input: kAudioObjectPropertyScopeInput
      case kAudioUnitScope_Output: kAudioObjectPropertyScopeOutput
      default: kAudioObjectPropertyScopeGlobal
      }
    return AudioObjectPropertyAddress(mSelector: selector, mScope: side, mElement: element)
  }

  private func deviceValue(
    _ selector: UInt32, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) throws(HardwareError) -> PropertyValue {
    guard let device = state.withLock({ $0.device }) else { throw .badDevice }
    return try HardwareSystem.shared.property(
      device.id, deviceAddress(selector, scope, element))
  }

  /// The size of a property of the device.
  func deviceInfo(
    _ selector: UInt32, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ size: UnsafeMutablePointer<UInt32>?, _ isWritable: UnsafeMutablePointer<Bool>?
  ) -> OSStatus {
    guard let device = state.withLock({ $0.device }) else { return kAudioUnitErr_InvalidProperty }
    do throws(HardwareError) {
      let value = try deviceValue(selector, scope, element)
      unsafe size?.pointee = UInt32(value.byteCount)
      unsafe isWritable?.pointee =
        (try? HardwareSystem.shared.isSettable(
          device.id, deviceAddress(selector, scope, element))) ?? false
      return 0
    } catch {
      return error == .unknownProperty ? kAudioUnitErr_InvalidProperty : error.status
    }
  }

  /// The value of a property of the device.
  func deviceGet(
    _ selector: UInt32, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeMutableRawPointer?, _ size: UnsafeMutablePointer<UInt32>?
  ) -> OSStatus {
    guard let data = unsafe data, let size = unsafe size else { return kAudio_ParamError }
    do throws(HardwareError) {
      let value = try deviceValue(selector, scope, element)
      guard unsafe Int(size.pointee) >= value.byteCount else { throw .badSize }
      if case .bytes(let bytes) = value {
        unsafe data.copyMemory(from: bytes, byteCount: bytes.count)
      } else {
        unsafe data.storeBytes(of: value.makeObject() ?? 0, as: UInt.self)
      }
      unsafe size.pointee = UInt32(value.byteCount)
      return 0
    } catch {
      return error == .unknownProperty ? kAudioUnitErr_InvalidProperty : error.status
    }
  }

  /// Sets a property of the device.
  func deviceSet(
    _ selector: UInt32, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeRawPointer?, _ size: UInt32
  ) -> OSStatus {
    guard let data = unsafe data, let device = state.withLock({ $0.device }) else {
      return kAudio_ParamError
    }
    let value = unsafe PropertyValue.bytes(
      Array(UnsafeRawBufferPointer(start: data, count: Int(min(size, 1 << 16)))))
    do throws(HardwareError) {
      try HardwareSystem.shared.setProperty(
        device.id, deviceAddress(selector, scope, element), value)
      return 0
    } catch {
      return error == .unknownProperty ? kAudioUnitErr_InvalidProperty : error.status
    }
  }
}
