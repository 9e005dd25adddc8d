// A unit's traits before it has an instance: buses, channel counts, parameters, presets, properties.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// A bus (element) of the input or output scope.
///
/// A side chain that need not be connected:
///
/// ```swift
/// static let inputs = [
///   BusDefinition(name: "Input"),
///   BusDefinition(name: "Side chain", isOptional: true, allowedChannelCounts: [1, 2]),
/// ]
/// ```
///
/// Context: control.
public struct BusDefinition: Sendable {
  /// Name shown to a person, for example "Side chain".
  public var name: String
  /// Channels of a fresh instance, 2 by default; a host may choose others that the unit supports.
  public var channelCount: Int
  /// Whether the unit renders without a source on this input; its input is then silence.
  public var isOptional: Bool
  /// Channel counts that a host may choose on this bus; nil leaves it to `channelCapabilities`.
  public var allowedChannelCounts: [Int]?
  /// Channel layouts that the unit distinguishes, in order of preference for each channel count;
  /// nil: the usual ones, which make no difference.
  ///
  /// ```swift
  /// var surround = BusDefinition(name: "Output", channelCount: 6)
  /// surround.layoutTags = [kAudioChannelLayoutTag_AudioUnit_5_1]
  /// ```
  ///
  /// The kernel receives the layout of output bus 0 (`RenderFormat.outputLayoutTag`).
  public var layoutTags: [AudioChannelLayoutTag]?

  /// Declares a bus.
  ///
  /// - Parameters:
  ///   - name: Name shown to a person.
  ///   - channelCount: Channels of a fresh instance.
  ///   - isOptional: Whether the unit renders without a source on this input.
  ///   - allowedChannelCounts: Channel counts that a host may choose; nil leaves it to `channelCapabilities`.
  public init(
    name: String, channelCount: Int = 2, isOptional: Bool = false,
    allowedChannelCounts: [Int]? = nil
  ) {
    self.name = name
    self.channelCount = channelCount
    self.isOptional = isOptional
    self.allowedChannelCounts = allowedChannelCounts
  }
}

/// A pair of channel counts that works on bus 0: counts, or −1 and −2 as wildcards.
///
/// Units of `AuricleUnit` write `.same`, `.anyToAny` and `.exactly(1, 2)`.
///
/// ```swift
/// ChannelCapability(1, 2)  // mono in, stereo out
/// ChannelCapability(-1, -1)  // any number, the same in and out
/// ChannelCapability(-1, -2)  // any number in, any number out
/// ChannelCapability(-16, -8)  // up to 16 in and 8 out, over all buses
/// ```
///
/// The corresponding Core Audio structure is `AUChannelInfo`.
public struct ChannelCapability: Sendable, Hashable {
  /// Channels of input bus 0; 0 for a unit without inputs.
  public var inputs: Int16
  /// Channels of output bus 0.
  public var outputs: Int16

  /// Declares a pair.
  ///
  /// - Parameters:
  ///   - inputs: A count, −1, −2, or below −2 the most of all buses together.
  ///   - outputs: The same of the outputs.
  public init(_ inputs: Int16, _ outputs: Int16) {
    self.inputs = inputs
    self.outputs = outputs
  }

  /// Returns whether real counts of all buses are covered: those of the first buses, or their totals.
  ///
  /// A number from 0 up means that count; −1 and −2 any count, −1 on both sides the same count. A
  /// number below −2 means any total of all buses of its side up to it.
  ///
  /// - Parameters:
  ///   - inputCounts: Channels of each input bus.
  ///   - outputCounts: Channels of each output bus.
  public func covers(inputs inputCounts: [Int], outputs outputCounts: [Int]) -> Bool {
    let input = inputs < -2 ? inputCounts.reduce(0, +) : inputCounts.first ?? 0
    let output = outputs < -2 ? outputCounts.reduce(0, +) : outputCounts.first ?? 0
    return covers(inputs: input, outputs: output)
  }

  /// Returns whether a pair of real counts is covered, those of the first buses. Context: any.
  public func covers(inputs inputCount: Int, outputs outputCount: Int) -> Bool {
    switch (inputs, outputs) {
    case (-1, -1): inputCount == outputCount
    case (-1, -2), (-2, -1): true
    default: Self.side(inputs, inputCount) && Self.side(outputs, outputCount)
    }
  }

