// The kinds of units: the role of each, and its default buses.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// An effect: sound in, sound out. Its output buses hold the input when `process` is called.
///
/// ```swift
/// @_noLocks mutating func process(_ slice: RenderSlice) {
///   for channel in 0..<slice.channelCount {
///     var samples = slice.samples(channel)
///     for frame in samples.indices { samples[frame] = RealtimeMath.tanh(samples[frame]) }
///   }
/// }
/// ```
public protocol EffectUnit: AuricleUnit, ~Copyable {}

extension EffectUnit where Self: ~Copyable {
  /// `kAudioUnitType_Effect`.
  public static var componentType: OSType { kAudioUnitType_Effect }
  /// Yes.
  public static var processesInPlace: Bool { true }
}

/// An effect that receives MIDI: `RenderSlice.midi`.
///
/// ```swift
/// for event in slice.midi {
///   switch event.message {
///   case .noteOn: isOpen = true
///   case .noteOff: isOpen = false
///   default: break
///   }
/// }
/// ```
///
/// Its output buses hold the input when `process` is called.
public protocol MusicEffectUnit: AuricleUnit, ~Copyable {}

extension MusicEffectUnit where Self: ~Copyable {
  /// `kAudioUnitType_MusicEffect`.
  public static var componentType: OSType { kAudioUnitType_MusicEffect }
  /// Yes.
  public static var processesInPlace: Bool { true }
}

/// A unit that is played: notes in, sound out. A `VoicePool` does the notes.
///
/// ```swift
/// private var voices: VoicePool<Voice>
///
/// init(_ setup: UnitSetup<Self>) { voices = VoicePool(count: 16) { Voice() } }
/// @_noLocks mutating func reset() { voices.reset() }
/// @_noLocks mutating func process(_ slice: RenderSlice) { voices.render(slice) }
/// ```
public protocol InstrumentUnit: AuricleUnit, ~Copyable {}

extension InstrumentUnit where Self: ~Copyable {
  /// `kAudioUnitType_MusicDevice`.
  public static var componentType: OSType { kAudioUnitType_MusicDevice }
  /// None.
  public static var inputs: [BusDefinition] { [] }
  /// Notes come with numbers, and with expression of their own.
  public static func arrange(_ definition: inout UnitDefinition) {
    definition.receivesNoteNumbers = true
    definition.supportsMPE = true
  }
}

/// A source of sound without inputs, such as a tone, noise or a file player.
///
/// `process` writes every channel of the output, or calls `slice.clearOutput(isSilent: true)`.
public protocol GeneratorUnit: AuricleUnit, ~Copyable {}

extension GeneratorUnit where Self: ~Copyable {
  /// `kAudioUnitType_Generator`.
  public static var componentType: OSType { kAudioUnitType_Generator }
  /// None.
  public static var inputs: [BusDefinition] { [] }
}

/// A mixer: as many inputs as a host asks for, each with the parameters of `InputParameters`.
///
/// ```swift
/// slice.clearOutput()
/// for bus in 0..<slice.inputCount {
///   let source = slice.input(0, bus: bus)
///   var target = slice.output(0)
///   for frame in source.indices { target[frame] += source[frame] * inputs[bus].volume }
/// }
/// ```
///
/// Here `inputs` is `setup.inputParameters`, kept by the unit, whose `InputParameters` have a `volume`.
public protocol MixerUnit: AuricleUnit, ~Copyable {
  /// Numbers of input buses that a host may request.
  static var inputCounts: ClosedRange<Int> { get }
}

extension MixerUnit where Self: ~Copyable {
  /// `kAudioUnitType_Mixer`.
  public static var componentType: OSType { kAudioUnitType_Mixer }
  /// Eight, none of which needs a source.
  public static var inputs: [BusDefinition] {
    (1...8).map { BusDefinition(name: "Input \($0)", isOptional: true) }
  }
  /// Up to 64.
  public static var inputCounts: ClosedRange<Int> { 1...64 }
  /// Lets hosts add and remove inputs.
  public static func arrange(_ definition: inout UnitDefinition) {
    definition.inputElementCounts = inputCounts
  }
}

/// A panner: one or two channels in, two channels out, with the sound in its place.
///
/// ```swift
/// let pan = parameters.pan
/// let source = slice.input(0)
/// var left = slice.output(0)
/// var right = slice.output(1)
/// for frame in source.indices {
///   left[frame] = source[frame] * (1 - pan[frame]) / 2
///   right[frame] = source[frame] * (1 + pan[frame]) / 2
/// }
/// ```
///
/// Here `pan` is a `@Parameter` of type `Ramp`, −1 to 1.
public protocol PannerUnit: AuricleUnit, ~Copyable {}

extension PannerUnit where Self: ~Copyable {
  /// `kAudioUnitType_Panner`.
  public static var componentType: OSType { kAudioUnitType_Panner }
  /// One or two channels in, two out.
  public static var channels: [ChannelRule] { [.exactly(1, 2), .exactly(2, 2)] }
}

/// A converter: between rates or numbers of channels. It asks for its input itself, since it needs
/// other numbers of frames than it makes.
///
/// ```swift
/// let count = min(Int(Double(slice.frameCount) * ratio), slice.maximumFrameCount)
/// let status = slice.pullInput(bus: 0, sampleTime: inputTime, frameCount: count)
/// guard status == 0 else { return slice.fail(status) }
/// ```
///
/// Here `ratio` is `setup.inputSampleRate / setup.sampleRate`. `SpeedReader` interpolates between the frames
/// that were pulled.
public protocol ConverterUnit: AuricleUnit, ~Copyable {}

extension ConverterUnit where Self: ~Copyable {
  /// `kAudioUnitType_FormatConverter`.
  public static var componentType: OSType { kAudioUnitType_FormatConverter }
  /// Any number of channels in, any number out.
  public static var channels: [ChannelRule] { [.anyToAny] }
  /// Yes.
  public static var pullsInputs: Bool { true }
  /// Rates of input and output may differ.
  public static func arrange(_ definition: inout UnitDefinition) {
    definition.allowsDifferentRates = true
  }
}

/// A unit that makes MIDI of MIDI: `RenderSlice.midi` in, `RenderSlice.send` out. Sound passes through
/// it unchanged.
///
/// ```swift
/// for event in slice.midi {
///   if case .noteOn(let channel, let key, let velocity) = event.message {
///     slice.send(
///       .noteOn(channel: channel, key: key, velocity: min(velocity + 20, 127)), at: event.frame)
///   } else {
///     slice.send(event.message, at: event.frame)
///   }
/// }
/// ```
public protocol MIDIProcessorUnit: AuricleUnit, ~Copyable {
  /// Names of the MIDI outputs.
  static var midiOutputs: [String] { get }
}

extension MIDIProcessorUnit where Self: ~Copyable {
  /// `kAudioUnitType_MIDIProcessor`.
  public static var componentType: OSType { kAudioUnitType_MIDIProcessor }
  /// One bus, which needs no source.
  public static var inputs: [BusDefinition] { [BusDefinition(name: "Input", isOptional: true)] }
  /// Yes: the input is the output.
  public static var processesInPlace: Bool { true }
  /// One.
  public static var midiOutputs: [String] { ["MIDI"] }
  /// Sets the outputs.
  public static func arrange(_ definition: inout UnitDefinition) {
    definition.midiOutputs = midiOutputs
  }
}
