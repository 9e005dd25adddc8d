// Test units for rendering: separate buses, ramps, tails, latencies, and kernels that misbehave.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
import AuricleSDK
import CAudioToolbox
import CHostSystem
import CRealtime
import RealtimeSupport
public import Synchronization

/// Output 0 is the value of parameter 0 at each frame; output 1 follows parameter 1 by itself.
struct RampKernel: UnitKernel, ~Copyable {
  init(_ format: RenderFormat) {}
  mutating func reset() {}
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    let plain = unsafe slice.output(bus: 0, channel: 0)
    let own = unsafe slice.output(bus: 0, channel: 1)
    let value = slice.parameter(0)
    var start = slice.parameter(1)
    var step: Float = 0
    if let ramp = slice.parameterRamp(1) {
      start = ramp.start
      step = ramp.step
    }
    for frame in 0..<slice.frameCount {
      unsafe plain[frame] = value
      unsafe own[frame] = start + step * Float(frame)
    }
  }
}

/// Holds the last 100 frames and adds them: a tail of 100 frames. Counts its calls in meter 0.
@safe struct TailKernel: UnitKernel, ~Copyable {
  private let ring: UnsafeMutablePointer<Float>
  private var position = 0
  private var calls: Float = 0

  init(_ format: RenderFormat) {
    unsafe ring = .allocate(capacity: 100)
    unsafe ring.initialize(repeating: 0, count: 100)
  }

  deinit { unsafe ring.deallocate() }

  mutating func reset() { unsafe ring.update(repeating: 0, count: 100) }

  var tailSeconds: Double { 100 / 48_000 }

  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    calls += 1
    slice.setMeter(0, calls)
    let samples = unsafe slice.channel(0)
    for frame in 0..<slice.frameCount {
      let old = unsafe ring[position]
      unsafe ring[position] = samples[frame]
      unsafe samples[frame] += old
      position = (position + 1) % 100
    }
  }
}

/// Lets denormals through and rounds towards zero, as some plug-ins do; meter 0 counts the slices that
/// began so, meter 1 all of them.
struct RudeKernel: UnitKernel, ~Copyable {
  private var all: Float = 0
  private var bad: Float = 0

  init(_ format: RenderFormat) {}
  mutating func reset() {}
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    all += 1
    if !DenormalGuard.isActive { bad += 1 }
    slice.setMeter(0, bad)
    slice.setMeter(1, all)
    let flush = AuricleFloatControlFlushBits()
    AuricleSetFloatControl(AuricleGetFloatControl() & ~flush ^ 0x6000)
  }
}

extension TestUnits {
  /// Parameters 0 and 1, of which the kernel ramps 1 itself; a generator with two channels.
  public static func ramps() throws(AuricleError) -> AudioUnit {
    var own = ParameterDefinition(
      id: 1, name: "own", unit: kAudioUnitParameterUnit_LinearGain, range: -10...10,
      defaultValue: 0)
    own.isRampedByKernel = true
    let definition = UnitDefinition(
      parameters: [
        ParameterDefinition(
          id: 0, name: "plain", unit: kAudioUnitParameterUnit_LinearGain, range: -10...10,
          defaultValue: 0), own,
        ParameterDefinition(
          id: 2, name: "meter", unit: kAudioUnitParameterUnit_LinearGain, range: 0...1,
          defaultValue: 0, isMeter: true),
      ], inputs: [], processesInPlace: false)
    return unsafe try open(
      "ramps",
      unsafe makeAudioUnit(RampKernel.self, definition, nil) {
        unsafe runKernel(RampKernel.self, $0, $1)
      })
  }

