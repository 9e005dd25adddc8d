// A unit as its author writes it: its declaration for hosts, and the struct that makes its sound.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// The reason why a unit cannot be initialised, or cannot read a state.
public typealias UnitRefusal = KernelProcedures.Failure

extension KernelProcedures.Failure {
  /// Makes a refusal with a sentence for a person: failure, place, remedy.
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
  static var channels: [ChannelRule] { get }
  /// Presets that ship with the unit.
  static var presets: [Preset<Parameters>] { get }
  /// Properties beyond the ones of every unit.
  static var properties: [CustomProperty<Self>] { get }
  /// Whether the output buses hold the input when `process` is called.
  static var processesInPlace: Bool { get }
  /// Whether `process` asks for its input itself, with `RenderSlice.pullInput`.
  static var pullsInputs: Bool { get }
  /// Whether silence comes out once silence came in and the tail is over: `process` is then not called.
  static var skipsSilence: Bool { get }
  /// Sets the traits of the unit's kind; the base does it, before `configure`.
  static func arrange(_ definition: inout UnitDefinition)
  /// Sets the rest of a definition: MIDI outputs, numbers of buses, overview, granularity.
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
  init(_ setup: UnitSetup<Self>) throws(UnitRefusal)
  /// Clears the history: afterwards the unit sounds like a new instance. Context: control or render.
  mutating func reset()
  /// Processes one slice. Context: render.
  mutating func process(_ slice: RenderSlice)
  /// Frames by which the output lags the input. Context: control.
  var latencyFrames: Int { get }
  /// Seconds the output may ring on after the input ended; may be infinite. Context: control.
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

/// Channel counts that work on bus 0 of the inputs and outputs.
public typealias ChannelRule = ChannelCapability

extension ChannelCapability {
  /// Any number of channels, the same in and out.
  public static var same: ChannelCapability { ChannelCapability(-1, -1) }
  /// Any number of channels in, any number out.
  public static var anyToAny: ChannelCapability { ChannelCapability(-1, -2) }
  /// So many in and so many out.
  public static func exactly(_ inputs: Int, _ outputs: Int) -> ChannelCapability {
    ChannelCapability(Int16(clamping: inputs), Int16(clamping: outputs))
  }
}

/// The circumstances of one initialise, from which the unit is made.
public struct UnitSetup<Unit: AuricleUnit & ~Copyable> {
  /// Rate, channels, greatest slice.
  public let format: RenderFormat
  /// The parameters of this instance; stay valid as long as the unit.
  public let parameters: Unit.Parameters
  /// The parameters of each input bus.
  public let inputParameters: BusParameters<Unit.InputParameters>
  /// The parameters of each output bus.
  public let outputParameters: BusParameters<Unit.OutputParameters>
  /// The values that the unit keeps beside its parameters. When a host or a property changes them, a
  /// unit made of the new ones replaces it at the next slice.
  public let state: Unit.State

  /// Frames per second (Hz).
  public var sampleRate: Double { format.sampleRate }
  /// Frames per second (Hz) of input bus 0; other than `sampleRate` in a converter alone.
  public var inputSampleRate: Double { format.inputSampleRates.first ?? sampleRate }
  /// Channels of output bus 0.
  public var channelCount: Int { format.channelCount }
  /// Channels of input bus 0.
  public var inputChannelCount: Int { format.inputChannelCount }
  /// Greatest number of frames in a slice.
  public var maximumFrames: Int { format.maximumFrames }
}
