// What a host gives a unit: its song's time, names, whether it is offline; and what there is to be shown of it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// Optional properties that are there are as they should be.
  mutating func checkHostProperties() {
    checkNames()
    checkOffline()
    checkMIDIOutputs()
    checkViews()
    for (id, stride, name) in [
      (kAudioUnitProperty_AllParameterMIDIMappings, 32, "AllParameterMIDIMappings"),
      (kAudioUnitProperty_GetUIComponentList, 20, "GetUIComponentList"),
      (kAudioUnitProperty_SupportedNumChannels, 4, "SupportedNumChannels"),
    ] {
      guard let size = try? unit.propertyInfo(id).size else { continue }
      expect(
        size % stride == 0, "properties",
        "\(name) has \(size) bytes, which are no whole entries of \(stride)")
    }
    let scope = kAudioUnitScope_Output
    guard unit.hasProperty(kAudioUnitProperty_PresentationLatency, scope: scope) else { return }
    do throws(AuricleError) {
      try unit.setPresentationLatency(0.02, scope: scope)
    } catch {
      fault("properties", "PresentationLatency cannot be set: \(error.message)")
    }
  }

  /// Names that a host gives are kept, and can be taken away.
  private mutating func checkNames() {
    for (id, name) in [
      (kAudioUnitProperty_ContextName, "ContextName"), (kAudioUnitProperty_NickName, "NickName"),
    ] where (try? unit.propertyInfo(id))?.isWritable == true {
      do throws(AuricleError) {
        try unit.setStringProperty(id, "Ä name")
        let kept = try? unit.stringProperty(id)
        expect(kept == "Ä name", "properties", "\(name) was set, and is \(kept ?? "nothing")")
        try unit.removeProperty(id)
      } catch {
        fault("properties", "\(name) cannot be set, or not taken away: \(error.message)")
      }
    }
  }

  private mutating func checkOffline() {
    let id = kAudioUnitProperty_OfflineRender
    guard (try? unit.propertyInfo(id))?.isWritable == true else { return }
    for value in [1, 0] as [UInt32] {
      do throws(AuricleError) {
        try unit.setProperty(id, value)
        let kept = try unit.property(id, as: UInt32.self)
        expect(kept == value, "properties", "OfflineRender was set to \(value), and is \(kept)")
      } catch {
        fault("properties", "OfflineRender cannot be set to \(value): \(error.message)")
      }
    }
  }

  /// Outputs for MIDI have names.
  private mutating func checkMIDIOutputs() {
    guard
      let names = unsafe try? unit.property(
        kAudioUnitProperty_MIDIOutputCallbackInfo, initial: nil as CFArrayRef?)
    else { return }
    defer { unsafe CFRelease(UnsafeRawPointer(names)) }
    for index in 0..<(unsafe CFArrayGetCount(names)) {
      let name = unsafe CFArrayGetValueAtIndex(names, index).map { CFStringRef($0) }
      let isText = unsafe name.map {
        unsafe CFGetTypeID(UnsafeRawPointer($0)) == CFStringGetTypeID() && CFStringGetLength($0) > 0
      }
      expect(isText == true, "notes", "MIDI output \(index) has no name")
    }
  }

  /// A custom view, which nobody opens here, and an icon are said where they are.
  private mutating func checkViews() {
    if let size = try? unit.propertyInfo(kAudioUnitProperty_CocoaUI).size {
      let pointer = MemoryLayout<UInt>.size
      expect(
        size >= 2 * pointer && size % pointer == 0, "views",
        "CocoaUI has \(size) bytes: a place and at least one class are due")
      let objects = (try? unit.propertyArray(kAudioUnitProperty_CocoaUI, of: UInt.self)) ?? []
      for (index, object) in objects.enumerated() {
        let wanted = index == 0 ? CFURLGetTypeID() : CFStringGetTypeID()
        let what = index == 0 ? "place" : "class \(index)"
        checkObject(object, wanted, "CocoaUI names no \(what)")
      }
    }
    if unit.hasProperty(kAudioUnitProperty_IconLocation) {
      let object = (try? unit.property(kAudioUnitProperty_IconLocation, as: UInt.self)) ?? 0
      checkObject(object, CFURLGetTypeID(), "IconLocation is no place")
    }
  }

  /// An object that the unit gave is of a kind, and is released.
  private mutating func checkObject(_ address: UInt, _ kind: CFTypeID, _ message: String) {
    guard let object = unsafe UnsafeRawPointer(bitPattern: address) else {
      return fault("views", message)
    }
    let found = unsafe CFGetTypeID(object)
    expect(found == kind, "views", message)
    unsafe CFRelease(object)
  }

  /// The host's functions are taken, and called while the unit renders only.
  ///
  /// The unit is initialised, for slices of 512.
  mutating func checkHostCallbacks(from time: Int) {
    let id = kAudioUnitProperty_HostCallbacks
    guard (try? unit.propertyInfo(id))?.isWritable == true else { return }
    let host = ValidationHost()
    defer { withExtendedLifetime(host) {} }
    do throws(AuricleError) {
      try unsafe unit.setHostCallbacks(host.callbacks)
      host.isRendering = true
      let status = render(512, at: time).status
      host.isRendering = false
      expect(status == 0, "host", "with the host's functions it gives the error \(status)")
      try unit.reset()
      _ = try? unit.parameters()
      try unsafe unit.setHostCallbacks(nil)
    } catch {
      return fault("host", "HostCallbacks cannot be set, or not taken away: \(error.message)")
    }
    expect(
      !host.wasCalledOutside, "host", "it asks for the host's time although it does not render")
    host.isRendering = false
    _ = render(512, at: time + 512)
    expect(
      !host.wasCalledOutside, "host", "it calls the host's functions after they were taken away")
  }
}
