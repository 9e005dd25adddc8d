// The properties of MIDI mappings: which messages control which parameters.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Synchronization

extension UnitProperty {
  private static let mappingSize = UInt32(MemoryLayout<AUParameterMIDIMapping>.size)

  /// Rows of the properties of the MIDI mapping; units without MIDI input have none of them.
  static let ofMappings: [AudioUnitPropertyID: UnitProperty] = unsafe [
    kAudioUnitProperty_AllParameterMIDIMappings: UnitProperty(
      .global,
      info: { place in
        place.unit.addLearntMapping()
        return place.unit.acceptsMIDI
          ? PropertyInfo(
            size: UInt32(place.unit.settings.midiMappings.count) * mappingSize, isWritable: true)
          : .error(kAudioUnitErr_InvalidProperty)
      },
      read: { place, data, _ in
        for (index, mapping) in place.unit.settings.midiMappings.enumerated() {
          unsafe data.storeBytes(
            of: mapping, toByteOffset: index * MemoryLayout<AUParameterMIDIMapping>.stride,
            as: AUParameterMIDIMapping.self)
        }
        return 0
      },
      write: { place, data, size in
        unsafe place.unit.changeMappings(place, data, size) { _, supplied in supplied }
      },
      remove: { place in
        place.unit.settings.midiMappings = []
        place.unit.mappingsChanged()
        return 0
      }),
    kAudioUnitProperty_AddParameterMIDIMapping: UnitProperty(
      .global, info: mappingInfo,
      write: { place, data, size in
        unsafe place.unit.changeMappings(place, data, size) { present, supplied in
          present.filter { old in !supplied.contains { $0.isOf(old) } } + supplied
        }
      }),
    kAudioUnitProperty_RemoveParameterMIDIMapping: UnitProperty(
      .global, info: mappingInfo,
      write: { place, data, size in
        unsafe place.unit.changeMappings(place, data, size) { present, supplied in
          present.filter { old in !supplied.contains { $0.isOf(old) } }
        }
      }),
    kAudioUnitProperty_HotMapParameterMIDIMapping: UnitProperty(
      .global, info: mappingInfo,
      read: { place, data, _ in
        place.unit.addLearntMapping()
        let settings = place.unit.settings
        guard let mapping = settings.hotMapping ?? settings.lastHotMapping else {
          return kAudioUnitErr_PropertyNotInUse
        }
        unsafe data.storeBytes(of: mapping, as: AUParameterMIDIMapping.self)
        return 0
      },
      write: { place, data, size in
        guard size == mappingSize else { return kAudioUnitErr_InvalidPropertyValue }
        let mapping = unsafe data.loadUnaligned(as: AUParameterMIDIMapping.self)
        let status = place.unit.check(mapping)
        guard status == 0 else { return status }
        place.unit.addLearntMapping()
        place.unit.settings.hotMapping = mapping
        place.unit.mappingsChanged()
        place.changed(kAudioUnitProperty_HotMapParameterMIDIMapping)
        return 0
      },
      remove: { place in
        place.unit.settings.hotMapping = nil
        place.unit.settings.lastHotMapping = nil
        place.unit.mappingsChanged()
        place.changed(kAudioUnitProperty_HotMapParameterMIDIMapping)
        return 0
      }),
  ]

  private static let mappingInfo: Info = { place in
    place.unit.acceptsMIDI
      ? PropertyInfo(size: mappingSize, isWritable: true) : .error(kAudioUnitErr_InvalidProperty)
  }
}

extension AUParameterMIDIMapping {
  /// Returns whether both map the same message to the same parameter.
  func isOf(_ other: AUParameterMIDIMapping) -> Bool {
    mScope == other.mScope && mElement == other.mElement && mParameterID == other.mParameterID
      && mStatus == other.mStatus && mData1 == other.mData1
  }
}

