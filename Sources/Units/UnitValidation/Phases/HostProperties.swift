// Optional properties: each that exists is as it should be.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// Optional properties that are there are as they should be.
  func checkHostProperties() {
    checkHostNames()
    checkOffline()
    checkViews()
    checkMappings()
    for (id, stride, name) in [
      (kAudioUnitProperty_AllParameterMIDIMappings, 32, "AllParameterMIDIMappings"),
      (kAudioUnitProperty_GetUIComponentList, 20, "GetUIComponentList"),
      (kAudioUnitProperty_SupportedNumChannels, 4, "SupportedNumChannels"),
    ] {
      guard let size = try? unit.propertyInfo(id).size else { continue }
      expect(
        size % stride == 0, .size,
        "\(name) has \(size) bytes, which are no whole entries of \(stride)",
        [.count("bytes", size)])
    }
    let scope = kAudioUnitScope_Output
    guard unit.hasProperty(kAudioUnitProperty_PresentationLatency, scope: scope) else { return }
    do throws(AuricleError) {
      try unit.setPresentationLatency(0.02, scope: scope)
    } catch {
      fault(.presentation, "PresentationLatency cannot be set: \(error.message)")
    }
  }

  /// A mapping of a controller to a parameter is listed until it is removed.
  private func checkMappings() {
    guard
      (try? unit.propertyInfo(kAudioUnitProperty_AddParameterMIDIMapping))?.isWritable == true,
      let parameter = settable(of: unit).first
    else { return }
    var mapping = AUParameterMIDIMapping()
    (mapping.mScope, mapping.mParameterID) = (parameter.scope, parameter.id)
    (mapping.mStatus, mapping.mData1) = (0xB0, 20)
    (mapping.mSubRangeMin, mapping.mSubRangeMax) = (parameter.minimum, parameter.maximum)
    func isListed() -> Bool {
      unit.midiMappings.contains { $0.mParameterID == parameter.id && $0.mData1 == 20 }
    }
    do throws(AuricleError) {
      try unit.addMIDIMapping(mapping)
      guard expect(isListed(), .midiMappings, "a MIDI mapping that was added is not listed") else {
        return
      }
      try unit.removeMIDIMapping(mapping)
      expect(!isListed(), .midiMappings, "a MIDI mapping that was removed is listed")
    } catch {
      fault(.midiMappings, "a MIDI mapping cannot be added and removed: \(error.message)")
    }
  }

  /// Checks that names which a host sets are kept, and can be removed.
  private func checkHostNames() {
    for (id, name) in [
      (kAudioUnitProperty_ContextName, "ContextName"), (kAudioUnitProperty_NickName, "NickName"),
    ] where (try? unit.propertyInfo(id))?.isWritable == true {
      do throws(AuricleError) {
        try unit.setStringProperty(id, "Ä name")
        let kept = try? unit.stringProperty(id)
        expect(kept == "Ä name", .contextNames, "\(name) was set, and is \(kept ?? "nothing")")
        // Apple's own base class reads a string with any size: only a string can be set again.
        if (try? unit.removeProperty(id)) == nil { try unit.setStringProperty(id, "") }
      } catch {
        fault(.contextNames, "\(name) cannot be set: \(error.message)")
      }
    }
  }

  private func checkOffline() {
    let id = kAudioUnitProperty_OfflineRender
    guard (try? unit.propertyInfo(id))?.isWritable == true else { return }
    for value in [1, 0] as [UInt32] {
      do throws(AuricleError) {
        try unit.setProperty(id, value)
        // A property that can only be written keeps its value, as far as is visible.
        guard let kept = try? unit.property(id, as: UInt32.self) else { continue }
        expect(kept == value, .offline, "OfflineRender was set to \(value), and is \(kept)")
      } catch {
        fault(.offline, "OfflineRender cannot be set to \(value): \(error.message)")
      }
    }
  }

  /// Checks that the places of a custom view, which nobody opens here, and of an icon are valid.
  private func checkViews() {
    if let size = try? unit.propertyInfo(kAudioUnitProperty_CocoaUI).size {
      let pointer = MemoryLayout<UInt>.size
      expect(
        size >= 2 * pointer && size % pointer == 0, .cocoaView,
        "CocoaUI has \(size) bytes: a place and at least one class are due",
        [.count("bytes", size)])
      let objects = (try? unit.propertyArray(kAudioUnitProperty_CocoaUI, of: UInt.self)) ?? []
      for (index, object) in objects.enumerated() {
        let wanted = index == 0 ? CFURLGetTypeID() : CFStringGetTypeID()
        let what = index == 0 ? "place" : "class \(index)"
        checkObject(object, wanted, .cocoaView, "CocoaUI names no \(what)")
      }
    }
    if unit.hasProperty(kAudioUnitProperty_IconLocation) {
      let object = (try? unit.property(kAudioUnitProperty_IconLocation, as: UInt.self)) ?? 0
      checkObject(object, CFURLGetTypeID(), .icon, "IconLocation is no place")
    }
  }

  /// An object that the unit returned is of a kind, and is released.
  private func checkObject(
    _ address: UInt, _ kind: CFTypeID, _ check: ValidationCheck, _ message: String
  ) {
    guard let object = unsafe UnsafeRawPointer(bitPattern: address) else {
      return fault(check, message)
    }
    let found = unsafe CFGetTypeID(object)
    expect(found == kind, check, message)
    unsafe CFRelease(object)
  }
}
