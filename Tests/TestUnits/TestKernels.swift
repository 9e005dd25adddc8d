// Small units with one peculiarity each, for tests of their callers.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
public import AuricleSDK
public import CAudioToolbox
import Glibc

/// Multiplies by parameter 0 ("gain", linear, 0 to 4, default 1); no smoothing.
struct GainKernel: UnitKernel, ~Copyable {
  init(_ format: RenderFormat) {}
  mutating func reset() {}
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    let gain = slice.parameter(0)
    for channel in 0..<slice.channelCount {
      let samples = unsafe slice.channel(channel)
      for frame in 0..<slice.frameCount { unsafe samples[frame] *= gain }
    }
    slice.setMeter(1, gain)
  }
}

/// Delays by 240 frames and says so.
@safe struct LookAheadKernel: UnitKernel, ~Copyable {
  private let channelCount: Int
  private let ring: UnsafeMutablePointer<Float>
  private var position = 0

  init(_ format: RenderFormat) {
    channelCount = format.channelCount
    unsafe ring = .allocate(capacity: 240 * format.channelCount)
    unsafe ring.initialize(repeating: 0, count: 240 * format.channelCount)
  }

  deinit { unsafe ring.deallocate() }

  mutating func reset() {
    unsafe ring.update(repeating: 0, count: 240 * channelCount)
    position = 0
  }

  var latencyFrames: Int { 240 }
  var tailSeconds: Double { 0.25 }

  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    for frame in 0..<slice.frameCount {
      for channel in 0..<slice.channelCount {
        let samples = unsafe slice.channel(channel)
        let cell = unsafe ring + channel * 240 + position
        let old = unsafe cell.pointee
        unsafe cell.pointee = samples[frame]
        unsafe samples[frame] = old
      }
      position = (position + 1) % 240
    }
  }
}

/// Turns a sample above 0.5 into NaN.
struct BrokenKernel: UnitKernel, ~Copyable {
  init(_ format: RenderFormat) {}
  mutating func reset() {}
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    for channel in 0..<slice.channelCount {
      let samples = unsafe slice.channel(channel)
      for frame in 0..<slice.frameCount where unsafe samples[frame] > 0.5 {
        unsafe samples[frame] = .nan
      }
    }
  }
}

/// A kernel with fixed counts of separate inputs and outputs: output o is input o mod inputs, times o + 1.
struct ShapeKernel: UnitKernel, ~Copyable {
  init(_ format: RenderFormat) {}
  mutating func reset() {}
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    for channel in 0..<slice.channelCount {
      let output = unsafe slice.output(bus: 0, channel: channel)
      let gain = Float(channel + 1)
      for frame in 0..<slice.frameCount {
        let input: Float =
          slice.inputChannelCount == 0
          ? 0.5 : unsafe slice.input(bus: 0, channel: channel % slice.inputChannelCount)[frame]
        unsafe output[frame] = input * gain
      }
    }
  }
}

/// Makes opened test units.
public enum TestUnits {
  static let gainParameters = [
    ParameterDefinition(
      id: 0, name: "gain", unit: kAudioUnitParameterUnit_LinearGain, range: 0...4, defaultValue: 1),
    ParameterDefinition(
      id: 1000, name: "level", unit: kAudioUnitParameterUnit_LinearGain, range: 0...4,
      defaultValue: 0, isMeter: true),
    ParameterDefinition(
      id: 7, name: "mode", unit: kAudioUnitParameterUnit_Indexed, range: 0...2, defaultValue: 1,
      valueNames: ["soft", "medium", "hard"]),
  ]

  /// A gain for any number of channels, with two factory presets.
  public static func gain(
    capabilities: [ChannelCapability]? = nil
  ) throws(AuricleError) -> AudioUnit {
    let definition = UnitDefinition(
      parameters: gainParameters,
      factoryPresets: [
        FactoryPresetDefinition(name: "Half", values: [0: 0.5]),
        FactoryPresetDefinition(name: "Double", values: [0: 2]),
      ], channelCapabilities: capabilities)
    return unsafe try open(
      "gain",
      unsafe makeAudioUnit(GainKernel.self, definition, nil) {
        unsafe runKernel(GainKernel.self, $0, $1)
      })
  }

