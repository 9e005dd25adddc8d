// Small units to build graphs of: an end, a mixer, a splitter, a source, something slow.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
import AuricleSDK
public import CAudioToolbox
import RealtimeSupport

/// Passes its input on in place.
struct PassKernel: UnitKernel, ~Copyable {
  init(_ format: RenderFormat) {}
  mutating func reset() {}
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {}
}

/// Adds all its inputs, times parameter 0.
struct SumKernel: UnitKernel, ~Copyable {
  private let inputCount: Int
  init(_ format: RenderFormat) { inputCount = format.inputChannelCounts.count }
  mutating func reset() {}
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    for channel in 0..<slice.channelCount {
      let output = unsafe slice.output(bus: 0, channel: channel)
      for bus in 0..<inputCount {
        let input = unsafe slice.input(bus: bus, channel: channel)
        if bus == 0 {
          for frame in 0..<slice.frameCount { unsafe output[frame] = input[frame] }
        } else {
          for frame in 0..<slice.frameCount { unsafe output[frame] += input[frame] }
        }
      }
      let gain = slice.parameter(0)
      if gain != 1 { for frame in 0..<slice.frameCount { unsafe output[frame] *= gain } }
    }
  }
}

/// A kernel that copies its input to every output.
struct SplitKernel: UnitKernel, ~Copyable {
  private let outputCount: Int
  init(_ format: RenderFormat) { outputCount = format.outputChannelCounts.count }
  mutating func reset() {}
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    for channel in 0..<slice.channelCount {
      let input = unsafe slice.input(bus: 0, channel: channel)
      for bus in 0..<outputCount {
        let output = unsafe slice.output(bus: bus, channel: channel)
        for frame in 0..<slice.frameCount { unsafe output[frame] = input[frame] }
      }
    }
  }
}

/// A ramp that counts frames from 0, in steps of parameter 0; the same on every channel.
struct CounterKernel: UnitKernel, ~Copyable {
  private var frame: Float = 0
  init(_ format: RenderFormat) {}
  mutating func reset() { frame = 0 }
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    let step = slice.parameter(0)
    for channel in 0..<slice.channelCount {
      let output = unsafe slice.channel(channel)
      for index in 0..<slice.frameCount { unsafe output[index] = (frame + Float(index)) * step }
    }
    frame += Float(slice.frameCount)
  }
}

/// A sine of parameter 0 (Hz) and parameter 1 (amplitude), by a rotation of doubles.
struct SineKernel: UnitKernel, ~Copyable {
  private let sampleRate: Double
  private var real = 1.0
  private var imaginary = 0.0
  private var frequency: Float = -1
  private var stepReal = 1.0
  private var stepImaginary = 0.0
  init(_ format: RenderFormat) { sampleRate = format.sampleRate }
  mutating func reset() {
    real = 1
    imaginary = 0
  }
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    if slice.parameter(0) != frequency {
      frequency = slice.parameter(0)
      let angle = 2 * Double.pi * Double(frequency) / sampleRate
      stepReal = RealtimeMath.cos(angle)
      stepImaginary = RealtimeMath.sin(angle)
    }
    let amplitude = Double(slice.parameter(1))
    for index in 0..<slice.frameCount {
      let sample = Float(imaginary * amplitude)
      for channel in 0..<slice.channelCount { unsafe slice.channel(channel)[index] = sample }
      let next = real * stepReal - imaginary * stepImaginary
      imaginary = real * stepImaginary + imaginary * stepReal
      real = next
    }
  }
}

/// A delay by parameter 0 (frames), which is its latency; changes are announced.
@safe struct MovableDelayKernel: UnitKernel, ~Copyable {
  private static let length = 4096
  private let channelCount: Int
  private let ring: UnsafeMutablePointer<Float>
  private let values: ParameterStore
  private var position = 0

  init(_ format: RenderFormat) {
    channelCount = format.channelCount
    values = format.values
    unsafe ring = .allocate(capacity: Self.length * format.channelCount)
    unsafe ring.initialize(repeating: 0, count: Self.length * format.channelCount)
  }

  deinit { unsafe ring.deallocate() }

  mutating func reset() {
    unsafe ring.update(repeating: 0, count: Self.length * channelCount)
  }

  var latencyFrames: Int { Int(values.value(at: 0)) }

  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    let delay = Int(slice.parameter(0))
    for frame in 0..<slice.frameCount {
      for channel in 0..<channelCount {
        let samples = unsafe slice.channel(channel)
        let line = unsafe ring + channel * Self.length
        unsafe line[position] = samples[frame]
        unsafe samples[frame] = line[(position + Self.length - delay) % Self.length]
      }
      position = (position + 1) % Self.length
    }
  }
}

extension TestUnits {
  /// Codes of a component for a graph's node.
  public static func codes(_ type: String, _ subtype: String) -> AudioComponentDescription {
    AudioComponentDescription(
      type: FourCharacterCode(type) ?? FourCharacterCode(rawValue: 0),
      subtype: FourCharacterCode(subtype) ?? FourCharacterCode(rawValue: 0),
      manufacturer: FourCharacterCode(rawValue: 0x5473_5420))
  }

