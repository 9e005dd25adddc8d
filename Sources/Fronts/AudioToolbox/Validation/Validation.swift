// Validates a component: does it open, initialise, and behave like units of its type?
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
public import CAudioToolbox
import ComponentValidation
import UnitValidation

/// Checks a component in a separate process, so that one that crashes or hangs costs nothing.
///
/// The parameters may hold `kAudioComponentValidationParameter_TimeOut`, a number of seconds;
/// without it the process has half a minute. Components that this process registered are unknown to
/// others: they are checked in this one.
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

extension ValidationOutcome {
  /// The result for C programs.
  var result: AudioComponentValidationResult {
    let unauthorized = Double(kAudioUnitErr_Unauthorized)
    for fault in faults where fault.severity == .error {
      if fault.check == ValidationCheck.hang.id { return kAudioComponentValidationResult_TimedOut }
      let isRefused = fault.evidence.contains(
        UnitFault.Evidence("status", .number(unauthorized)))
      if isRefused, fault.check == ValidationCheck.open.id {
        return kAudioComponentValidationResult_UnauthorizedError_Open
      }
      if isRefused, fault.check == ValidationCheck.initialize.id {
        return kAudioComponentValidationResult_UnauthorizedError_Init
      }
    }
    switch verdict {
    case .passed, .warnings: return kAudioComponentValidationResult_Passed
    case .failed: return kAudioComponentValidationResult_Failed
    case .notRun: return kAudioComponentValidationResult_Unknown
    }
  }

  /// The sentences as the dictionary that C programs get; +1.
  func makeDetails() -> CFDictionaryRef? {
    let errors = faults.filter { $0.severity == .error }.map(\.description)
    let warnings = faults.filter { $0.severity == .warning }.map(\.description)
    return unsafe makeCFDictionary(takingOver: [
      kAuricleValidationDetail_Errors: UnsafeRawPointer(
        makeCFArray(errors + [refusal].compactMap(\.self))),
      kAuricleValidationDetail_Warnings: UnsafeRawPointer(makeCFArray(warnings)),
    ])
  }
}

/// Checks a component; nil for a null or unknown handle.
func validate(_ handle: AudioComponentHandle?, timeLimit: Double) -> ValidationOutcome? {
  guard let component = unsafe Toolbox.component(handle) else { return nil }
  let unit = component.location.identifier ?? component.triple
  let request = ValidationRequest()
  if component.location != .process, let program = Toolbox.program {
    var limits = ValidationLimits()
    limits.seconds = timeLimit
    let call = ValidationCall(unit: unit, path: nil, request)
    return ComponentValidator(program: program, limits: limits).check(call, name: component.name)
  }
  var outcome = ValidationOutcome(
    name: component.name, unit: unit, path: component.location.path)
  UnitValidation.run(
    request, make: { () throws(AuricleError) in try component.instantiate() },
    report: { outcome.note($0) })
  return outcome
}

/// The time limit in seconds from a caller's parameters; half a minute by default.
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