  /// A mono unit that rings for 100 frames and need not be called for silence; meter 0: its calls.
  public static func ringing() throws(AuricleError) -> AudioUnit {
    var definition = UnitDefinition(
      parameters: [
        ParameterDefinition(
          id: 0, name: "calls", unit: kAudioUnitParameterUnit_Generic, range: 0...1e9,
          defaultValue: 0, isMeter: true)
      ], channelCapabilities: [ChannelCapability(1, 1)],
      inputs: [BusDefinition(name: "Input", channelCount: 1)],
      outputs: [BusDefinition(name: "Output", channelCount: 1)])
    definition.skipsSilence = true
    return unsafe try open(
      "ringing",
      unsafe makeAudioUnit(TailKernel.self, definition, nil) {
        unsafe runKernel(TailKernel.self, $0, $1)
      })
  }

  /// A unit that changes the control word of the thread; parameter 2 can be scheduled.
  public static func rude() throws(AuricleError) -> AudioUnit {
    var parameters = (0..<2).map {
      ParameterDefinition(
        id: AudioUnitParameterID($0), name: "meter \($0)", unit: kAudioUnitParameterUnit_Generic,
        range: 0...1e9, defaultValue: 0, isMeter: true)
    }
    parameters.append(
      ParameterDefinition(
        id: 2, name: "cut", unit: kAudioUnitParameterUnit_Generic, range: 0...1, defaultValue: 0))
    return unsafe try open(
      "rude",
      unsafe makeAudioUnit(RudeKernel.self, UnitDefinition(parameters: parameters), nil) {
        unsafe runKernel(RudeKernel.self, $0, $1)
      })
  }

  /// A unit with two outputs: the second is the first upside down. Meter 0 counts the calls.
  public static func twoOutputs() throws(AuricleError) -> AudioUnit {
    let definition = UnitDefinition(
      parameters: [
        ParameterDefinition(
          id: 0, name: "calls", unit: kAudioUnitParameterUnit_Generic, range: 0...1e9,
          defaultValue: 0, isMeter: true)
      ],
      inputs: [BusDefinition(name: "Input"), BusDefinition(name: "Key", isOptional: true)],
      outputs: [BusDefinition(name: "Output"), BusDefinition(name: "Negative")],
      processesInPlace: false)
    return unsafe try open(
      "two outputs",
      unsafe makeAudioUnit(TwoOutputKernel.self, definition, nil) {
        unsafe runKernel(TwoOutputKernel.self, $0, $1)
      })
  }

  /// A unit of the output type that says in `log` when it starts and stops.
  public static func output(log: OutputLog) throws(AuricleError) -> AudioUnit {
    var definition = UnitDefinition(parameters: gainParameters)
    definition.output = OutputProcedures(
      start: { _ in
        log.starts.wrappingAdd(1, ordering: .relaxed)
        return 0
      },
      stop: { _ in
        log.stops.wrappingAdd(1, ordering: .relaxed)
        return 0
      })
    var description = AudioComponentDescription()
    description.componentType = kAudioUnitType_Output
    return unsafe try open(
      "output",
      unsafe makeAudioUnit(GainKernel.self, definition, &description) {
        unsafe runKernel(GainKernel.self, $0, $1)
      })
  }
}

/// A count of an output unit's starts and stops.
public final class OutputLog: Sendable {
  /// Starts.
  public let starts = Atomic<Int>(0)
  /// Stops.
  public let stops = Atomic<Int>(0)

  /// Nothing yet.
  public init() {}
}

/// Adds the key to the input; the second output is the first upside down.
struct TwoOutputKernel: UnitKernel, ~Copyable {
  private var calls: Float = 0
  init(_ format: RenderFormat) {}
  mutating func reset() {}
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    calls += 1
    slice.setMeter(0, calls)
    for channel in 0..<slice.channelCount {
      let input = unsafe slice.input(bus: 0, channel: channel)
      let key = unsafe slice.input(bus: 1, channel: channel)
      let first = unsafe slice.output(bus: 0, channel: channel)
      let second = unsafe slice.output(bus: 1, channel: channel)
      for frame in 0..<slice.frameCount {
        let sum = unsafe input[frame] + key[frame]
        unsafe first[frame] = sum
        unsafe second[frame] = -sum
      }
    }
  }
}