extension UnitInstance {
  /// Returns whether a mapping has a writable parameter and a channel message.
  func check(_ mapping: AUParameterMIDIMapping) -> OSStatus {
    var address = ParameterAddress()
    let status = table.find(mapping.mParameterID, mapping.mScope, mapping.mElement, &address)
    guard status == 0 else { return status }
    guard !address.entry.isMeter else { return kAudioUnitErr_InvalidParameter }
    guard mapping.mSubRangeMin.isFinite, mapping.mSubRangeMax.isFinite else {
      return kAudioUnitErr_InvalidPropertyValue
    }
    return 0
  }

  /// Merges an array of mappings with the current ones.
  func changeMappings(
    _ place: PropertyPlace, _ data: UnsafeRawPointer, _ size: UInt32,
    _ change: ([AUParameterMIDIMapping], [AUParameterMIDIMapping]) -> [AUParameterMIDIMapping]
  ) -> OSStatus {
    let width = MemoryLayout<AUParameterMIDIMapping>.stride
    guard Int(size) % width == 0 else { return kAudioUnitErr_InvalidPropertyValue }
    let supplied = (0..<Int(size) / width).map { index in
      unsafe data.loadUnaligned(fromByteOffset: index * width, as: AUParameterMIDIMapping.self)
    }
    for mapping in supplied {
      let status = check(mapping)
      guard status == 0 else { return status }
      guard mapping.mStatus >= 0x80, mapping.mStatus < 0xF0 else {
        return kAudioUnitErr_InvalidPropertyValue
      }
    }
    addLearntMapping()
    let changed = change(settings.midiMappings, supplied)
    guard changed.count <= 4096 else { return kAudio_MemFullError }
    settings.midiMappings = changed
    mappingsChanged()
    return 0
  }

  /// Applies the mappings and notifies the listeners.
  func mappingsChanged() {
    publishMappings()
    propertyChanged(kAudioUnitProperty_AllParameterMIDIMappings)
  }

  /// Publishes the current mappings to the render thread.
  private func publishMappings() {
    let entries = settings.midiMappings.compactMap { mapping -> MIDIMappingEntry? in
      var address = ParameterAddress()
      guard
        table.find(mapping.mParameterID, mapping.mScope, mapping.mElement, &address) == 0,
        let parameter = parameterDefinition(mapping.mParameterID, mapping.mScope)
      else { return nil }
      let isPart = mapping.mFlags & kAUParameterMIDIMapping_SubRange != 0
      let (least, greatest) = (
        parameter.minimum(atSampleRate: sampleRate), parameter.maximum(atSampleRate: sampleRate)
      )
      return MIDIMappingEntry(
        flags: mapping.mFlags, status: mapping.mStatus, data1: mapping.mData1,
        index: address.index,
        least: isPart ? min(max(mapping.mSubRangeMin, least), greatest) : least,
        greatest: isPart ? min(max(mapping.mSubRangeMax, least), greatest) : greatest)
    }
    var made: UnsafeMutablePointer<MIDIMappingList>?
    if !entries.isEmpty || settings.hotMapping != nil {
      unsafe made = MIDIMappingList.make(entries, learns: settings.hotMapping != nil)
    }
    let old = unsafe render.pointee.mappings.exchange(made, ordering: .acquiringAndReleasing)
    if let old = unsafe old { unsafe retire(UnsafeMutableRawPointer(old)) }
  }

  /// Adds the mapping that the hot mapping has learnt, if any.
  func addLearntMapping() {
    guard var mapping = settings.hotMapping,
      let list = unsafe render.pointee.mappings.load(ordering: .acquiring)
    else { return }
    let learnt = unsafe list.pointee.learnt.load(ordering: .acquiring)
    guard learnt != 0 else { return }
    mapping.mStatus = UInt8(learnt >> 8 & 0xFF)
    mapping.mData1 = UInt8(learnt & 0xFF)
    settings.hotMapping = nil
    settings.lastHotMapping = mapping
    settings.midiMappings.removeAll { $0.isOf(mapping) }
    settings.midiMappings.append(mapping)
    mappingsChanged()
    propertyChanged(kAudioUnitProperty_HotMapParameterMIDIMapping)
  }

  /// Whether the unit's type receives MIDI.
  var acceptsMIDI: Bool { UnitFamily(description.componentType).acceptsMIDI }
}
