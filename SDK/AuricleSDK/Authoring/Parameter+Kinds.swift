// The kinds of parameters: a number, a smoothed number, a switch, a choice.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

extension Float: ParameterValue {
  /// Returns the value that a parameter has. Context: any.
  @_noLocks public static func value(of parameter: ParameterHandle) -> Float { parameter.value }
  /// Sets a parameter. Context: any.
  @_noLocks public static func set(_ parameter: ParameterHandle, to value: Float) {
    parameter.value = value
  }
}

extension Ramp: ParameterValue {
  /// Returns the values that a parameter has in the slice that is rendered. Context: render.
  @_noLocks public static func value(of parameter: ParameterHandle) -> Ramp { parameter.ramp }
  /// Sets a parameter to the value where a ramp ends. Context: any.
  @_noLocks public static func set(_ parameter: ParameterHandle, to value: Ramp) {
    parameter.value = value.target
  }
}

extension Bool: ParameterValue {
  /// Returns whether a parameter is on. Context: any.
  @_noLocks public static func value(of parameter: ParameterHandle) -> Bool {
    parameter.value >= 0.5
  }
  /// Switches a parameter. Context: any.
  @_noLocks public static func set(_ parameter: ParameterHandle, to value: Bool) {
    parameter.value = value ? 1 : 0
  }
}

/// An enum without associated values whose cases a parameter chooses from, in their order.
///
/// The raw values are the names that a host shows:
///
/// ```swift
/// enum Shape: String, ParameterChoice { case sine, square = "square wave" }
/// @Parameter(3, "shape", default: .sine) var shape: Shape
///
/// if parameters.shape == .square { level = 0.5 }
/// ```
///
/// New cases go to the end: presets keep numbers. The corresponding property is
/// `kAudioUnitProperty_ParameterValueStrings`.
public protocol ParameterChoice: ParameterValue, CaseIterable, RawRepresentable, Sendable
where RawValue == String {}

extension ParameterChoice {
  /// Returns the case that a parameter chooses. Context: any.
  ///
  /// Cases are numbers in a byte, in their order; the parameter's declaration has checked that.
  @inlinable @_transparent public static func value(of parameter: ParameterHandle) -> Self {
    unsafe unsafeBitCast(parameter.caseNumber, to: Self.self)
  }
  /// Sets a parameter to a case. Context: any.
  @inlinable @_transparent public static func set(_ parameter: ParameterHandle, to value: Self) {
    parameter.value = unsafe Float(unsafeBitCast(value, to: UInt8.self))
  }
}

extension ParameterDefinition {
  /// Makes a parameter with the traits that an author passes.
  fileprivate init(
    _ id: AudioUnitParameterID, _ name: String, _ range: ClosedRange<Float>, _ value: Float,
    _ unit: ParameterUnit, _ curve: ParameterCurve, _ points: KeyValuePairs<Float, String>,
    _ symbol: String?, _ options: ParameterOptions
  ) {
    self.init(
      id: id, name: name, unit: unit.code, range: range, defaultValue: value, symbol: symbol,
      unitName: unit.name, maximumIsNyquist: options.contains(.upToNyquist),
      isNonRealtime: options.contains(.notWhileRendering), isExpert: options.contains(.expert),
      valuePoints: points.map { ($0.key, $0.value) })
    display = curve.display
    isScaledBySampleRate = options.contains(.timesSampleRate)
    isOmittedFromPresets = options.contains(.notSaved)
    isGlided = options.contains(.glides)
  }
}

extension Parameter where Value == Float {
  /// Declares a number that `process` reads once a slice.
  ///
  /// ```swift
  /// @Parameter(1, "cutoff", 20...20_000, default: 1000, unit: .hertz, curve: .logarithmic)
  /// var cutoff: Float
  /// @Parameter(2, "threshold", -60...0, default: -20, unit: .decibels, points: [0: "off"])
  /// var threshold: Float
  /// ```
  ///
  /// Without `options: .glides` a host may ramp it, and slices are cut at each value of the ramp.
  ///
  /// - Parameters:
  ///   - id: Unique in the set; never changes once the unit has shipped.
  ///   - name: Name shown to a person.
  ///   - range: Least to greatest value, in `unit`.
  ///   - value: Value of a fresh instance, in `unit`.
  ///   - unit: The unit of measurement.
  ///   - curve: Way of a control through the range.
  ///   - points: Values with a name, such as [0: "off"].
  ///   - clump: The group that it is shown in; nil for none.
  ///   - symbol: A short name for programs.
  ///   - options: Further traits.
  public init(
    _ id: AudioUnitParameterID, _ name: String, _ range: ClosedRange<Float>, default value: Float,
    unit: ParameterUnit = .generic, curve: ParameterCurve = .linear,
    points: KeyValuePairs<Float, String> = [:], clump: Clump? = nil, symbol: String? = nil,
    options: ParameterOptions = []
  ) {
    self.init(
      ParameterDefinition(id, name, range, value, unit, curve, points, symbol, options),
      clump: clump)
  }
}

