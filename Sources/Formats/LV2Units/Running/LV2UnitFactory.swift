// Makes the audio unit interface of a plug-in.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
internal import AuricleSDK
internal import CAudioToolbox
internal import LV2Bundles

/// Makes units of LV2 plug-ins.
enum LV2UnitFactory {
  /// Makes the interface of a new instance. Initialize opens the plug-in's binary.
  static func make(
    _ plugin: LV2Plugin, _ description: AudioComponentDescription
  ) throws(AuricleError) -> UnsafeMutablePointer<AudioComponentPlugInInterface> {
    let unit = LV2UnitCore(plugin)
    let (parameters, clumpNames) = plugin.description.parameters
    var definition = UnitDefinition(
      parameters: parameters,
      factoryPresets: plugin.description.presets.map { FactoryPresetDefinition(name: $0.label) },
      channelCapabilities: unit.layout.channelCapabilities,
      inputs: unit.layout.inputDefinitions, outputs: unit.layout.outputDefinitions,
      clumpNames: clumpNames, properties: unit.properties, processesInPlace: false)
    definition.midiOutputs = plugin.description.ports.filter {
      !$0.isInput && $0.supportsMIDI && ($0.kind == .atom || $0.kind == .event)
    }.map(\.name)
    definition.state = unit.stateDefinition
    definition.keepsCyclesWhole = plugin.description.prefersUncutBlocks
    // A plug-in reports its latency while it runs; its bypass has the same latency.
    let reportsLatency = plugin.description.ports.contains { $0.role == .latency }
    definition.maximumLatencySeconds = reportsLatency ? 4 : 0
    let presets = plugin.description.presets
    definition.furtherPresetNames = { _ in unit.programs.map(\.name) }
    definition.selectPreset = { instance, number in
      if presets.indices.contains(number) {
        return unit.loadPreset(presets[number].uri, into: instance)
      }
      let programs = unit.programs
      guard programs.indices.contains(number - presets.count) else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      unit.selectProgram(programs[number - presets.count], in: instance)
      return 0
    }
    return unsafe makeAudioUnit(definition, unit.procedures, description)
  }
}
