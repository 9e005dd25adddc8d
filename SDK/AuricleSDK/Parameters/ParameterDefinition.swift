// One parameter of a unit, declared once: id, name, unit, range, default, value names, flags.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// A parameter as its author declares it; everything a host asks about it is derived from this.
///
/// Units of `AuricleUnit` declare properties with `@Parameter`, from which the SDK makes the definition.
/// It is written by hand for a `UnitKernel`, and for parameters of groups, parts and notes:
///
/// ```swift
/// let cutoff = ParameterDefinition(
///   id: 0, name: "cutoff frequency", unit: kAudioUnitParameterUnit_Hertz,
///   range: 10...22050, defaultValue: 6900, symbol: "cutoff", maximumIsNyquist: true,
///   isLogarithmic: true)
/// let level = ParameterDefinition(
///   id: 100, name: "level", unit: kAudioUnitParameterUnit_Decibels, range: -120...0,
///   defaultValue: -120, isMeter: true
/// ).plotted(updatesPerSecond: 20, seconds: 10)
/// ```
///
/// The corresponding Core Audio structure is `AudioUnitParameterInfo`. Context: control.
public struct ParameterDefinition: Sendable {
  /// Identifier, unique in its scope; saved in presets, so it never changes once the unit has shipped.
  public var id: AudioUnitParameterID
  /// Name shown to a person, for example "cutoff frequency".
  public var name: String
  /// Short machine name without spaces (the symbol of a port), such as "cutoff"; nil when the unit has none.
  public var symbol: String?
  /// Unit of the value, a `kAudioUnitParameterUnit_…` code.
  public var unit: AudioUnitParameterUnit
  /// Text of a custom unit; used when `unit` is `kAudioUnitParameterUnit_CustomUnit`.
  public var unitName: String?
  /// Least value, in `unit`, at most `maximum`.
  public var minimum: Float
  /// Greatest value, in `unit`; see `maximumIsNyquist`.
  public var maximum: Float
  /// Value of a fresh instance, in `unit`.
  public var defaultValue: Float
  /// Whether the greatest value is half the sample rate, independent of `maximum`.
  public var maximumIsNyquist: Bool
  /// The ends of the range that limit nothing: bits of `kAuricleOpenEnd_…`, 0 by default. Values beyond such an
  /// end are kept.
  public var openEnds: UInt32 = 0
  /// Whether range and default are multiplied by the sample rate, as those of a fraction of it in Hz.
  public var isScaledBySampleRate = false
  /// Whether the default is multiplied with the range; else it is the value itself.
  public var isDefaultScaled = true
  /// Whether a host should show the range logarithmically.
  public var isLogarithmic: Bool
  /// Whether the unit writes the value and a host may only read it (a meter).
  public var isMeter: Bool
  /// Whether the kernel follows ramps of the parameter by `RenderSlice.parameterRamp`, so that slices
  /// need not be cut for them.
  public var isRampedByKernel = false
  /// Whether the kernel glides to each new value in its own time, also to a scheduled one: hosts are
  /// not offered ramps (`kAudioUnitParameterFlag_CanRamp`).
  public var isGlided = false
  /// Whether changes should be avoided while rendering, for example since the latency follows them.
  ///
  /// The corresponding flag is `kAudioUnitParameterFlag_NonRealTime`.
  public var isNonRealtime: Bool
  /// Whether the parameter is for experts and may be hidden at first (`kAudioUnitParameterFlag_ExpertMode`).
  public var isExpert: Bool
  /// Names of the values `minimum`, `minimum + 1`, … of an indexed parameter; else empty.
  ///
  /// The corresponding property is `kAudioUnitProperty_ParameterValueStrings`.
  public var valueNames: [String]
  /// Named values anywhere in the range (scale points); else empty.
  public var valuePoints: [(value: Float, name: String)]
  /// Identifier of the group the parameter is shown in; 0 for none.
  public var clumpID: UInt32
  /// The curve by which a control shows the range, a `kAudioUnitParameterFlag_Display…` code; 0:
  /// even, or by `isLogarithmic`.
  public var display: AudioUnitParameterOptions = 0
  /// Whether the value is left out of saved states.
  public var isOmittedFromPresets = false
  /// Id of a parameter of the same scope, a ratio, whose cents (1200 to an octave) this one is: setting
  /// one of the two sets the other. A scheduled change is carried over by the kernel.
  public var centsOf: AudioUnitParameterID?
  /// Ids of the global parameters that change when this one does: a meta parameter has some.
  public var dependents: [AudioUnitParameterID] = []
  /// Whether setting it changes other parameters of any scope; so does one with `dependents`.
  public var isGlobalMeta = false
  /// Whether setting it changes other parameters of its element.
  public var isElementMeta = false
  /// Rate (updates per second) and span (seconds) of a host's plot of the value; nil: no plot.
  public var history: (updatesPerSecond: Float, seconds: Float)?