extension Parameter where Value == Ramp {
  /// Declares a smoothed number that `process` reads frame by frame.
  ///
  /// ```swift
  /// @Parameter(1, "gain", 0...2, default: 1, unit: .linearGain, smoothing: 0.02) var gain: Ramp
  /// @Parameter(2, "pan", -1...1, default: 0, unit: .pan) var pan: Ramp
  /// ```
  ///
  /// - Parameters:
  ///   - id: Unique in the set; never changes once the unit has shipped.
  ///   - name: Name shown to a person.
  ///   - range: Least to greatest value, in `unit`.
  ///   - value: Value of a fresh instance, in `unit`.
  ///   - unit: The unit of measurement.
  ///   - curve: Way of a control through the range.
  ///   - smoothing: Seconds in which it goes to a new value that was not scheduled.
  ///   - points: Values with a name, such as [0: "off"].
  ///   - clump: The group that it is shown in; nil for none.
  ///   - symbol: A short name for programs.
  ///   - options: Further traits.
  public init(
    _ id: AudioUnitParameterID, _ name: String, _ range: ClosedRange<Float>, default value: Float,
    unit: ParameterUnit = .generic, curve: ParameterCurve = .linear, smoothing: Double = 0.02,
    points: KeyValuePairs<Float, String> = [:], clump: Clump? = nil, symbol: String? = nil,
    options: ParameterOptions = []
  ) {
    self.init(
      ParameterDefinition(id, name, range, value, unit, curve, points, symbol, options),
      clump: clump, smoothing: max(smoothing, 0))
  }
}

extension Parameter where Value == Bool {
  /// Declares a switch, `kAudioUnitParameterUnit_Boolean`; on from 0.5.
  ///
  /// ```swift
  /// @Parameter(4, "freeze", default: false) var isFrozen: Bool
  /// ```
  ///
  /// - Parameters:
  ///   - id: Unique in the set; never changes once the unit has shipped.
  ///   - name: Name shown to a person.
  ///   - value: Whether it is on in a fresh instance.
  ///   - clump: The group that it is shown in; nil for none.
  ///   - symbol: A short name for programs.
  ///   - options: Further traits.
  public init(
    _ id: AudioUnitParameterID, _ name: String, default value: Bool, clump: Clump? = nil,
    symbol: String? = nil, options: ParameterOptions = []
  ) {
    let unit = ParameterUnit(code: kAudioUnitParameterUnit_Boolean)
    self.init(
      ParameterDefinition(id, name, 0...1, value ? 1 : 0, unit, .linear, [:], symbol, options),
      clump: clump)
  }
}

extension Parameter where Value: ParameterChoice {
  /// Declares a choice of the cases of an enum, at most 256; `kAudioUnitParameterUnit_Indexed`.
  ///
  /// ```swift
  /// @Parameter(3, "wave", default: .triangle) var wave: Wave
  /// ```
  ///
  /// - Parameters:
  ///   - id: Unique in the set; never changes once the unit has shipped.
  ///   - name: Name shown to a person.
  ///   - value: The case of a fresh instance.
  ///   - clump: The group that it is shown in; nil for none.
  ///   - symbol: A short name for programs.
  ///   - options: Further traits.
  public init(
    _ id: AudioUnitParameterID, _ name: String, default value: Value, clump: Clump? = nil,
    symbol: String? = nil, options: ParameterOptions = []
  ) {
    precondition(MemoryLayout<Value>.size == 1, "a choice is an enum of two to 256 plain cases")
    let numbers = Value.allCases.map { unsafe unsafeBitCast($0, to: UInt8.self) }
    precondition(
      numbers == numbers.indices.map { UInt8($0) }, "allCases has the cases in their order")
    let names = Value.allCases.map(\.rawValue)
    let unit = ParameterUnit(code: kAudioUnitParameterUnit_Indexed)
    var definition = ParameterDefinition(
      id, name, 0...Float(names.count - 1),
      Float(numbers.firstIndex(of: unsafe unsafeBitCast(value, to: UInt8.self)) ?? 0), unit,
      .linear, [:], symbol,
      options)
    definition.valueNames = names
    self.init(definition, clump: clump)
  }
}
