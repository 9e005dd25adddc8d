// Properties that every unit of a type has, its formats, its state, its presets.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// The properties that a type must have, by name.
  mutating func checkProperties() {
    var wanted: [(AudioUnitPropertyID, AudioUnitScope, String)] = [
      (kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, "MaximumFramesPerSlice"),
      (kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, "LastRenderError"),
      (kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, "ParameterList"),
      (kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, "ClassInfo"),
      (kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, "PresentPreset"),
    ]
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      wanted.append((kAudioUnitProperty_ElementCount, scope, "ElementCount"))
      guard unit.busCount(scope: scope) > 0 else { continue }
      wanted.append((kAudioUnitProperty_StreamFormat, scope, "StreamFormat"))
      wanted.append((kAudioUnitProperty_SampleRate, scope, "SampleRate"))
    }
    if type == kAudioUnitType_MusicDevice {
      wanted.append((kMusicDeviceProperty_InstrumentCount, 0, "InstrumentCount"))
    }
    if type == kAudioUnitType_Output {
      wanted.append((kAudioOutputUnitProperty_IsRunning, 0, "IsRunning"))
    }
    for (id, scope, name) in wanted {
      expect(
        unit.hasProperty(id, scope: scope), "properties", "\(name) is missing on scope \(scope)")
    }
    checkRecommended()
    for element in 0..<UInt32(unit.busCount(scope: kAudioUnitScope_Input)) {
      for (id, name) in [
        (kAudioUnitProperty_MakeConnection, "MakeConnection"),
        (kAudioUnitProperty_SetRenderCallback, "SetRenderCallback"),
      ] {
        let info = try? unit.propertyInfo(id, scope: kAudioUnitScope_Input, element: element)
        expect(info?.isWritable == true, "properties", "\(name) cannot be set of input \(element)")
      }
    }
    if type == kAudioUnitType_Mixer {
      let info = try? unit.propertyInfo(
        kAudioUnitProperty_ElementCount, scope: kAudioUnitScope_Input)
      expect(info?.isWritable == true, "properties", "the number of a mixer's inputs cannot be set")
    }
  }

  /// The properties that a type should have, by name.
  private mutating func checkRecommended() {
    var wanted: [(AudioUnitPropertyID, String)] = []
    if isEffect || type == kAudioUnitType_MusicDevice {
      wanted.append((kAudioUnitProperty_Latency, "Latency"))
    }
    if isEffect {
      wanted.append((kAudioUnitProperty_TailTime, "TailTime"))
      wanted.append((kAudioUnitProperty_BypassEffect, "BypassEffect"))
    }
    for (id, name) in wanted {
      advise(
        unit.hasProperty(id), "properties",
        "\(name) is missing, which a unit of its type should have")
    }
  }

  /// A fresh unit goes at 44,100 Hz, with numbers of channels that it says it can do.
  mutating func checkDefaultFormats() {
    var counts: [Int] = []
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      for element in 0..<UInt32(unit.busCount(scope: scope)) {
        guard let format = try? unit.streamFormat(scope: scope, element: element) else {
          fault("formats", "bus \(element) of scope \(scope) tells no format")
          continue
        }
        expect(
          format.sampleRate == 44_100, "formats",
          "bus \(element) of scope \(scope) goes at \(format.sampleRate) Hz at first, not 44100")
        if element == 0 { counts.append(format.channelCount) }
      }
    }
    guard counts.count == 2, isEffect else { return }
    expect(
      unit.supports(inputChannels: counts[0], outputChannels: counts[1]), "formats",
      "its first formats, \(counts[0]) to \(counts[1]) channels, are none that it says it can do")
  }

  /// ClassInfo is a dictionary that names the unit, and can be set again.
  mutating func checkState() {
    guard
      let state = unsafe try? unit.property(
        kAudioUnitProperty_ClassInfo, initial: nil as CFDictionaryRef?)
    else { return fault("state", "ClassInfo cannot be read") }
    defer { unsafe CFRelease(UnsafeRawPointer(state)) }
    guard unsafe CFGetTypeID(UnsafeRawPointer(state)) == CFDictionaryGetTypeID() else {
      return fault("state", "ClassInfo is no dictionary")
    }
    let description = unit.description
    for (key, expected) in [
      ("version", 0), ("type", description.componentType),
      ("subtype", description.componentSubType),
      ("manufacturer", description.componentManufacturer),
    ] {
      let found = unsafe integer(key, of: state)
      expect(found == expected, "state", "ClassInfo has another \(key) than the component")
    }
    do throws(AuricleError) {
      unsafe try unit.setProperty(kAudioUnitProperty_ClassInfo, state as CFDictionaryRef?)
    } catch {
      fault("state", "ClassInfo cannot be set again: \(error.message)")
    }
  }

  private func integer(_ key: String, of state: CFDictionaryRef) -> UInt32? {
    unsafe withCFString(key) { key -> UInt32? in
      guard let key = unsafe key,
        let value = unsafe CFDictionaryGetValue(state, UnsafeRawPointer(key)),
        unsafe CFGetTypeID(value) == CFNumberGetTypeID()
      else { return nil }
      var number: Int32 = 0
      guard unsafe CFNumberGetValue(CFNumberRef(value), CFNumberType(kCFNumberSInt32Type), &number)
      else { return nil }
      return UInt32(bitPattern: number)
    }
  }

  /// Factory presets have names, can be chosen, and are told once they are.
  mutating func checkPresets() {
    for preset in unit.factoryPresets {
      expect(!preset.name.isEmpty, "presets", "factory preset \(preset.number) has no name")
      do throws(AuricleError) {
        try unit.selectPreset(number: preset.number)
      } catch {
        fault("presets", "factory preset \(preset.number) cannot be chosen: \(error.message)")
        continue
      }
      expect(
        unit.presentPreset?.number == preset.number, "presets",
        "factory preset \(preset.number) was chosen, and another is told")
    }
  }
}
