// A check of a component: does it open and initialise, and do what units of its type do?
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
public import CAudioToolbox
import UnitValidation

/// Checks a component: first in a process of its own, so that one that crashes or hangs costs nothing,
/// then, if that went well, in this one.
///
/// The parameters may hold `kAudioComponentValidationParameter_TimeOut`, a number of seconds; without
/// it the process has half a minute. What this process registered itself is checked in it alone.
///
/// Context: control; it waits.
@c @implementation
public func AudioComponentValidate(
  _ component: AudioComponentHandle?, _ parameters: CFDictionaryRef?,
  _ result: UnsafeMutablePointer<AudioComponentValidationResult>?
) -> OSStatus {
  guard let result = unsafe result,
    let found = unsafe validate(component, timeLimit: timeLimit(of: parameters))
  else {
    return kAudio_ParamError
  }
  unsafe result.pointee = found.result
  return noErr
}

/// What came of checking a component: the result, and the sentences behind it.
struct ValidationOutcome {
  var result: AudioComponentValidationResult
  /// What hosts may do without the unit for.
  var errors: [String] = []
  /// What they can live with.
  var warnings: [String] = []

  /// Both as the dictionary that C programs get; +1.
  func makeDetails() -> CFDictionaryRef? {
    unsafe makeCFDictionary(takingOver: [
      kAuricleValidationDetail_Errors: UnsafeRawPointer(makeCFArray(errors)),
      kAuricleValidationDetail_Warnings: UnsafeRawPointer(makeCFArray(warnings)),
    ])
  }
}

/// What comes of checking a component; nil for a null or unknown handle.
func validate(_ handle: AudioComponentHandle?, timeLimit: Double) -> ValidationOutcome? {
  guard let component = unsafe Toolbox.component(handle) else { return nil }
  switch ValidationProcess.run(component, timeLimit: timeLimit) {
  case .timedOut:
    return ValidationOutcome(
      result: kAudioComponentValidationResult_TimedOut,
      errors: ["life: it does not come to an end within \(timeLimit) s"])
  case .crashed:
    return ValidationOutcome(
      result: kAudioComponentValidationResult_Failed, errors: ["life: it crashes"])
  case .harmless: break
  }
  let unit: AudioUnit
  do throws(AuricleError) {
    unit = try component.instantiate()
  } catch {
    let isRefused = error.status == kAudioUnitErr_Unauthorized
    return ValidationOutcome(
      result: isRefused
        ? kAudioComponentValidationResult_UnauthorizedError_Open
        : kAudioComponentValidationResult_Failed, errors: ["life: \(error.message)"])
  }
  do throws(AuricleError) {
    try unit.initialize()
  } catch {
    let isRefused = error.status == kAudioUnitErr_Unauthorized
    return ValidationOutcome(
      result: isRefused
        ? kAudioComponentValidationResult_UnauthorizedError_Init
        : kAudioComponentValidationResult_Failed, errors: ["life: \(error.message)"])
  }
  try? unit.uninitialize()
  let faults = UnitValidation.faults(of: unit)
  let errors = faults.filter { $0.severity == .error }
  return ValidationOutcome(
    result: errors.isEmpty
      ? kAudioComponentValidationResult_Passed : kAudioComponentValidationResult_Failed,
    errors: errors.map(\.description),
    warnings: faults.filter { $0.severity == .warning }.map(\.description))
}

/// The seconds that a caller's parameters give a unit; half a minute where they say nothing.
func timeLimit(of parameters: CFDictionaryRef?) -> Double {
  let usual = 30.0
  guard let parameters = unsafe parameters,
    unsafe CFGetTypeID(UnsafeRawPointer(parameters)) == CFDictionaryGetTypeID()
  else { return usual }
  return unsafe withCFString("TimeOut") { key in
    guard let key = unsafe key,
      let value = unsafe CFDictionaryGetValue(parameters, UnsafeRawPointer(key)),
      unsafe CFGetTypeID(value) == CFNumberGetTypeID()
    else { return usual }
    var seconds = 0.0
    guard
      unsafe CFNumberGetValue(CFNumberRef(value), CFNumberType(kCFNumberFloat64Type), &seconds),
      seconds > 0
    else { return usual }
    return seconds
  }
}
