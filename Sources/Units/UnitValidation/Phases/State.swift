// The state of a unit: ClassInfo, and its value after it was set.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// ClassInfo is a dictionary that names the unit, and can be set again.
  func checkState() {
    guard unit.hasProperty(kAudioUnitProperty_ClassInfo) else { return }
    guard let state = unsafe Self.state(of: unit) else {
      return fault(.classInfo, "ClassInfo cannot be read")
    }
    defer { unsafe CFRelease(UnsafeRawPointer(state)) }
    guard unsafe CFGetTypeID(UnsafeRawPointer(state)) == CFDictionaryGetTypeID() else {
      return fault(.classInfo, "ClassInfo is no dictionary")
    }
    let description = unit.description
    for (key, expected) in [
      ("version", 0), ("type", description.componentType),
      ("subtype", description.componentSubType),
      ("manufacturer", description.componentManufacturer),
    ] {
      let found = unsafe integer(key, of: state)
      // Newer ones may have a version of their own.
      let holds = key == "version" ? found != nil : found == expected
      expect(
        holds, .stateIdentity, "ClassInfo has another \(key) than the component",
        [UnitFault.Evidence("key", .text(key)), .count("found", Int(found ?? 0))])
    }
    do throws(AuricleError) {
      unsafe try unit.setProperty(kAudioUnitProperty_ClassInfo, state as CFDictionaryRef?)
    } catch {
      fault(.stateSet, "ClassInfo cannot be set again: \(error.message)")
    }
  }

  /// The state of a unit; the caller releases it.
  static func state(of unit: AudioUnit) -> CFDictionaryRef? {
    unsafe (try? unit.property(kAudioUnitProperty_ClassInfo, initial: nil as CFDictionaryRef?))
      ?? nil
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

  /// A state that was saved with other values brings them back, in this unit and in a fresh one.
  func checkRestoring() throws(AuricleError) {
    let parameters = settable(of: unit)
    guard !parameters.isEmpty, canRestore else { return }
    var random = random(2)
    setAny(parameters, of: unit, &random)
    let saved = parameters.map { value(of: $0, in: unit) }
    guard let state = unsafe Self.state(of: unit) else { return }
    defer { unsafe CFRelease(UnsafeRawPointer(state)) }
    setAny(parameters, of: unit, &random)
    for (what, restored) in [("it", unit), ("a fresh instance", try fresh())] {
      do throws(AuricleError) {
        unsafe try restored.setProperty(kAudioUnitProperty_ClassInfo, state as CFDictionaryRef?)
      } catch {
        return fault(.stateRestore, "\(what) does not accept its state: \(error.message)")
      }
      guard let other = firstDifference(parameters, from: saved, in: restored) else { continue }
      return fault(
        .stateRestore,
        "\(other.name) was saved as \(other.wanted), and \(what) has \(other.found) after its state "
          + "was set", [.value("saved", other.wanted), .value("found", other.found)])
    }
  }

  /// Whether a saved state can be set at all, by the earlier results.
  private var canRestore: Bool { !isBroken(.stateSet) && !isBroken(.classInfo) }

  /// The first parameter that has another value than the one that was saved.
  private func firstDifference(
    _ parameters: [UnitParameter], from saved: [Float?], in restored: AudioUnit
  ) -> (name: String, wanted: Float, found: Float)? {
    for (parameter, wanted) in zip(parameters, saved) {
      guard let wanted, let found = value(of: parameter, in: restored) else { continue }
      let nearness = max(1e-6, 1e-4 * abs(parameter.maximum - parameter.minimum))
      guard abs(found - wanted) > nearness else { continue }
      return ("\(parameter.id), \"\(parameter.name)\",", wanted, found)
    }
    return nil
  }

  /// A factory preset that was saved in a state comes back in a fresh instance.
  func checkSavingPresets() throws(AuricleError) {
    guard canRestore, !isBroken(.stateRestore), !isBroken(.presetSelect) else { return }
    let parameters = settable(of: unit)
    for preset in unit.factoryPresets.prefix(32) {
      guard (try? unit.selectPreset(number: preset.number)) != nil,
        let state = unsafe Self.state(of: unit)
      else { continue }
      defer { unsafe CFRelease(UnsafeRawPointer(state)) }
      let saved = parameters.map { value(of: $0, in: unit) }
      let restored = try fresh()
      unsafe try restored.setProperty(kAudioUnitProperty_ClassInfo, state as CFDictionaryRef?)
      guard let other = firstDifference(parameters, from: saved, in: restored) else { continue }
      return fault(
        .presetRestore,
        "factory preset \(preset.number) sets \(other.name) to \(other.wanted), and a state that was "
          + "saved with it brings \(other.found)",
        [
          .count("preset", preset.number), .value("saved", other.wanted),
          .value("found", other.found),
        ])
    }
  }

  /// Checks that a fresh instance saves the same state that was set in it.
  func checkSavingAgain() throws(AuricleError) {
    guard canRestore, !isBroken(.stateRestore), !isBroken(.parameterValue) else { return }
    var random = random(8)
    setAny(settable(of: unit), of: unit, &random)
    guard let state = unsafe Self.state(of: unit) else { return }
    defer { unsafe CFRelease(UnsafeRawPointer(state)) }
    let restored = try fresh()
    unsafe try restored.setProperty(kAudioUnitProperty_ClassInfo, state as CFDictionaryRef?)
    guard let again = unsafe Self.state(of: restored) else { return }
    defer { unsafe CFRelease(UnsafeRawPointer(again)) }
    let keys = unsafe Self.differingKeys(state, again)
    expect(
      keys.isEmpty, .stateSame,
      "a fresh instance that was given its state saves another \"\(keys.first ?? "")\"",
      [UnitFault.Evidence("keys", .text(keys.joined(separator: ", ")))])
  }

  /// Keys whose values differ between two dictionaries, or are in one of them only.
  private static func differingKeys(_ one: CFDictionaryRef, _ other: CFDictionaryRef) -> [String] {
    let found = unsafe Set(keys(of: one, notIn: other) + keys(of: other, notIn: one))
    return found.sorted()
  }

  /// Keys of a dictionary whose values another one has not.
  private static func keys(of one: CFDictionaryRef, notIn other: CFDictionaryRef) -> [String] {
    let count = unsafe CFDictionaryGetCount(one)
    var keys = unsafe [UnsafeRawPointer?](repeating: nil, count: count)
    unsafe CFDictionaryGetKeysAndValues(one, &keys, nil)
    return (0..<count).compactMap { index -> String? in
      guard let key = unsafe keys[index], let value = unsafe CFDictionaryGetValue(one, key) else {
        return nil
      }
      let found = unsafe CFDictionaryGetValue(other, key)
      if unsafe found != nil && CFEqual(value, found) { return nil }
      return unsafe String(cfString: CFStringRef(key)) ?? "?"
    }
  }
}
