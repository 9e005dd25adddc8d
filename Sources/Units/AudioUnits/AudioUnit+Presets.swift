// Presets that come with a unit.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
internal import CAudioToolbox

extension AudioUnit {
  /// The presets that come with the unit, in its order; empty if there are none.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_FactoryPresets`.
  public var factoryPresets: [(number: Int, name: String)] {
    guard
      let array = unsafe try? property(
        kAudioUnitProperty_FactoryPresets, initial: nil as CFArrayRef?)
    else { return [] }
    defer { unsafe CFRelease(UnsafeRawPointer(array)) }
    var presets: [(number: Int, name: String)] = []
    let count = unsafe max(0, CFArrayGetCount(array))
    for index in 0..<count {
      // Elements are pointers to structs, not CF objects; they live as long as the array.
      guard let pointer = unsafe CFArrayGetValueAtIndex(array, index) else { continue }
      let preset = unsafe pointer.assumingMemoryBound(to: AUPreset.self).pointee
      let name = unsafe String(cfString: preset.presetName) ?? ""
      presets.append((number: unsafe Int(preset.presetNumber), name: name))
    }
    return presets
  }

  /// The URIs of the factory presets, in their order; empty where they have none.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_PresetURIs`.
  public var presetURIs: [String] {
    guard
      let array = unsafe try? property(
        kAuricleProperty_PresetURIs, initial: nil as CFArrayRef?)
    else { return [] }
    defer { unsafe CFRelease(UnsafeRawPointer(array)) }
    return unsafe (0..<max(0, CFArrayGetCount(array))).map { index in
      let value = unsafe CFArrayGetValueAtIndex(array, index)
      return unsafe String(cfString: value.map { CFStringRef($0) }) ?? ""
    }
  }

  /// Sets all parameters to those of a factory preset.
  ///
  /// - Parameter number: One of `factoryPresets`.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_PresentPreset`.
  public func selectPreset(number: Int) throws(AuricleError) {
    let presets = factoryPresets
    guard let preset = presets.first(where: { $0.number == number }),
      let presetNumber = Int32(exactly: number)
    else {
      throw failure(
        .invalidPropertyValue,
        presets.isEmpty
          ? "the unit has no factory presets" : "the unit has no factory preset \(number)")
    }
    try unsafe withCFString(preset.name) { (name) throws(AuricleError) in
      let value = unsafe AUPreset(presetNumber: presetNumber, presetName: name)
      try unsafe setProperty(kAudioUnitProperty_PresentPreset, value)
    }
    parametersChanged()
  }

  /// Notifies all listeners that every parameter of the unit may have another value.
  ///
  /// Context: control. The corresponding call is `AUParameterListenerNotify` with
  /// `kAUParameterListener_AnyParameter`.
  public func parametersChanged() {
    unsafe EventCenter.notify(
      unsafe UnitEvent(.valueChange, of: instance, id: UnitEvent.anyParameter))
  }

  /// Whether the unit loads presets that are named by URI.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_PresetURI`.
  public var loadsPresetsByURI: Bool { hasProperty(kAuricleProperty_PresetURI) }

  /// Loads a preset that is named by URI.
  ///
  /// - Parameter uri: The preset's URI.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_PresetURI`.
  public func selectPreset(uri: String) throws(AuricleError) {
    do throws(AuricleError) {
      try setStringProperty(kAuricleProperty_PresetURI, uri)
    } catch {
      // A unit that says why: a preset of another plug-in, a damaged file.
      guard let reason = failureReason else { throw error }
      throw AuricleError(.badData, status: error.status, "\(name): \(reason)")
    }
    parametersChanged()
  }

  /// The preset the unit was last set to; nil where it reports none. Negative: a user's preset.
  ///
  /// The name is not released: a unit should retain it for its host, and some return their only reference.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_PresentPreset`.
  public var presentPreset: (number: Int, name: String)? {
    guard
      let preset = unsafe try? property(
        kAudioUnitProperty_PresentPreset, initial: AUPreset())
    else { return nil }
    let name = unsafe String(cfString: preset.presetName) ?? ""
    return (number: unsafe Int(preset.presetNumber), name: name)
  }
}