  /// Makes the end of a graph: it passes on its input.
  public static func output() throws(AuricleError) -> AudioUnit {
    unsafe try open(
      "output",
      unsafe makeAudioUnit(PassKernel.self, UnitDefinition(parameters: []), nil) {
        unsafe runKernel(PassKernel.self, $0, $1)
      })
  }

  /// Passes its input on in place.
  public static func pass() throws(AuricleError) -> AudioUnit { try output() }

  /// Adds so many inputs, which need not be fed, times parameter 0 (default 1).
  public static func sum(_ inputCount: Int) throws(AuricleError) -> AudioUnit {
    let definition = UnitDefinition(
      parameters: [
        ParameterDefinition(
          id: 0, name: "gain", unit: kAudioUnitParameterUnit_LinearGain, range: 0...4,
          defaultValue: 1)
      ],
      inputs: (0..<inputCount).map { BusDefinition(name: "Input \($0)", isOptional: true) },
      processesInPlace: false)
    return unsafe try open(
      "sum",
      unsafe makeAudioUnit(SumKernel.self, definition, nil) {
        unsafe runKernel(SumKernel.self, $0, $1)
      })
  }

  /// Makes a unit that copies its input to so many outputs.
  public static func split(_ outputCount: Int) throws(AuricleError) -> AudioUnit {
    let definition = UnitDefinition(
      parameters: [],
      outputs: (0..<outputCount).map { BusDefinition(name: "Output \($0)") },
      processesInPlace: false)
    return unsafe try open(
      "split",
      unsafe makeAudioUnit(SplitKernel.self, definition, nil) {
        unsafe runKernel(SplitKernel.self, $0, $1)
      })
  }

  /// A source that counts frames, in steps of parameter 0 (default 1/65536).
  public static func counter() throws(AuricleError) -> AudioUnit {
    let definition = UnitDefinition(
      parameters: [
        ParameterDefinition(
          id: 0, name: "step", unit: kAudioUnitParameterUnit_LinearGain, range: 0...1,
          defaultValue: 1 / 65536)
      ], inputs: [])
    return unsafe try open(
      "counter",
      unsafe makeAudioUnit(CounterKernel.self, definition, nil) {
        unsafe runKernel(CounterKernel.self, $0, $1)
      })
  }

  /// A source of a sine: parameter 0 is its frequency (Hz), 1 its amplitude.
  public static func sine() throws(AuricleError) -> AudioUnit {
    let definition = UnitDefinition(
      parameters: [
        ParameterDefinition(
          id: 0, name: "frequency", unit: kAudioUnitParameterUnit_Hertz, range: 0...20_000,
          defaultValue: 100),
        ParameterDefinition(
          id: 1, name: "amplitude", unit: kAudioUnitParameterUnit_LinearGain, range: 0...1,
          defaultValue: 0.25),
      ], inputs: [])
    return unsafe try open(
      "sine",
      unsafe makeAudioUnit(SineKernel.self, definition, nil) {
        unsafe runKernel(SineKernel.self, $0, $1)
      })
  }

  /// A delay of as many frames as parameter 0 says, which is its latency.
  public static func movableDelay() throws(AuricleError) -> AudioUnit {
    let definition = UnitDefinition(
      parameters: [
        ParameterDefinition(
          id: 0, name: "frames", unit: kAudioUnitParameterUnit_SampleFrames, range: 0...4000,
          defaultValue: 0)
      ])
    return unsafe try open(
      "movable delay",
      unsafe makeAudioUnit(MovableDelayKernel.self, definition, nil) {
        unsafe runKernel(MovableDelayKernel.self, $0, $1)
      })
  }
}

/// A kernel that outputs its side chain, channel by channel; a single channel goes to all.
struct KeyKernel: UnitKernel, ~Copyable {
  init(_ format: RenderFormat) {}
  mutating func reset() {}
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    let count = slice.inputChannelCount(bus: 1)
    for channel in 0..<slice.channelCount {
      let output = unsafe slice.channel(channel)
      for frame in 0..<slice.frameCount {
        unsafe output[frame] = count == 0 ? 0 : slice.input(bus: 1, channel: channel % count)[frame]
      }
    }
  }
}

extension TestUnits {
  /// Makes a unit that outputs its side chain, which has one channel or two.
  public static func keyed() throws(AuricleError) -> AudioUnit {
    let definition = UnitDefinition(
      parameters: [],
      inputs: [
        BusDefinition(name: "Input"),
        BusDefinition(name: "Key", isOptional: true, allowedChannelCounts: [1, 2]),
      ])
    return unsafe try open(
      "keyed",
      unsafe makeAudioUnit(KeyKernel.self, definition, nil) {
        unsafe runKernel(KeyKernel.self, $0, $1)
      })
  }
}