  private static func side(_ declared: Int16, _ count: Int) -> Bool {
    switch declared {
    case -1, -2: true
    case ..<(-2): count <= -Int(declared)
    default: count == Int(declared)
    }
  }
}

/// A preset that ships with the unit: values by parameter id; the others have their defaults.
///
/// ```swift
/// FactoryPresetDefinition(name: "Telephone", values: [0: 300, 1: 3400])
/// ```
///
/// Units of `AuricleUnit` declare a `Preset`. The corresponding Core Audio structure is `AUPreset`.
public struct FactoryPresetDefinition: Sendable {
  /// Name shown to a person.
  public var name: String
  /// Values by parameter id, in the parameters' units.
  public var values: [AudioUnitParameterID: Float]

  /// Declares a preset.
  public init(name: String, values: [AudioUnitParameterID: Float] = [:]) {
    self.name = name
    self.values = values
  }
}

/// A property of the unit beyond the common ones.
///
/// Units of `AuricleUnit` declare a `CustomProperty`, which needs no pointers. A number that a host reads:
///
/// ```swift
/// unsafe PropertyDefinition(
///   id: 64100, size: 8,
///   read: { unit, _, data in
///     unsafe data.storeBytes(of: unit.sampleRate / 2, as: Double.self)
///     return 0
///   })
/// ```
///
/// Context of the closures: control.
@safe public struct PropertyDefinition: Sendable {
  /// Property id: from 64100 on, or one of Core Audio's that the unit has.
  public var id: AudioUnitPropertyID
  /// Scope it lives in, the global one by default; its element is passed to the closures.
  public var scope: AudioUnitScope
  /// Size of the value in bytes; the greatest one where `currentSize` is set.
  public var size: UInt32
  /// Size of the present value in bytes, where it varies; nil: `size`.
  public var currentSize: (@Sendable (UnitInstance, AudioUnitElement) -> UInt32)?
  /// Whether its element is a number with a meaning of the property, not an element of the scope.
  public var elementIsNumber = false
  /// Whether a host may set it.
  public var isWritable: Bool
  /// Copies the value to the pointer, which has room for `size` bytes; returns 0 or an error for the host.
  public var read: @Sendable (UnitInstance, AudioUnitElement, UnsafeMutableRawPointer) -> OSStatus
  /// Sets the value, of any size that the host passed (bytes); returns 0 or an error for the host.
  ///
  /// A reason for the error is kept by `UnitInstance.refuse(_:_:)`.
  public var write:
    @Sendable (UnitInstance, AudioUnitElement, UnsafeRawPointer?, UInt32) -> OSStatus

  /// Declares a property; without `write` it is read-only.
  ///
  /// - Parameters:
  ///   - id: Property id.
  ///   - scope: Scope it lives in.
  ///   - size: Size of the value in bytes.
  ///   - read: Copies the value of an element to a pointer.
  ///   - write: Sets the value of an element from a pointer and a number of bytes.
  public init(
    id: AudioUnitPropertyID, scope: AudioUnitScope = 0, size: UInt32,
    read: @escaping @Sendable (UnitInstance, AudioUnitElement, UnsafeMutableRawPointer) -> OSStatus,
    write: (@Sendable (UnitInstance, AudioUnitElement, UnsafeRawPointer?, UInt32) -> OSStatus)? =
      nil
  ) {
    self.id = id
    self.scope = scope
    self.size = size
    unsafe self.read = unsafe read
    isWritable = unsafe write != nil
    unsafe self.write = unsafe write ?? { _, _, _, _ in kAudioUnitErr_PropertyNotWritable }
  }
}

