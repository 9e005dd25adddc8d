// A parameter as a property: declared once, read by its name on any thread.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// A type that the property of a parameter may have: `Float`, `Ramp`, `Bool`, or a `ParameterChoice`.
public protocol ParameterValue {
  /// Returns the value that a parameter has. Context: any.
  @_noLocks static func value(of parameter: ParameterHandle) -> Self
  /// Sets a parameter. Context: any.
  @_noLocks static func set(_ parameter: ParameterHandle, to value: Self)
}

/// A parameter of a unit, declared as a property of its `ParameterSet`.
///
/// ```swift
/// @Parameter(1, "rate", 0.1...20, default: 5, unit: .hertz, curve: .logarithmic) var rate: Float
/// @Parameter(2, "depth", 0...100, default: 50, unit: .percent, smoothing: 0.02) var depth: Ramp
/// ```
///
/// Reading the property returns the value, reading `$rate` the handle. Setting it is for presets and
/// for units that change a parameter themselves. Context: any, render included.
@propertyWrapper @frozen public struct Parameter<Value: ParameterValue>: BitwiseCopyable, Sendable {
  /// The declared parameter.
  public let projectedValue: ParameterHandle

  /// The parameter's value.
  ///
  /// Without its own mark: the work depends on the kind of value, and is checked where it is read.
  @inlinable public var wrappedValue: Value {
    @_transparent get { Value.value(of: projectedValue) }
    @_transparent nonmutating set { Value.set(projectedValue, to: newValue) }
  }

  /// Declares a parameter of which all is said.
  init(_ definition: ParameterDefinition, clump: Clump?, smoothing: Double? = nil) {
    projectedValue = ParameterHandle(definition, clump: clump, smoothing: smoothing)
  }
}

/// A value that the kernel writes and a host shows, declared as a property of a `ParameterSet`.
///
/// ```swift
/// @Meter(100, "level", -120...0, unit: .decibels, plot: (20, 10)) var level: Float
///
/// parameters.level = max(RealtimeMath.decibels(gain: peak), -120)
/// ```
///
/// Setting it once a slice is enough: hosts read it at their own pace. The corresponding flag is
/// `kAudioUnitParameterFlag_MeterReadOnly`. Context: any, render included.
@propertyWrapper @frozen public struct Meter: BitwiseCopyable, Sendable {
  /// The declared parameter.
  public let projectedValue: ParameterHandle

  /// The value that is shown.
  public var wrappedValue: Float {
    @_noLocks get { projectedValue.value }
    @_noLocks nonmutating set { projectedValue.setMeter(newValue) }
  }

  /// Declares a meter; a fresh instance shows the least value.
  ///
  /// - Parameters:
  ///   - id: Unique in the set; never changes once the unit has shipped.
  ///   - name: Name shown to a person.
  ///   - range: Least to greatest value, in `unit`.
  ///   - unit: The unit of measurement.
  ///   - clump: The group that it is shown in; nil for none.
  ///   - plot: How often (a second) and how far back (seconds) a host should plot it.
  public init(
    _ id: AudioUnitParameterID, _ name: String, _ range: ClosedRange<Float>,
    unit: ParameterUnit = .generic, clump: Clump? = nil,
    plot: (updatesPerSecond: Float, seconds: Float)? = nil
  ) {
    var definition = ParameterDefinition(
      id: id, name: name, unit: unit.code, range: range, defaultValue: range.lowerBound,
      unitName: unit.name, isMeter: true)
    definition.history = plot
    projectedValue = ParameterHandle(definition, clump: clump, smoothing: nil)
  }
}

/// Parameters that a unit has several times, such as those of each band: `bands[3].gain`.
///
/// ```swift
/// struct Band: ParameterSet {
///   @Parameter var gain: Float
///   init() { self.init(0) }
///   init(_ band: UInt32) { _gain = Parameter(4000 + band, "gain \(band + 1)", -24...24, default: 0) }
/// }
/// let bands = ParameterSeries<16, Band> { Band(UInt32($0)) }
/// ```
///
/// Context: any, render included.
@frozen public struct ParameterSeries<let length: Int, Set: ParameterSet>: BitwiseCopyable, Sendable
{
  @usableFromInline let sets: InlineArray<length, Set>

  /// Declares the parameters of each place, from 0.
  public init(_ make: (Int) -> Set) { sets = InlineArray { make($0) } }

  /// Number of elements.
  @inlinable public var count: Int { @_transparent get { length } }

  /// The parameters of a place.
  @inlinable public subscript(_ place: Int) -> Set { @_transparent get { sets[place] } }
}

/// The parameters of a unit, of its inputs or of its outputs: a struct of `@Parameter` and `@Meter`
/// properties, of `ParameterSeries`, and nothing else.
///
/// It is a handful of pointers: a kernel keeps a copy and reads it.
///
/// ```swift
/// struct Parameters: ParameterSet {
///   @Parameter(0, "gain", -24...24, default: 0, unit: .decibels) var gain: Float
///   @Parameter(1, "mute", default: false) var isMuted: Bool
///   @Meter(100, "level", -120...24, unit: .decibels) var level: Float
///   var linearGain: Float { @_noLocks get { isMuted ? 0 : RealtimeMath.gain(decibels: gain) } }
/// }
/// ```
///
/// Hosts list the parameters in the order of their declaration. Context: any.
public protocol ParameterSet: BitwiseCopyable, Sendable {
  /// Declares the parameters; Swift writes it.
  init()
}

extension ParameterSet {
  /// The parameters in the order of their declaration, as they lie in memory. Context: control.
  ///
  /// Without reflection, which searches all libraries of the process at each unit that is opened.
  var handles: [ParameterHandle] {
    unsafe withUnsafeBytes(of: self) { unsafe ParameterCells.handles(in: $0) }
  }
}

/// The set of a unit, or of buses, without parameters.
public struct NoParameters: ParameterSet {
  /// Declares nothing.
  public init() {}
}

/// The parameters of each element of the inputs or outputs.
///
/// A mixer reads them by bus:
///
/// ```swift
/// for bus in 0..<slice.inputCount {
///   if inputs[bus].isMuted { continue }
///   let gain = inputs[bus].gain
/// }
/// ```
///
/// Here `inputs` is `setup.inputParameters`, kept by the unit. Context: any.
@frozen @safe public struct BusParameters<Set: ParameterSet>: @unchecked Sendable {
  // @unchecked Sendable because it is never changed, and sets may be read by any thread.
  @usableFromInline let sets: UnsafeMutablePointer<Set>
  /// Elements that there may be.
  public let count: Int

  init(_ sets: UnsafeMutablePointer<Set>, count: Int) {
    unsafe self.sets = unsafe sets
    self.count = count
  }

  /// The parameters of an element, from 0.
  @inlinable public subscript(_ bus: Int) -> Set {
    @_transparent get {
      precondition(bus >= 0 && bus < count, "no such bus")
      return unsafe sets[bus]
    }
  }
}