  /// A gain with a side chain that need not be fed.
  public static func sideChained() throws(AuricleError) -> AudioUnit {
    let definition = UnitDefinition(
      parameters: gainParameters,
      inputs: [
        BusDefinition(name: "Input"),
        BusDefinition(name: "Side chain", isOptional: true, allowedChannelCounts: [1, 2]),
      ])
    return unsafe try open(
      "side-chained",
      unsafe makeAudioUnit(GainKernel.self, definition, nil) {
        unsafe runKernel(GainKernel.self, $0, $1)
      })
  }

  /// A delay of 240 frames that is its latency; tail 0.25 s.
  public static func lookAhead() throws(AuricleError) -> AudioUnit {
    unsafe try open(
      "look-ahead",
      unsafe makeAudioUnit(LookAheadKernel.self, UnitDefinition(parameters: []), nil) {
        unsafe runKernel(LookAheadKernel.self, $0, $1)
      })
  }

  /// Makes a unit that passes its input on and reports any latency (frames).
  public static func boasting(latencyFrames: Double) throws(AuricleError) -> AudioUnit {
    let procedures = unsafe KernelProcedures(
      create: { _ in UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1) },
      destroy: { unsafe $0.deallocate() }, reset: { _ in }, latencyFrames: { _ in latencyFrames },
      tailSeconds: { _ in 0 }, process: { _, _ in })
    return unsafe try open(
      "boasting", makeAudioUnit(UnitDefinition(parameters: []), procedures, nil))
  }

  /// A unit that makes NaN of loud samples.
  public static func broken() throws(AuricleError) -> AudioUnit {
    unsafe try open(
      "broken",
      unsafe makeAudioUnit(BrokenKernel.self, UnitDefinition(parameters: []), nil) {
        unsafe runKernel(BrokenKernel.self, $0, $1)
      })
  }

  /// A unit with exactly so many channels in and out.
  public static func shape(_ inputs: Int, _ outputs: Int) throws(AuricleError) -> AudioUnit {
    let definition = UnitDefinition(
      parameters: [],
      channelCapabilities: [ChannelCapability(Int16(inputs), Int16(outputs))],
      inputs: inputs == 0 ? [] : [BusDefinition(name: "Input", channelCount: inputs)],
      outputs: [BusDefinition(name: "Output", channelCount: outputs)], processesInPlace: false)
    return unsafe try open(
      "shape",
      unsafe makeAudioUnit(ShapeKernel.self, definition, nil) {
        unsafe runKernel(ShapeKernel.self, $0, $1)
      })
  }

  /// Opens a unit of a definition that a test brings.
  public static func open(
    _ name: String, _ plugIn: UnsafeMutablePointer<AudioComponentPlugInInterface>?,
    as description: AudioComponentDescription = AudioComponentDescription()
  ) throws(AuricleError) -> AudioUnit {
    guard let plugIn = unsafe plugIn else { throw AuricleError(.software, "no interface") }
    let record = UnsafeMutablePointer<OpaqueAudioComponent>.allocate(capacity: 1)
    unsafe record.initialize(to: OpaqueAudioComponent())
    unsafe record.pointee.magic = UInt32(kAuricleComponentMagic)
    unsafe record.pointee.recordSize = UInt32(MemoryLayout<OpaqueAudioComponent>.size)
    unsafe record.pointee.description = description
    unsafe record.pointee.name = UnsafePointer(strdup(name))
    return unsafe try AudioUnit(
      opening: plugIn, component: record, keeping: RecordOwner(record))
  }

  /// Opens a unit as the component that its author declares.
  static func open<Unit: AuricleUnit & ~Copyable>(
    _ unit: Unit.Type, _ plugIn: ComponentInterface?
  ) throws(AuricleError) -> AudioUnit {
    var description = AudioComponentDescription()
    description.componentType = Unit.componentType
    description.componentSubType = FourCharacterCode(Unit.component.subtype)?.rawValue ?? 0
    description.componentManufacturer =
      FourCharacterCode(Unit.component.manufacturer)?.rawValue ?? 0
    return unsafe try open(Unit.component.name, plugIn, as: description)
  }
}

/// Keeps a component record as long as its unit.
@safe private final class RecordOwner {
  private let record: UnsafeMutablePointer<OpaqueAudioComponent>
  init(_ record: UnsafeMutablePointer<OpaqueAudioComponent>) { unsafe self.record = record }
  deinit {
    unsafe free(UnsafeMutablePointer(mutating: record.pointee.name))
    unsafe record.deallocate()
  }
}