/// Everything about a unit that does not depend on an instance.
///
/// Units of `AuricleUnit` have one made of their static members, and change it in `configure(_:)`. By hand:
///
/// ```swift
/// var definition = UnitDefinition(
///   parameters: [cutoff, resonance],
///   factoryPresets: [FactoryPresetDefinition(name: "Dark", values: [0: 800])],
///   channelCapabilities: [ChannelCapability(-1, -1)], skipsSilence: true)
/// definition.clumpNames = [1: "filter"]
/// definition.overviewParameters = [0]
/// ```
///
/// Context: control.
public struct UnitDefinition: Sendable {
  /// Input buses; bus 0 is the main one. Empty for a generator.
  public var inputs: [BusDefinition]
  /// Output buses; bus 0 is the main one.
  public var outputs: [BusDefinition]
  /// Parameters in the order that `RenderSlice.parameter(_:)` counts them.
  public var parameters: [ParameterDefinition]
  /// Parameters that every input bus has a value of; `RenderSlice.inputParameter(bus:_:)`.
  public var inputParameters: [ParameterDefinition] = []
  /// Parameters that every output bus has a value of; `RenderSlice.outputParameter(bus:_:)`.
  public var outputParameters: [ParameterDefinition] = []
  /// Names of the MIDI outputs, to which `RenderSlice.sendMIDI` sends; empty where there are none.
  ///
  /// The corresponding property is `kAudioUnitProperty_MIDIOutputCallbackInfo`.
  public var midiOutputs: [String] = []
  /// Whether a unit that is played supports notes with their own expression, a channel each (MPE).
  public var supportsMPE = false
  /// Numbers of input buses that a host may request while the unit is uninitialised; nil: as declared.
  ///
  /// Buses beyond those declared are like the last of them. The corresponding property is
  /// `kAudioUnitProperty_ElementCount`.
  public var inputElementCounts: ClosedRange<Int>?
  /// Numbers of output buses that a host may request while the unit is uninitialised; nil: as declared.
  public var outputElementCounts: ClosedRange<Int>?
  /// Channels and their crossings as elements of parameters, in a matrix mixer; nil: elements are buses.
  public var channelMatrix: ChannelMatrix?
  /// The elements of the group scope (of an instrument, its channels); nil: there is no such scope.
  ///
  /// The corresponding Core Audio scope is `kAudioUnitScope_Group`.
  public var groups: ElementDefinition?
  /// The elements of the part scope; nil: there is no such scope.
  public var parts: ElementDefinition?
  /// The elements of the note scope; nil: there is no such scope.
  public var notes: ElementDefinition?
  /// Names of parameter groups by clump id, from 1; `kAudioUnitProperty_ParameterClumpName`.
  public var clumpNames: [UInt32: String]
  /// Presets that ship with the unit, whose numbers are their places; `kAudioUnitProperty_FactoryPresets`.
  public var factoryPresets: [FactoryPresetDefinition]
  /// Names of presets that are known at run time only; they follow `factoryPresets` in number, and
  /// `selectPreset` puts them in force. The list may grow and must not be reordered.
  public var furtherPresetNames: (@Sendable (UnitInstance) -> [String])?
  /// Puts a factory preset in force by its number; nil sets the preset's values over the defaults.
  ///
  /// Returns 0 or an error for the host. Context: control, under the instance's lock.
  public var selectPreset: (@Sendable (UnitInstance, Int) -> OSStatus)?
  /// Channel counts of bus 0; nil means any number, the same in and out.
  public var channelCapabilities: [ChannelCapability]?
  /// Further properties.
  public var properties: [PropertyDefinition]
  /// The unit's saved state beside its parameters; nil for none.
  public var state: StateDefinition?
  /// Whether the kernel asks for its input itself, with `RenderSlice.pullInput`.
  ///
  /// For mixers that leave out buses, and for converters, which consume other numbers of frames
  /// than they produce. Such a unit has no bypass.
  public var kernelPullsInputs = false
  /// Whether the buses may have different sample rates; else Initialize fails where they differ.
  public var allowsDifferentRates = false
  /// Whether formats and other settings that a kernel is made of may be changed while the unit is initialised, which
  /// makes a new kernel. Output units of Core Audio allow it; others return `kAudioUnitErr_Initialized`.
  public var allowsChangesWhileInitialized = false
  /// The text of a value of a global parameter; nil for the text that follows from its definition.
  ///
  /// ```swift
  /// definition.parameterText = { _, id, value in
  ///   id == 3 ? (value < 0.5 ? "off" : "1 : \(Int(value))") : nil
  /// }
  /// ```
  ///
  /// The corresponding property is `kAudioUnitProperty_ParameterStringFromValue`. Context: control.
  public var parameterText: (@Sendable (UnitInstance, AudioUnitParameterID, Float) -> String?)?
  /// The value of a text of a global parameter; nil to have it read as a name or a number.
  ///
  /// The corresponding property is `kAudioUnitProperty_ParameterValueFromString`. Context: control.
  public var parameterValue: (@Sendable (UnitInstance, AudioUnitParameterID, String) -> Float?)?
  /// The gain (linear) of the unit at a frequency (Hz) as it is set now; nil for a unit whose output
  /// is not its input filtered.
  ///
  /// The corresponding property is `kAudioUnitProperty_FrequencyResponse`. Context: control.
  public var frequencyResponse: (@Sendable (UnitInstance, Double) -> Double)?
  /// Ids of the global parameters that matter most, the first one most; nil: the first four that a
  /// host can set.
  ///
  /// The corresponding property is `kAudioUnitProperty_ParametersForOverview`.
  public var overviewParameters: [AudioUnitParameterID]?
  /// Whether the kernel need not be called for silence once its tail is over.
  ///
  /// True for kernels that make silence of silence and whose state is then at rest; the SDK asks for
  /// the tail while silence comes in, and says itself that the output is silent.
  public var skipsSilence = false
  /// The highest latency that the output may reach while rendering, in seconds; see
  /// `RenderSlice.reportLatency`.
  ///
  /// 0 for kernels whose latency is constant from Initialize on. The dry path of a bypass is allocated for it.
  public var maximumLatencySeconds = 0.0
  /// The start and stop functions of a unit of the output type; nil: a flag and no more.
  public var output: OutputProcedures?
  /// Whether the kernel is never called for less than a whole cycle: for one that is harmed by it.
  ///
  /// Scheduled changes of parameters then wait for the next cycle, ramps are followed once a cycle.
  public var keepsCyclesWhole = false
  /// Whether a host runs the unit over the whole of its input, in passes: see `RenderSlice.isPreflight`.
  public var runsOffline = false
  /// Whether such a host must run the analysing pass over the input before it renders.
  public var needsPreflight = false
  /// Whether notes that a host starts by a number of their own come to the kernel with that number; for
  /// kernels that play notes with a `VoicePool`.
  public var receivesNoteNumbers = false
  /// Whether the kernel works on the output buffers, which hold the input when it is called.
  ///
  /// When false, inputs and outputs are separate memory.
  public var processesInPlace: Bool

