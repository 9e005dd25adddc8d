// A mixer in a page: inputs with a gain and a switch each, a master volume, and a meter on each input.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
import AuricleSDK
import CAudioToolbox

struct DeskUnit: MixerUnit, ~Copyable {
  static let component = Component("Test: Desk", subtype: "desk", manufacturer: "Test")
  static let inputCounts = 1...16

  struct InputParameters: ParameterSet {
    @Parameter(0, "gain", 0...4, default: 1, unit: .linearGain) var gain: Ramp
    @Parameter(1, "mute", default: false) var mute: Bool
    @Meter(1000, "level", 0...4, unit: .linearGain) var level: Float
  }

  struct OutputParameters: ParameterSet {
    @Parameter(0, "volume", 0...4, default: 1, unit: .linearGain) var volume: Ramp
  }

  private let inputs: BusParameters<InputParameters>
  private let outputs: BusParameters<OutputParameters>

  init(_ setup: UnitSetup<Self>) {
    inputs = setup.inputParameters
    outputs = setup.outputParameters
  }

  @_noLocks mutating func reset() {}

  @_noLocks mutating func process(_ slice: RenderSlice) {
    slice.clearOutput()
    let volume = outputs[0].volume
    for bus in 0..<slice.inputCount {
      let strip = inputs[bus]
      let (gain, isMute) = (strip.gain, strip.mute)
      var level: Float = 0
      for channel in 0..<min(slice.channelCount, slice.inputChannelCount(bus: bus)) {
        let source = slice.input(channel, bus: bus)
        var sum = slice.output(channel)
        for frame in 0..<slice.frameCount {
          level = max(level, abs(source[frame]))
          if !isMute { sum[frame] += source[frame] * gain[frame] * volume[frame] }
        }
      }
      strip.level = level
    }
  }
}

extension TestUnits {
  /// A mixer: on each input gain 0, mute 1, meter 1000; on the output volume 0.
  public static func desk() throws(AuricleError) -> AudioUnit {
    unsafe try open(
      DeskUnit.self, makeUnit(DeskUnit.self, nil) { unsafe render(DeskUnit.self, $0, $1) })
  }
}
