// The position of a parameter's value on a control, and its text.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import Glibc

/// The range of a parameter and the curve that a control of it has.
public struct ParameterScale: Sendable {
  /// Least value.
  public var minimum: Float
  /// Greatest value.
  public var maximum: Float
  /// The meaning of the values.
  public var unit: AudioUnitParameterUnit
  /// The flags of the parameter; its display type counts.
  public var flags: AudioUnitParameterOptions

  /// Describes a scale.
  public init(
    minimum: Float, maximum: Float, unit: AudioUnitParameterUnit = kAudioUnitParameterUnit_Generic,
    flags: AudioUnitParameterOptions = 0
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.unit = unit
    self.flags = flags
  }

  /// Asks a unit for the scale of a parameter; nil where it has none such. Context: control.
  public init?(_ parameter: AudioUnitParameter) {
    guard let unit = unsafe parameter.mAudioUnit,
      unsafe unit.pointee.magic == kAuricleInstanceMagic,
      let method = unsafe unit.pointee.getProperty, let plugIn = unsafe unit.pointee.plugIn
    else { return nil }
    var info = unsafe AudioUnitParameterInfo()
    var size = unsafe UInt32(MemoryLayout<AudioUnitParameterInfo>.size)
    let status = unsafe method(
      plugIn, kAudioUnitProperty_ParameterInfo, parameter.mScope, parameter.mParameterID, &info,
      &size)
    guard status == 0 else { return nil }
    unsafe self.init(
      minimum: info.minValue, maximum: info.maxValue, unit: info.unit, flags: info.flags)
    if flags & kAudioUnitParameterFlag_CFNameRelease != 0 {
      if let name = unsafe info.cfNameString { unsafe CFRelease(UnsafeRawPointer(name)) }
      if self.unit == kAudioUnitParameterUnit_CustomUnit, let name = unsafe info.unitName {
        unsafe CFRelease(UnsafeRawPointer(name))
      }
    }
  }

  private var display: AudioUnitParameterOptions { flags & kAudioUnitParameterFlag_DisplayMask }

  /// Whether the scale is that of a logarithm, which needs a range above zero.
  private var isLogarithmic: Bool {
    display == kAudioUnitParameterFlag_DisplayLogarithmic && minimum > 0 && maximum > minimum
  }

  /// The position of a value on the control: 0 at the least value, 1 at the greatest. Context: any.
  ///
  /// The corresponding Core Audio function is `AUParameterValueToLinear`.
  public func linear(of value: Float) -> Float {
    guard maximum > minimum, !value.isNaN else { return 0 }
    let value = Double(min(max(value, minimum), maximum))
    let (least, greatest) = (Double(minimum), Double(maximum))
    if isLogarithmic { return Float(log(value / least) / log(greatest / least)) }
    let part = (value - least) / (greatest - least)
    switch display {
    case kAudioUnitParameterFlag_DisplaySquareRoot: return Float(part.squareRoot())
    case kAudioUnitParameterFlag_DisplaySquared: return Float(part * part)
    case kAudioUnitParameterFlag_DisplayCubed: return Float(part * part * part)
    case kAudioUnitParameterFlag_DisplayCubeRoot: return Float(cbrt(part))
    case kAudioUnitParameterFlag_DisplayExponential:
      return Float((exp(part) - 1) / (exp(1.0) - 1))
    default: return Float(part)
    }
  }

  /// The value at a place of the control, 0 to 1. Context: any.
  ///
  /// The corresponding Core Audio function is `AUParameterValueFromLinear`.
  public func value(ofLinear linear: Float) -> Float {
    guard maximum > minimum, !linear.isNaN else { return minimum }
    let place = Double(min(max(linear, 0), 1))
    let (least, greatest) = (Double(minimum), Double(maximum))
    if isLogarithmic {
      return min(max(Float(least * pow(greatest / least, place)), minimum), maximum)
    }
    let part: Double =
      switch display {
      case kAudioUnitParameterFlag_DisplaySquareRoot: place * place
      case kAudioUnitParameterFlag_DisplaySquared: place.squareRoot()
      case kAudioUnitParameterFlag_DisplayCubed: cbrt(place)
      case kAudioUnitParameterFlag_DisplayCubeRoot: place * place * place
      case kAudioUnitParameterFlag_DisplayExponential: log(1 + place * (exp(1.0) - 1))
      default: place
      }
    return min(max(Float(least + part * (greatest - least)), minimum), maximum)
  }

  /// A value as digits, as many as matter. Context: any.
  ///
  /// `digits` counts the digits of a value as large as the range; for frequencies, of each value: with
  /// 3 digits 0.0123 has four places, 1.23 two, 123 none, and 1234 is written 1230. The corresponding
  /// Core Audio function is `AUParameterFormatValue`.
  public func text(of value: Double, digits: Int) -> String {
    guard value.isFinite else { return "\(value)" }
    let digits = min(max(digits, 1), 16)
    let isRelative =
      unit == kAudioUnitParameterUnit_Hertz
      || display == kAudioUnitParameterFlag_DisplayLogarithmic
    let size = isRelative ? abs(value) : Double(maximum) - Double(minimum)
    let power = size > 0 && size.isFinite ? Int(floor(log10(size))) : 0
    let places = min(max(digits - power - 1, -30), 15)
    guard places < 0 else { return Self.fixed(value, places: places) }
    let step = pow(10, Double(-places))
    return Self.fixed((value / step).rounded() * step, places: 0)
  }

  /// A number with so many places behind the point; −0 is 0. Far numbers have an exponent.
  private static func fixed(_ value: Double, places: Int) -> String {
    let scale = pow(10, Double(places))
    let scaled = (value * scale).rounded(.toNearestOrAwayFromZero)
    guard abs(scaled) < 9e15 else { return "\(value)" }
    let whole = Int64(scaled)
    var digits = String(abs(whole))
    if places > 0 {
      digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
      digits = digits.dropLast(places) + "." + digits.suffix(places)
    }
    return (whole < 0 ? "-" : "") + digits
  }
}