  /// Declares a parameter.
  ///
  /// - Parameters:
  ///   - id: Identifier, unique in its scope.
  ///   - name: Name shown to a person.
  ///   - unit: A `kAudioUnitParameterUnit_…` code.
  ///   - range: Least to greatest value, in `unit`.
  ///   - defaultValue: Value of a fresh instance, in `unit`; brought into the range.
  ///   - symbol: Short machine name; nil for none.
  ///   - unitName: Text of a custom unit, such as "LUFS"; nil for others.
  ///   - maximumIsNyquist: Whether the greatest value is half the sample rate.
  ///   - isLogarithmic: Whether a host should show the range logarithmically.
  ///   - isMeter: Whether the unit writes the value and a host may only read it.
  ///   - isNonRealtime: Whether changes should be avoided while rendering.
  ///   - isExpert: Whether it may be hidden at first.
  ///   - valueNames: Names of the values from `minimum` on; empty for a number.
  ///   - valuePoints: Values with a name anywhere in the range, such as `(0, "off")`.
  ///   - clumpID: Group that it is shown in; 0 for none.
  public init(
    id: AudioUnitParameterID, name: String, unit: AudioUnitParameterUnit,
    range: ClosedRange<Float>, defaultValue: Float, symbol: String? = nil, unitName: String? = nil,
    maximumIsNyquist: Bool = false, isLogarithmic: Bool = false, isMeter: Bool = false,
    isNonRealtime: Bool = false, isExpert: Bool = false, valueNames: [String] = [],
    valuePoints: [(value: Float, name: String)] = [], clumpID: UInt32 = 0
  ) {
    self.id = id
    self.name = name
    self.symbol = symbol
    self.unit = unit
    self.unitName = unitName
    self.minimum = range.lowerBound
    self.maximum = range.upperBound
    self.defaultValue = min(max(defaultValue, range.lowerBound), range.upperBound)
    self.maximumIsNyquist = maximumIsNyquist
    self.isLogarithmic = isLogarithmic
    self.isMeter = isMeter
    self.isNonRealtime = isNonRealtime
    self.isExpert = isExpert
    self.valueNames = valueNames
    self.valuePoints = valuePoints
    self.clumpID = clumpID
  }

  /// Returns the same parameter, which a host should plot.
  ///
  /// - Parameters:
  ///   - updatesPerSecond: Values a second, such as 20.
  ///   - seconds: Span of the plot, up to now.
  public func plotted(updatesPerSecond: Float, seconds: Float) -> ParameterDefinition {
    var plotted = self
    plotted.history = (updatesPerSecond, seconds)
    return plotted
  }

  /// Returns the same parameter, with values to which the kernel glides in its own time: see `isGlided`.
  public func glided() -> ParameterDefinition {
    var glided = self
    glided.isGlided = true
    return glided
  }

  /// Least value at a sample rate (Hz): an octave of frequencies is left at any.
  func minimum(atSampleRate sampleRate: Double) -> Float {
    if isScaledBySampleRate { return minimum * Float(sampleRate) }
    return maximumIsNyquist ? min(minimum, Float(sampleRate / 4)) : minimum
  }

  /// Greatest value at a sample rate (Hz).
  func maximum(atSampleRate sampleRate: Double) -> Float {
    if isScaledBySampleRate { return maximum * Float(sampleRate) }
    return maximumIsNyquist ? Float(sampleRate / 2) : maximum
  }

  /// Value of a fresh instance at a sample rate (Hz).
  func defaultValue(atSampleRate sampleRate: Double) -> Float {
    if isScaledBySampleRate, isDefaultScaled { return defaultValue * Float(sampleRate) }
    let least = isScaledBySampleRate ? minimum(atSampleRate: sampleRate) : defaultValue
    return min(max(defaultValue, least), maximum(atSampleRate: sampleRate))
  }

  /// The `kAudioUnitParameterFlag_…` bits a host sees.
  var flags: AudioUnitParameterOptions {
    var bits: AudioUnitParameterOptions = kAudioUnitParameterFlag_IsReadable
    bits |= kAudioUnitParameterFlag_HasCFNameString
    if isMeter {
      bits |= kAudioUnitParameterFlag_MeterReadOnly
    } else {
      bits |= kAudioUnitParameterFlag_IsWritable
      if isNonRealtime { bits |= kAudioUnitParameterFlag_NonRealTime }
      if !isNonRealtime && valueNames.isEmpty && unit != kAudioUnitParameterUnit_Boolean {
        bits |= kAudioUnitParameterFlag_IsHighResolution
        if !isGlided { bits |= kAudioUnitParameterFlag_CanRamp }
      }
    }
    if isLogarithmic { bits |= kAudioUnitParameterFlag_DisplayLogarithmic }
    bits |= display & kAudioUnitParameterFlag_DisplayMask
    if isOmittedFromPresets { bits |= kAudioUnitParameterFlag_OmitFromPresets }
    if isGlobalMeta || !dependents.isEmpty { bits |= kAudioUnitParameterFlag_IsGlobalMeta }
    if isElementMeta { bits |= kAudioUnitParameterFlag_IsElementMeta }
    if history != nil { bits |= kAudioUnitParameterFlag_PlotHistory }
    if isExpert { bits |= kAudioUnitParameterFlag_ExpertMode }
    if !valueNames.isEmpty { bits |= kAudioUnitParameterFlag_ValuesHaveStrings }
    if clumpID != 0 { bits |= kAudioUnitParameterFlag_HasClump }
    return bits
  }
}
