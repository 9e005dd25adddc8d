// A unit as its author writes it: its declaration for hosts, and the struct that makes its sound.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// The reason why a unit cannot be initialised, or cannot read a state or a value.
///
/// ```swift
/// init(_ setup: UnitSetup<Self>) throws(UnitRefusal) {
///   guard setup.sampleRate >= 8000 else {
///     throw UnitRefusal("The sample rate is \(setup.sampleRate) Hz: the unit works from 8 kHz on.")
///   }
///   parameters = setup.parameters
/// }
/// ```
///
/// The host reads the sentence after the call that failed. Context: control.
public typealias UnitRefusal = KernelProcedures.Failure

extension KernelProcedures.Failure {
  /// Makes a refusal with a sentence for a person: failure, place, remedy.
  ///
  /// Its code is `kAudioUnitErr_FailedInitialization`; `init(status:reason:)` makes one with another code, such as
  /// `kAudioUnitErr_InvalidPropertyValue` for a property.
  public init(_ reason: String) {
    self.init(status: kAudioUnitErr_FailedInitialization, reason: reason)
  }
}

/// A unit: a non-copyable struct that makes sound, and static members that describe it to hosts.
///
/// Conform to one of the bases, which set the kind of the unit: `EffectUnit`, `MusicEffectUnit`,
/// `InstrumentUnit`, `GeneratorUnit`, `MixerUnit`, `PannerUnit`, `ConverterUnit`, `MIDIProcessorUnit`,
/// `OfflineUnit`. A value of the struct lives from one initialise to the next: `init` and `deinit` run on
/// a control thread and may allocate; `process` runs on the render thread and must not (mark it
/// `@_noLocks` and the compiler checks it).
///
/// ```swift
/// struct Gain: EffectUnit, ~Copyable {
///   static let component = Component("Me: Gain", subtype: "gain", manufacturer: "Mine")
///   struct Parameters: ParameterSet {
///     @Parameter(0, "gain", 0...2, default: 1, unit: .linearGain) var gain: Float
///   }
///   let parameters: Parameters
///   init(_ setup: UnitSetup<Self>) { parameters = setup.parameters }
///   @_noLocks mutating func reset() {}
///   @_noLocks mutating func process(_ slice: RenderSlice) {
///     for channel in 0..<slice.channelCount {
///       unsafe SampleRun.scale(slice.channel(channel), gain: parameters.gain, slice.frameCount)
///     }
///   }
/// }
/// ```
///
/// A factory function of one line makes it a component: see `makeUnit(_:_:_:)`.
public protocol AuricleUnit: SendableMetatype, ~Copyable {
  /// The parameters of the unit.
  associatedtype Parameters: ParameterSet = NoParameters
  /// The parameters that each input bus has.
  associatedtype InputParameters: ParameterSet = NoParameters
  /// The parameters that each output bus has.
  associatedtype OutputParameters: ParameterSet = NoParameters
  /// The values that the unit keeps in saved states beside its parameters.
  associatedtype State: UnitModel = NoModel

  /// The name, codes, version and summary that a host lists.
  static var component: Component { get }
  /// The kind of the unit, `kAudioUnitType_…`; the base says it.
  static var componentType: OSType { get }
  /// Input buses; bus 0 is the main one.
  static var inputs: [BusDefinition] { get }
  /// Output buses; bus 0 is the main one.
  static var outputs: [BusDefinition] { get }
  /// Channel counts that work on bus 0; empty: any number, the same in and out.
  ///
  /// The corresponding property is `kAudioUnitProperty_SupportedNumChannels`.
  static var channels: [ChannelRule] { get }
  /// Presets that ship with the unit, in the order of their numbers: append, and do not reorder.
  ///
  /// The corresponding property is `kAudioUnitProperty_FactoryPresets`.
  static var presets: [Preset<Parameters>] { get }
  /// Properties beyond the ones of every unit.
  static var properties: [CustomProperty<Self>] { get }
  /// Whether the output buses hold the input when `process` is called.
  static var processesInPlace: Bool { get }
  /// Whether `process` asks for its input itself, with `RenderSlice.pullInput`.
  static var pullsInputs: Bool { get }
  /// Whether silence comes out once silence came in and the tail is over: `process` is then not called.
  ///
  /// The tail is `restSeconds`, which such a unit must report truly.
  static var skipsSilence: Bool { get }
  /// Sets the traits of the unit's kind; the base does it, before `configure`.
  static func arrange(_ definition: inout UnitDefinition)
  /// Sets the rest of a definition: MIDI outputs, numbers of buses, overview, granularity.
  ///
  /// ```swift
  /// static func configure(_ definition: inout UnitDefinition) {
  ///   definition.overviewParameters = [2, 0]
  ///   definition.maximumLatencySeconds = 0.05
  /// }
  /// ```
  ///
  /// Called once an instance. Context: control.
  static func configure(_ definition: inout UnitDefinition)
  /// Returns the gain (linear) at a frequency (Hz) at a sample rate (Hz) as parameters are set now; nil for a
  /// unit whose output is not its input filtered. Context: control.
  static func frequencyResponse(
    _ parameters: Parameters, frequency: Double, sampleRate: Double
  ) -> Double?
  /// Returns the same for a unit whose model matters as well. Context: control.
  static func frequencyResponse(
    _ parameters: Parameters, _ state: State, frequency: Double, sampleRate: Double
  ) -> Double?

