// The properties of host memory, and of the input samples behind the output.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Synchronization

extension UnitProperty {
  /// Rows of the properties of memory and samples.
  static let ofMemory: [AudioUnitPropertyID: UnitProperty] = unsafe [
    kAudioUnitProperty_SetExternalBuffer: UnitProperty(
      .global,
      info: { place in
        place.unit.outputFormats.isEmpty
          ? .error(kAudioUnitErr_InvalidProperty)
          : unsafe PropertyInfo(
            size: UInt32(MemoryLayout<AudioUnitExternalBuffer>.size), isWritable: true)
      },
      write: { place, data, size in
        guard let buffer = unsafe place.unit.load(AudioUnitExternalBuffer.self, data, size) else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        return unsafe place.setExternalBuffer(buffer.buffer == nil ? nil : buffer)
      },
      remove: { unsafe $0.setExternalBuffer(nil) }),
    kAudioUnitProperty_InputSamplesInOutput: UnitProperty(
      .global,
      info: { place in
        place.unit.inputFormats.isEmpty || place.unit.outputFormats.isEmpty
          ? .error(kAudioUnitErr_InvalidProperty)
          : unsafe PropertyInfo(
            size: UInt32(MemoryLayout<AUInputSamplesInOutputCallbackStruct>.size),
            isWritable: true)
      },
      read: { place, data, _ in
        let callback = unsafe place.unit.settings.samplesCallback
        return unsafe place.unit.store(callback ?? AUInputSamplesInOutputCallbackStruct(), data)
      },
      write: { place, data, size in
        guard
          let callback = unsafe place.unit.load(
            AUInputSamplesInOutputCallbackStruct.self, data, size)
        else { return kAudioUnitErr_InvalidPropertyValue }
        unsafe place.setSamplesCallback(callback.inputToOutputCallback == nil ? nil : callback)
        return 0
      },
      remove: { place in
        unsafe place.setSamplesCallback(nil)
        return 0
      }),
  ]
}

extension PropertyPlace {
  /// Sets memory for the output, which is used from the next Initialize on if it is large enough: for planar
  /// samples, channels times the largest slice, rounded up to 16 frames, times 4 bytes.
  fileprivate func setExternalBuffer(_ buffer: AudioUnitExternalBuffer?) -> OSStatus {
    guard !unit.isInitialized else { return kAudioUnitErr_Initialized }
    unsafe unit.settings.externalBuffer = unsafe buffer
    changed(kAudioUnitProperty_SetExternalBuffer)
    return 0
  }

  /// Sets the callback for the input samples behind the output.
  fileprivate func setSamplesCallback(_ callback: AUInputSamplesInOutputCallbackStruct?) {
    unsafe unit.settings.samplesCallback = unsafe callback
    var made: UnsafeMutablePointer<AUInputSamplesInOutputCallbackStruct>?
    if let callback = unsafe callback {
      let fresh = UnsafeMutablePointer<AUInputSamplesInOutputCallbackStruct>.allocate(capacity: 1)
      unsafe fresh.initialize(to: callback)
      unsafe made = fresh
    }
    let old = unsafe unit.render.pointee.samplesCallback.exchange(
      made, ordering: .acquiringAndReleasing)
    if let old = unsafe old { unsafe unit.retire(UnsafeMutableRawPointer(old)) }
    changed(kAudioUnitProperty_InputSamplesInOutput)
  }
}
