// The functions of AudioFormat.h.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox

/// Returns the size of a value in bytes.
///
/// Context: any thread but a render thread.
@c @implementation
public func AudioFormatGetPropertyInfo(
  _ property: AudioFormatPropertyID, _ specifierSize: UInt32, _ specifier: UnsafeRawPointer?,
  _ dataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  guard let dataSize = unsafe dataSize else { return kAudio_ParamError }
  unsafe dataSize.pointee = 0
  guard let specifier = unsafe PropertySpecifier(specifier, specifierSize) else {
    return kAudioFormatBadSpecifierSizeError
  }
  let answer = answer(to: property, specifier, nil)
  unsafe dataSize.pointee = UInt32(clamping: answer.byteCount)
  return answer.status
}

/// Hands over a value; strings and dictionaries are the caller's to release.
///
/// Context: any thread but a render thread.
@c @implementation
public func AudioFormatGetProperty(
  _ property: AudioFormatPropertyID, _ specifierSize: UInt32, _ specifier: UnsafeRawPointer?,
  _ dataSize: UnsafeMutablePointer<UInt32>?, _ data: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let specifier = unsafe PropertySpecifier(specifier, specifierSize) else {
    return kAudioFormatBadSpecifierSizeError
  }
  guard let dataSize = unsafe dataSize else {
    // A layout is only checked: there is no value.
    return property == kAudioFormatProperty_ValidateChannelLayout
      ? answer(to: property, specifier, nil).status : kAudio_ParamError
  }
  guard let data = unsafe data else {
    let answer = answer(to: property, specifier, nil)
    unsafe dataSize.pointee = UInt32(clamping: answer.byteCount)
    return answer.status
  }
  let supplied = unsafe UnsafeRawBufferPointer(start: data, count: Int(dataSize.pointee))
  return unsafe answer(to: property, specifier, supplied).write(to: data, dataSize)
}

/// The answer to a property; `supplied` is the content of the value's destination.
private func answer(
  to property: AudioFormatPropertyID, _ specifier: PropertySpecifier,
  _ supplied: UnsafeRawBufferPointer?
) -> PropertyAnswer {
  unsafe formatAnswer(to: property, specifier, supplied) ?? layoutAnswer(to: property, specifier)
    ?? placingAnswer(to: property, specifier)
    ?? .failure(kAudioFormatUnsupportedPropertyError)
}