  /// Allocates everything `process` needs. Context: control.
  ///
  /// - Parameter setup: Rate, channels, parameters and model; constant as long as the unit.
  /// - Throws: A refusal, with which Initialize fails.
  init(_ setup: UnitSetup<Self>) throws(UnitRefusal)
  /// Clears the history: afterwards the unit sounds like a new instance. Context: control or render.
  ///
  /// The corresponding Core Audio function is `AudioUnitReset`.
  mutating func reset()
  /// Processes one slice: no allocation, no lock, no system call. Context: render.
  ///
  /// - Parameter slice: Samples, frames and events; valid during the call.
  mutating func process(_ slice: RenderSlice)
  /// Frames by which the output lags the input, 0 by default. Context: control.
  ///
  /// Read after `init`; the corresponding property is `kAudioUnitProperty_Latency`, in seconds.
  var latencyFrames: Int { get }
  /// Seconds the output may ring on after the input ended; may be infinite. Context: control.
  ///
  /// Follows the parameters as they are; the corresponding property is `kAudioUnitProperty_TailTime`.
  var tailSeconds: Double { get }
  /// Seconds of further silence after which the rest is inaudible, at any later values of the
  /// parameters. Context: render.
  var restSeconds: Double { get }
}

extension AuricleUnit where Self: ~Copyable {
  /// One bus.
  public static var inputs: [BusDefinition] { [BusDefinition(name: "Input")] }
  /// One bus.
  public static var outputs: [BusDefinition] { [BusDefinition(name: "Output")] }
  /// Any number of channels, the same in and out.
  public static var channels: [ChannelRule] { [] }
  /// None.
  public static var presets: [Preset<Parameters>] { [] }
  /// None.
  public static var properties: [CustomProperty<Self>] { [] }
  /// No.
  public static var processesInPlace: Bool { false }
  /// No.
  public static var pullsInputs: Bool { false }
  /// No.
  public static var skipsSilence: Bool { false }
  /// Nothing belongs to the kind.
  public static func arrange(_ definition: inout UnitDefinition) {}
  /// Changes nothing.
  public static func configure(_ definition: inout UnitDefinition) {}
  /// None.
  public static func frequencyResponse(
    _ parameters: Parameters, frequency: Double, sampleRate: Double
  ) -> Double? { nil }
  /// Returns the frequency response of the parameters.
  public static func frequencyResponse(
    _ parameters: Parameters, _ state: State, frequency: Double, sampleRate: Double
  ) -> Double? { frequencyResponse(parameters, frequency: frequency, sampleRate: sampleRate) }
  /// No latency.
  public var latencyFrames: Int { 0 }
  /// No tail.
  public var tailSeconds: Double { 0 }
  /// The tail.
  public var restSeconds: Double { tailSeconds }
}

/// A pair of channel counts that works on bus 0 of the inputs and outputs.
///
/// ```swift
/// static let channels: [ChannelRule] = [.exactly(1, 1), .exactly(1, 2), .exactly(2, 2)]
/// ```
///
/// The corresponding Core Audio structure is `AUChannelInfo`.
public typealias ChannelRule = ChannelCapability

extension ChannelCapability {
  /// Any number of channels, the same in and out.
  public static var same: ChannelCapability { ChannelCapability(-1, -1) }
  /// Any number of channels in, any number out.
  public static var anyToAny: ChannelCapability { ChannelCapability(-1, -2) }
  /// So many in and so many out.
  ///
  /// - Parameters:
  ///   - inputs: Channels of input bus 0; 0 without inputs.
  ///   - outputs: Channels of output bus 0.
  public static func exactly(_ inputs: Int, _ outputs: Int) -> ChannelCapability {
    ChannelCapability(Int16(clamping: inputs), Int16(clamping: outputs))
  }
}

/// The circumstances of one initialise, from which the unit is made.
///
/// ```swift
/// init(_ setup: UnitSetup<Self>) {
///   parameters = setup.parameters
///   sampleRate = setup.sampleRate
///   lines = ChannelDelayLines(
///     channelCount: setup.channelCount,
///     maximumDelay: Int(setup.sampleRate) + setup.maximumFrames)
/// }
/// ```
///
/// Context: control.
public struct UnitSetup<Unit: AuricleUnit & ~Copyable> {
  /// All of the format: every bus, render quality, offline or not.
  public let format: RenderFormat
  /// The parameters of this instance; stay valid as long as the unit.
  public let parameters: Unit.Parameters
  /// The parameters of each input bus: `setup.inputParameters[bus].gain`.
  public let inputParameters: BusParameters<Unit.InputParameters>
  /// The parameters of each output bus.
  public let outputParameters: BusParameters<Unit.OutputParameters>
  /// The values that the unit keeps beside its parameters. When a host or a property changes them, a
  /// unit made of the new ones replaces it at the next slice.
  public let state: Unit.State

  /// Frames per second (Hz) of the output, above 0.
  public var sampleRate: Double { format.sampleRate }
  /// Frames per second (Hz) of input bus 0; other than `sampleRate` in a converter alone.
  public var inputSampleRate: Double { format.inputSampleRates.first ?? sampleRate }
  /// Channels of output bus 0.
  public var channelCount: Int { format.channelCount }
  /// Channels of input bus 0.
  public var inputChannelCount: Int { format.inputChannelCount }
  /// Greatest number of frames in a slice: the size of buffers for one.
  public var maximumFrames: Int { format.maximumFrames }
}
