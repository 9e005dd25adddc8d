// The properties of the unit as a whole: times, slices, channels, quality, errors, load.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport
import Synchronization

extension UnitProperty {
  /// Rows of the properties of the global scope.
  static let ofUnits: [AudioUnitPropertyID: UnitProperty] = unsafe [
    kAudioUnitProperty_FastDispatch: UnitProperty(
      .global, .unchecked,
      info: { place in
        guard let selector = Int16(exactly: place.element),
          unsafe place.unit.method(of: selector) != nil
        else { return .error(kAudioUnitErr_InvalidElement) }
        return PropertyInfo(size: pointerSize)
      },
      read: { place, data, _ in
        guard let selector = Int16(exactly: place.element) else {
          return kAudioUnitErr_InvalidElement
        }
        let method = unsafe place.unit.method(of: selector)
        unsafe data.storeBytes(of: method, as: AudioComponentMethod?.self)
        return 0
      }),
    // Programs set a share of the processor as a limit; it does not limit rendering.
    kAudioUnitProperty_CPULoad: .value(
      .global, Float64.self, get: { unsafe Double($0.unit.render.pointee.load.value) },
      set: { _, limit in
        limit >= 0 && limit <= 1 ? 0 : kAudioUnitErr_InvalidPropertyValue
      }),
    kAudioUnitProperty_Latency: .value(
      .global, Float64.self,
      get: { unsafe $0.unit.procedures.latencyFrames($0.unit.kernel) / $0.unit.sampleRate }),
    kAudioUnitProperty_TailTime: .value(
      .global, Float64.self,
      exists: { unsafe $0.unit.procedures.tailSeconds($0.unit.kernel) != nil },
      get: { unsafe $0.unit.procedures.tailSeconds($0.unit.kernel) ?? 0 }),
    kAudioUnitProperty_SupportedNumChannels: UnitProperty(
      .global,
      info: { place in
        guard let pairs = place.unit.definition.channelCapabilities else {
          return .error(kAudioUnitErr_InvalidProperty)
        }
        return PropertyInfo(size: UInt32(pairs.count * MemoryLayout<AUChannelInfo>.size))
      },
      read: { place, data, _ in
        for (index, pair) in (place.unit.definition.channelCapabilities ?? []).enumerated() {
          unsafe data.storeBytes(
            of: AUChannelInfo(inChannels: pair.inputs, outChannels: pair.outputs),
            toByteOffset: index * MemoryLayout<AUChannelInfo>.stride, as: AUChannelInfo.self)
        }
        return 0
      }),
    kAudioUnitProperty_MaximumFramesPerSlice: .value(
      .global, UInt32.self, get: { $0.unit.maximumFrames },
      set: { place, frames in
        guard frames > 0, frames <= 1 << 24 else { return kAudioUnitErr_InvalidPropertyValue }
        // Setting the current value is allowed at any time.
        guard frames != place.unit.maximumFrames else { return 0 }
        guard !place.unit.isInitialized else { return kAudioUnitErr_Initialized }
        place.unit.maximumFrames = frames
        place.changed(kAudioUnitProperty_MaximumFramesPerSlice)
        return 0
      }),
    kAudioUnitProperty_BypassEffect: .value(
      .global, UInt32.self,
      exists: { place in
        !place.unit.inputFormats.isEmpty && !place.unit.outputFormats.isEmpty
          && !place.unit.definition.kernelPullsInputs
      },
      get: { unsafe $0.unit.render.pointee.isBypassed.load(ordering: .relaxed) ? 1 : 0 },
      set: { place, value in
        unsafe place.unit.render.pointee.isBypassed.store(value != 0, ordering: .relaxed)
        place.changed(kAudioUnitProperty_BypassEffect)
        return 0
      }),
    kAudioUnitProperty_LastRenderError: .value(
      .global, OSStatus.self,
      get: { unsafe $0.unit.render.pointee.lastError.exchange(0, ordering: .relaxed) }),
    kAudioUnitProperty_LastRenderSampleTime: .value(
      .global, Float64.self,
      get: { unsafe $0.unit.render.pointee.lastSampleTime.load(ordering: .relaxed) }),
    kAudioUnitProperty_RenderQuality: .value(
      .global, UInt32.self, get: { $0.unit.settings.renderQuality },
      set: { place, quality in
        guard quality <= kRenderQuality_Max else { return kAudioUnitErr_InvalidPropertyValue }
        place.unit.settings.renderQuality = quality
        place.changed(kAudioUnitProperty_RenderQuality)
        return 0
      }),
    kAudioUnitProperty_InPlaceProcessing: .value(
      .global, UInt32.self,
      get: { unsafe $0.unit.render.pointee.mayWorkInPlace.load(ordering: .relaxed) ? 1 : 0 },
      set: { place, value in
        guard value == 0 || place.unit.definition.processesInPlace else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        unsafe place.unit.render.pointee.mayWorkInPlace.store(value != 0, ordering: .relaxed)
        place.changed(kAudioUnitProperty_InPlaceProcessing)
        return 0
      }),
    kAudioUnitProperty_OfflineRender: .value(
      .global, UInt32.self, get: { $0.unit.isOffline },
      set: { place, value in
        place.unit.isOffline = value != 0 ? 1 : 0
        place.changed(kAudioUnitProperty_OfflineRender)
        return 0
      }),
    kAudioUnitProperty_LoadedOutOfProcess: .value(.global, UInt32.self, get: { _ in 0 }),
    kAudioUnitProperty_ParametersForOverview: UnitProperty(
      .global,
      info: { place in
        let count = place.unit.definition.overview.count
        return count == 0
          ? .error(kAudioUnitErr_InvalidProperty)
          : unsafe PropertyInfo(size: UInt32(count * MemoryLayout<AudioUnitParameter>.size))
      },
      read: { place, data, size in
        // The padding of the structure is defined, too.
        unsafe data.initializeMemory(as: UInt8.self, repeating: 0, count: Int(size))
        for (index, id) in place.unit.definition.overview.enumerated() {
          let entry = unsafe (data + index * MemoryLayout<AudioUnitParameter>.stride)
          unsafe entry.storeBytes(of: place.unit.handle, as: AudioUnitHandle?.self)
          unsafe entry.storeBytes(of: id, toByteOffset: 8, as: UInt32.self)
        }
        return 0
      }),
    kAuricleProperty_DenormalsAreOff: UnitProperty(
      .global, info: { _ in PropertyInfo(size: 8, isWritable: true) },
      read: { _, _, _ in kAudioUnitErr_InvalidProperty },
      write: { place, data, size in
        guard size == 8 else { return kAudioUnitErr_InvalidPropertyValue }
        unsafe place.unit.render.pointee.hostGuard.store(
          data.loadUnaligned(as: UnsafePointer<UInt32>?.self), ordering: .releasing)
        return 0
      }),
    kAuricleProperty_ContractVersion: .value(
      .global, UInt32.self, get: { _ in UInt32(kAuricleContractVersion) }),
    kAuricleProperty_DirectRender: .value(
      .global, AuricleDirectRender.self, get: { unsafe $0.unit.directRender }),
    kAuricleProperty_FailureReason: .value(
      .global, CFStringRef?.self, get: { unsafe makeCFString($0.unit.failureReason) }),
  ]
}

extension UnitInstance {
  /// Returns the function of a selector; nil for one that the unit does not implement.
  fileprivate func method(of selector: Int16) -> AudioComponentMethod? {
    unsafe UnitFamily(description.componentType).lookUp(selector)
  }
}
