// The services of a host besides sound: transport callbacks, MIDI receivers, instruments.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import Synchronization

extension UnitInstance {
  /// Sizes of the properties of this file; nil for another property.
  func hostPropertyInfo(_ id: AudioUnitPropertyID) -> PropertyInfo? {
    switch id {
    case kAudioUnitProperty_HostCallbacks:
      unsafe PropertyInfo(size: UInt32(MemoryLayout<HostCallbackInfo>.size), isWritable: true)
    case kAudioUnitProperty_MIDIOutputCallbackInfo:
      definition.midiOutputs.isEmpty
        ? .error(kAudioUnitErr_InvalidProperty) : PropertyInfo(size: Self.pointerSize)
    case kAudioUnitProperty_MIDIOutputCallback:
      unsafe definition.midiOutputs.isEmpty
        ? .error(kAudioUnitErr_InvalidProperty)
        : PropertyInfo(
          size: UInt32(MemoryLayout<AUMIDIOutputCallbackStruct>.size), isWritable: true)
    case kAuricleProperty_NaNGuard: PropertyInfo(size: 4, isWritable: true)
    case kAudioOutputUnitProperty_IsRunning:
      description.componentType == kAudioUnitType_Output
        ? PropertyInfo(size: 4) : .error(kAudioUnitErr_InvalidProperty)
    case kMusicDeviceProperty_InstrumentCount, kMusicDeviceProperty_SupportsStartStopNote:
      description.componentType == kAudioUnitType_MusicDevice
        ? PropertyInfo(size: 4) : .error(kAudioUnitErr_InvalidProperty)
    default: nil
    }
  }

  /// Copies the value of a property of this file.
  func readHostProperty(
    _ id: AudioUnitPropertyID, _ data: UnsafeMutableRawPointer
  ) -> OSStatus {
    switch id {
    case kAudioUnitProperty_MIDIOutputCallbackInfo:
      return unsafe store(makeCFArray(definition.midiOutputs), data)
    case kAuricleProperty_NaNGuard:
      let isOn = unsafe render.pointee.guardsNumbers.load(ordering: .relaxed)
      return unsafe store(UInt32(isOn ? 1 : 0), data)
    case kAudioOutputUnitProperty_IsRunning: return unsafe store(UInt32(isRunning ? 1 : 0), data)
    case kMusicDeviceProperty_InstrumentCount: return unsafe store(UInt32(0), data)
    case kMusicDeviceProperty_SupportsStartStopNote: return unsafe store(UInt32(1), data)
    default: return kAudioUnitErr_InvalidProperty
    }
  }

  /// Sets a property of this file; null data removes its value. Nil for another property.
  func writeHostProperty(
    _ id: AudioUnitPropertyID, _ data: UnsafeRawPointer?, _ size: UInt32
  ) -> OSStatus? {
    switch id {
    case kAudioUnitProperty_HostCallbacks:
      guard let data = unsafe data else {
        unsafe setHostCallbacks(nil)
        return 0
      }
      // Older hosts pass it without its last pointer.
      let whole = unsafe MemoryLayout<HostCallbackInfo>.size
      guard Int(size) >= whole - MemoryLayout<Int>.size else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      var info = unsafe HostCallbackInfo()
      unsafe withUnsafeMutableBytes(of: &info) { (bytes) in
        unsafe bytes.copyMemory(
          from: UnsafeRawBufferPointer(start: data, count: min(Int(size), whole)))
      }
      unsafe setHostCallbacks(info)
      return 0
    case kAuricleProperty_NaNGuard:
      guard let data = unsafe data, let value = unsafe load(UInt32.self, data, size) else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      unsafe render.pointee.guardsNumbers.store(value != 0, ordering: .relaxed)
      return 0
    case kAudioUnitProperty_MIDIOutputCallback:
      guard let data = unsafe data else {
        unsafe setMIDIOutputCallback(nil)
        return 0
      }
      guard let structure = unsafe load(AUMIDIOutputCallbackStruct.self, data, size) else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      unsafe setMIDIOutputCallback(structure.midiOutputCallback == nil ? nil : structure)
      return 0
    default: return nil
    }
  }

  private func setHostCallbacks(_ info: HostCallbackInfo?) {
    var made: UnsafeMutablePointer<HostCallbackInfo>?
    if let info = unsafe info {
      let fresh = UnsafeMutablePointer<HostCallbackInfo>.allocate(capacity: 1)
      unsafe fresh.initialize(to: info)
      unsafe made = fresh
    }
    let old = unsafe render.pointee.hostCallbacks.exchange(made, ordering: .acquiringAndReleasing)
    if let old = unsafe old { unsafe retire(UnsafeMutableRawPointer(old)) }
  }

  private func setMIDIOutputCallback(_ structure: AUMIDIOutputCallbackStruct?) {
    guard let output = unsafe render.pointee.midiOutput else { return }
    if let old = unsafe output.replaceCallback(structure) {
      unsafe retire(UnsafeMutableRawPointer(old))
    }
  }

  /// Frees memory once the render thread can no longer see it.
  func retire(_ memory: UnsafeMutableRawPointer) {
    if isInitialized { unsafe retired.append(memory) } else { unsafe memory.deallocate() }
  }
}
