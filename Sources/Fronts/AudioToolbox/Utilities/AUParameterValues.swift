// The functions of AudioUnitUtilities.h that convert values to control positions and text.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
public import CAudioToolbox

/// Returns the value at a control position, 0 to 1; the position itself if the unit has no such parameter.
///
/// Context: control.
@c @implementation
public func AUParameterValueFromLinear(
  _ linearValue: Float32, _ parameter: UnsafePointer<AudioUnitParameter>?
) -> AudioUnitParameterValue {
  guard let parameter = unsafe parameter?.pointee, let scale = unsafe ParameterScale(parameter)
  else { return linearValue }
  return scale.value(ofLinear: linearValue)
}

/// Returns the control position of a value, 0 to 1; the value itself if the unit has no such parameter.
///
/// Context: control.
@c @implementation
public func AUParameterValueToLinear(
  _ value: AudioUnitParameterValue, _ parameter: UnsafePointer<AudioUnitParameter>?
) -> Float32 {
  guard let parameter = unsafe parameter?.pointee, let scale = unsafe ParameterScale(parameter)
  else { return value }
  return scale.linear(of: value)
}

/// Writes a value with its significant digits; the buffer has room for 32 characters.
///
/// - Returns: The buffer.
///
/// Context: control.
@c @implementation
public func AUParameterFormatValue(
  _ value: Float64, _ parameter: UnsafePointer<AudioUnitParameter>?,
  _ buffer: UnsafeMutablePointer<CChar>?, _ digits: UInt32
) -> UnsafeMutablePointer<CChar>? {
  guard let buffer = unsafe buffer else { return nil }
  let scale =
    unsafe parameter.flatMap { unsafe ParameterScale($0.pointee) }
    ?? ParameterScale(minimum: 0, maximum: 1)
  let text = scale.text(of: value, digits: Int(min(digits, 16))).utf8.prefix(31)
  for (index, byte) in text.enumerated() { unsafe buffer[index] = CChar(bitPattern: byte) }
  unsafe buffer[text.count] = 0
  return unsafe buffer
}
