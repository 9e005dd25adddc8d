// The properties of elements: formats, sources, names, layouts, frequency response.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

extension UnitProperty {
  private static let formatSize = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
  static let pointerSize = unsafe UInt32(MemoryLayout<UnsafeRawPointer>.size)

  /// Rows of the properties that buses and elements have.
  static let ofBuses: [AudioUnitPropertyID: UnitProperty] = unsafe [
    kAudioUnitProperty_StreamFormat: UnitProperty(
      .formats, info: { _ in PropertyInfo(size: formatSize, isWritable: true) },
      read: { place, data, _ in
        unsafe data.storeBytes(
          of: place.unit.format(place.formatScope, place.element),
          as: AudioStreamBasicDescription.self)
        return 0
      },
      write: { place, data, size in
        unsafe place.unit.setFormat(place.formatScope, place.element, data, size)
      }),
    kAudioUnitProperty_SampleRate: .value(
      .formats, Float64.self,
      get: { $0.unit.format($0.formatScope, $0.element).mSampleRate },
      set: { $0.unit.setSampleRate($0.formatScope, $0.element, $1) }),
    kAudioUnitProperty_ElementCount: UnitProperty(
      .any, .unchecked,
      info: { place in
        PropertyInfo(size: 4, isWritable: place.unit.canSetElementCount(place.scope))
      },
      read: { place, data, _ in
        let count = UInt32(place.unit.elementCount(place.scope) ?? 0)
        unsafe data.storeBytes(of: count, as: UInt32.self)
        return 0
      },
      write: { place, data, size in
        guard size == 4 else { return kAudioUnitErr_InvalidPropertyValue }
        return place.unit.setElementCount(
          unsafe data.loadUnaligned(as: UInt32.self), of: place.scope)
      }),
    kAudioUnitProperty_ElementName: .value(
      .any, CFStringRef?.self,
      get: { unsafe makeCFString($0.unit.elementName($0.scope, $0.element)) },
      set: { place, name in
        place.unit.setElementName(place.scope, place.element, unsafe String(cfString: name))
        place.unit.propertyChanged(
          kAudioUnitProperty_ElementName, scope: place.scope, element: place.element)
        return 0
      },
      remove: { place in
        place.unit.setElementName(place.scope, place.element, nil)
        place.unit.propertyChanged(
          kAudioUnitProperty_ElementName, scope: place.scope, element: place.element)
        return 0
      }),
    kAudioUnitProperty_MakeConnection: UnitProperty(
      .sources,
      info: { _ in
        unsafe PropertyInfo(
          size: UInt32(MemoryLayout<AudioUnitConnection>.size), isWritable: true)
      },
      write: { place, data, size in
        guard unsafe size >= UInt32(MemoryLayout<AudioUnitConnection>.size) else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        return unsafe place.unit.connect(
          place.scope, data.loadUnaligned(as: AudioUnitConnection.self))
      }),
    kAudioUnitProperty_SetRenderCallback: UnitProperty(
      .sources,
      info: { _ in
        unsafe PropertyInfo(
          size: UInt32(MemoryLayout<AURenderCallbackStruct>.size), isWritable: true)
      },
      write: { place, data, size in
        guard unsafe size >= UInt32(MemoryLayout<AURenderCallbackStruct>.size) else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        return unsafe place.unit.setCallback(
          place.element, data.loadUnaligned(as: AURenderCallbackStruct.self))
      }),
    kAudioUnitProperty_SupportedChannelLayoutTags: UnitProperty(
      .buses,
      info: { PropertyInfo(size: UInt32($0.unit.layoutTags($0.address).count * 4)) },
      read: { place, data, _ in
        for (index, tag) in place.unit.layoutTags(place.address).enumerated() {
          unsafe data.storeBytes(of: tag, toByteOffset: index * 4, as: UInt32.self)
        }
        return 0
      }),
    kAudioUnitProperty_AudioChannelLayout: UnitProperty(
      .buses,
      info: { place in
        PropertyInfo(
          size: UInt32(place.unit.channelLayout(place.address).count), isWritable: true)
      },
      read: { place, data, _ in
        let bytes = place.unit.channelLayout(place.address)
        unsafe data.copyMemory(from: bytes, byteCount: bytes.count)
        return 0
      },
      write: { place, data, size in
        let status = unsafe place.unit.setChannelLayout(
          place.address, UnsafeRawBufferPointer(start: data, count: Int(size)))
        if status == 0 { place.changed(kAudioUnitProperty_AudioChannelLayout) }
        return status
      },
      remove: { place in
        place.unit.settings.channelLayouts[place.address] = nil
        place.changed(kAudioUnitProperty_AudioChannelLayout)
        return 0
      }),
    kAudioUnitProperty_ShouldAllocateBuffer: .value(
      .buses, UInt32.self,
      get: { $0.unit.settings.busesWithoutMemory.contains($0.address) ? 0 : 1 },
      set: { place, value in
        guard !place.unit.isInitialized else { return kAudioUnitErr_Initialized }
        if value == 0 {
          place.unit.settings.busesWithoutMemory.insert(place.address)
        } else {
          place.unit.settings.busesWithoutMemory.remove(place.address)
        }
        place.changed(kAudioUnitProperty_ShouldAllocateBuffer)
        return 0
      }),
    kAudioUnitProperty_PresentationLatency: .value(
      .buses, Float64.self,
      set: { place, seconds in
        guard seconds.isFinite, seconds >= 0 else { return kAudioUnitErr_InvalidPropertyValue }
        place.unit.settings.presentationLatencies[place.address] = seconds
        place.changed(kAudioUnitProperty_PresentationLatency)
        return 0
      }),
    kAudioUnitProperty_FrequencyResponse: UnitProperty(
      .buses, isQuestion: true,
      info: { place in
        place.unit.definition.frequencyResponse == nil
          ? .error(kAudioUnitErr_InvalidProperty)
          : PropertyInfo(
            size: UInt32(
              Int(kNumberOfResponseFrequencies) * MemoryLayout<AudioUnitFrequencyResponseBin>.size))
      },
      read: { place, data, size in
        let width = MemoryLayout<AudioUnitFrequencyResponseBin>.size
        guard let response = place.unit.definition.frequencyResponse,
          size >= UInt32(width)
        else { return kAudioUnitErr_InvalidPropertyValue }
        for offset in stride(from: 0, through: Int(size) - width, by: width) {
          let hertz = unsafe data.loadUnaligned(fromByteOffset: offset, as: Double.self)
          // A frequency below zero ends the list.
          if hertz < 0 { break }
          let magnitude = hertz.isFinite ? response(place.unit, hertz) : 0
          unsafe data.storeBytes(of: magnitude, toByteOffset: offset + 8, as: Double.self)
        }
        return 0
      }),
  ]
}

extension PropertyPlace {
  /// Notifies the listeners that a property changed here.
  func changed(_ id: AudioUnitPropertyID) {
    unit.propertyChanged(id, scope: scope, element: element)
  }
}
