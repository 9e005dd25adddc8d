// The state of a unit: ClassInfo, and what comes back when it is set.
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
    guard !parameters.isEmpty, !isBroken(.stateSet), !isBroken(.classInfo) else { return }
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
      for (parameter, wanted) in zip(parameters, saved) {
        guard let wanted, let found = value(of: parameter, in: restored) else { continue }
        let nearness = max(1e-6, 1e-4 * abs(parameter.maximum - parameter.minimum))
        guard abs(found - wanted) > nearness else { continue }
        return fault(
          .stateRestore,
          "\(parameter.id), \"\(parameter.name)\", was saved as \(wanted), and \(what) has \(found) "
            + "after its state was set",
          [.value("saved", wanted), .value("found", found)])
      }
    }
  }
}
