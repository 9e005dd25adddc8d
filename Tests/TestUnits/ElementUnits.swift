// A test unit with parameters on its buses, bus counts that can change, groups and parts.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
import AuricleSDK
import CAudioToolbox

/// Adds its mono inputs, each times its gain, times the output's gain.
struct SummingKernel: UnitKernel, ~Copyable {
  init(_ format: RenderFormat) {}
  mutating func reset() {}
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    let output = unsafe slice.output(bus: 0, channel: 0)
    for frame in 0..<slice.frameCount { unsafe output[frame] = 0 }
    for bus in 0..<slice.inputCount {
      let gain = slice.inputParameter(bus: bus, 0) * slice.outputParameter(bus: 0, 0)
      let input = unsafe slice.input(bus: bus, channel: 0)
      for frame in 0..<slice.frameCount { unsafe output[frame] += input[frame] * gain }
      slice.setInputMeter(bus: bus, 1, unsafe input[0])
    }
    slice.setOutputMeter(bus: 0, 1, unsafe output[0])
  }
}

extension TestUnits {
  /// A mono mixer: 2 inputs, from 1 to 8; gain 0 and meter 1000 on every input and output; 16 groups
  /// with volume 7; 0 to 4 parts; and the global parameter 5.
  public static func mixer() throws(AuricleError) -> AudioUnit {
    let gain = ParameterDefinition(
      id: 0, name: "gain", unit: kAudioUnitParameterUnit_LinearGain, range: 0...4, defaultValue: 1)
    let level = ParameterDefinition(
      id: 1000, name: "level", unit: kAudioUnitParameterUnit_LinearGain, range: -4...4,
      defaultValue: 0, isMeter: true)
    var definition = UnitDefinition(
      parameters: [
        ParameterDefinition(
          id: 5, name: "depth", unit: kAudioUnitParameterUnit_Percent, range: 0...100,
          defaultValue: 30)
      ], channelCapabilities: [ChannelCapability(1, 1)],
      inputs: [
        BusDefinition(name: "Left", channelCount: 1), BusDefinition(name: "Right", channelCount: 1),
      ], outputs: [BusDefinition(name: "Mix", channelCount: 1)], processesInPlace: false)
    definition.inputParameters = [gain, level]
    definition.outputParameters = [gain, level]
    definition.inputElementCounts = 1...8
    definition.groups = ElementDefinition(
      name: "Channel",
      parameters: [
        ParameterDefinition(
          id: 7, name: "volume", unit: kAudioUnitParameterUnit_MIDIController, range: 0...127,
          defaultValue: 100)
      ], counts: 16...16)
    definition.parts = ElementDefinition(name: "Part", counts: 0...4)
    return unsafe try open(
      "mixer",
      unsafe makeAudioUnit(SummingKernel.self, definition, nil) {
        unsafe runKernel(SummingKernel.self, $0, $1)
      })
  }
}