  /// Declares a unit, by default an effect with one bus in and one out.
  ///
  /// - Parameters:
  ///   - parameters: Global parameters in the order in which the kernel counts them.
  ///   - factoryPresets: Presets that ship with the unit.
  ///   - channelCapabilities: Channel counts of bus 0; nil for any number, the same in and out.
  ///   - inputs: Input buses; empty for a generator.
  ///   - outputs: Output buses.
  ///   - clumpNames: Names of parameter groups by clump id.
  ///   - properties: Further properties.
  ///   - processesInPlace: Whether the output buffers hold the input when the kernel is called.
  ///   - skipsSilence: Whether the kernel need not be called for silence once its tail is over.
  ///   - selectPreset: Puts a factory preset in force by its number; nil sets its values.
  ///   - frequencyResponse: The gain (linear) at a frequency (Hz); nil for none.
  public init(
    parameters: [ParameterDefinition], factoryPresets: [FactoryPresetDefinition] = [],
    channelCapabilities: [ChannelCapability]? = nil,
    inputs: [BusDefinition] = [BusDefinition(name: "Input")],
    outputs: [BusDefinition] = [BusDefinition(name: "Output")],
    clumpNames: [UInt32: String] = [:], properties: [PropertyDefinition] = [],
    processesInPlace: Bool = true, skipsSilence: Bool = false,
    selectPreset: (@Sendable (UnitInstance, Int) -> OSStatus)? = nil,
    frequencyResponse: (@Sendable (UnitInstance, Double) -> Double)? = nil
  ) {
    self.frequencyResponse = frequencyResponse
    self.inputs = inputs
    self.outputs = outputs
    self.parameters = parameters
    self.clumpNames = clumpNames
    self.factoryPresets = factoryPresets
    self.selectPreset = selectPreset
    self.channelCapabilities = channelCapabilities
    self.properties = properties
    self.processesInPlace = processesInPlace
    self.skipsSilence = skipsSilence
  }
}

extension UnitDefinition {
  /// Ids of the parameters for an overview.
  var overview: [AudioUnitParameterID] {
    overviewParameters
      ?? parameters.filter { !$0.isMeter && !$0.isExpert }.prefix(4).map(\.id)
  }
}

extension UnitDefinition {
  /// The traits that the render path needs.
  var renderTraits: RenderTraits {
    RenderTraits(
      processesInPlace: processesInPlace, kernelPullsInputs: kernelPullsInputs,
      keepsCyclesWhole: keepsCyclesWhole, skipsSilence: skipsSilence, runsOffline: runsOffline,
      needsPreflight: needsPreflight)
  }
}
