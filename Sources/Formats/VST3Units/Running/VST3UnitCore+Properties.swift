// Properties of VST3 units beyond those of every unit: presets, bypass, and values as text.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
internal import AuricleSDK
internal import CAudioToolbox
internal import ForeignPlugIns
internal import HostSystem
internal import RealtimeSupport

extension VST3UnitCore {
  private static let pointerSize = unsafe UInt32(MemoryLayout<UnsafeRawPointer>.size)

  /// The definitions.
  var properties: [PropertyDefinition] {
    [identifierProperty] + presetProperties + bypassProperties
  }

  private var identifierProperty: PropertyDefinition {
    let identifier = identifier
    return unsafe PropertyDefinition(
      id: kAuricleProperty_ComponentIdentifier, size: Self.pointerSize,
      read: { _, _, data in
        unsafe data.storeBytes(of: makeCFString(identifier), as: CFStringRef?.self)
        return 0
      })
  }

  private var presetProperties: [PropertyDefinition] {
    let uris = presets.map(\.uri)
    return unsafe [
      PropertyDefinition(
        id: kAuricleProperty_PresetURI, size: Self.pointerSize,
        read: { _, _, _ in kAudioUnitErr_PropertyNotInUse },
        write: { unit, _, data, size in
          guard size == Self.pointerSize, let data = unsafe data,
            let uri = unsafe String(cfString: data.load(as: CFStringRef?.self))
          else { return kAudioUnitErr_InvalidPropertyValue }
          return self.loadPreset(uri, into: unit)
        }),
      PropertyDefinition(
        id: kAuricleProperty_PresetURIs, size: Self.pointerSize,
        read: { _, _, data in
          unsafe data.storeBytes(of: makeCFArray(uris), as: CFArrayRef?.self)
          return 0
        }),
      PropertyDefinition(
        id: kAuricleProperty_SavePreset, size: Self.pointerSize,
        read: { _, _, _ in kAudioUnitErr_PropertyNotInUse },
        write: { unit, _, data, size in
          guard size == Self.pointerSize, let data = unsafe data else {
            return kAudioUnitErr_InvalidPropertyValue
          }
          let values = unsafe data.load(as: CFDictionaryRef?.self)
          guard let folder = unsafe Self.text(values, "folder"),
            let file = unsafe Self.text(values, "file"),
            let label = unsafe Self.text(values, "label"), !file.isEmpty, !file.contains("/")
          else { return kAudioUnitErr_InvalidPropertyValue }
          return self.savePreset(of: unit, to: folder + "/" + file, label: label)
        }),
    ]
  }

  /// The text of a key in a dictionary; nil without one.
  private static func text(_ dictionary: CFDictionaryRef?, _ key: String) -> String? {
    guard let dictionary = unsafe dictionary else { return nil }
    return unsafe withCFString(key) { name in
      let value = unsafe name.flatMap {
        unsafe CFDictionaryGetValue(dictionary, UnsafeRawPointer($0))
      }
      guard let value = unsafe value, unsafe CFGetTypeID(value) == CFStringGetTypeID() else {
        return nil
      }
      return unsafe String(cfString: CFStringRef(value))
    }
  }

  /// Writes the present state as a `.vstpreset` file.
  private func savePreset(of unit: UnitInstance, to path: String, label: String) -> OSStatus {
    guard instance != nil else { return kAudioUnitErr_Uninitialized }
    guard let state else {
      return unit.refuse(kAudioUnitErr_InvalidPropertyValue, "the plug-in saves no state")
    }
    var preset = VST3PresetFile(classID: description.classID, state: state)
    preset.information = VST3PresetFile.information(description, name: label)
    do throws(AuricleError) {
      let file = try AtomicFile(path: path, overwrite: true)
      guard FileTransfer.writeAll(preset.encoded, to: file.descriptor) == 0 else {
        return unit.refuse(kAudioUnitErr_InvalidFile, "\(path) cannot be written")
      }
      try file.commit()
      return 0
    } catch { return unit.refuse(kAudioUnitErr_InvalidFile, error.message) }
  }

  /// A plug-in with a parameter for it bypasses itself: without a click, and with its latency.
  private var bypassProperties: [PropertyDefinition] {
    guard let place = description.bypassPlace else { return [] }
    let range = description.parameters[place].range
    return unsafe [
      PropertyDefinition(
        id: kAudioUnitProperty_BypassEffect, size: 4,
        read: { unit, _, data in
          let isBypassed = unit.values.value(at: place) > range.lowerBound
          unsafe data.storeBytes(of: isBypassed ? 1 : 0, as: UInt32.self)
          return 0
        },
        write: { unit, _, data, size in
          guard size == 4, let data = unsafe data else {
            return kAudioUnitErr_InvalidPropertyValue
          }
          let isBypassed = unsafe data.load(as: UInt32.self) != 0
          unit.values.setValue(isBypassed ? range.upperBound : range.lowerBound, at: place)
          return 0
        })
    ]
  }
}
