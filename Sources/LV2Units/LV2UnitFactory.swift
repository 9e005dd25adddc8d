// From a plug-in to the interface every unit has.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
internal import AuricleSDK
internal import CAudioToolbox

/// Makes units of LV2 plug-ins.
enum LV2UnitFactory {
  /// Makes the interface of a new instance. The plug-in's binary is opened by Initialize.
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
    definition.selectPreset = { instance, number in
      let presets = plugin.description.presets
      guard presets.indices.contains(number) else { return kAudioUnitErr_InvalidPropertyValue }
      return unit.loadPreset(presets[number].uri, into: instance)
    }
    return unsafe makeAudioUnit(definition, unit.procedures, description)
  }
}
