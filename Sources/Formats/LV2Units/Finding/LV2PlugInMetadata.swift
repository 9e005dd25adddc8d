// The description of a plug-in, read without opening it.
// SPDX-License-Identifier: Apache-2.0

internal import AudioComponents
internal import AudioTypes
import HostSystem
internal import LV2Bundles

/// The data files' facts on a plug-in.
struct LV2PlugInMetadata: ComponentMetadata {
  let record: LV2PluginRecord
  let details: LV2PluginDetails
  let presets: [PresetListing]
  let programList: LV2ProgramList
  /// The stamps of the data files.
  let stamps: [PathStamp]
  /// The folder of its bundle.
  let bundle: String

  var facts: PlugInFacts {
    let (description, ports) = (details.description, record.ports)
    return PlugInFacts(
      bundle: bundle, binary: description.binaryPath, classes: record.classes,
      requiredFeatures: description.requiredFeatures,
      optionalFeatures: description.optionalFeatures, extensions: details.extensions,
      userInterfaces: details.userInterfaces,
      license: details.license.isEmpty ? nil : details.license,
      midiPorts: (Int(ports.midiIn), Int(ports.midiOut)),
      controlVoltagePorts: (Int(ports.cvIn), Int(ports.cvOut)))
  }

  /// Whether its latency is known only when it runs: it reports one, or needs blocks of a fixed length.
  var hasLatencyToMeasure: Bool {
    details.description.ports.contains { $0.role == .latency }
      || details.description.requiredFeatures.contains(
        where: LV2PluginDescription.fixedBlockFeatures.contains)
  }
  var furtherBanks: [String] {
    (try? describedPlugIn())?.furtherPrograms.map { "\($0.bank)" } ?? []
  }

  var describedComponent: AudioComponent {
    LV2Catalog.component(record, in: bundle) { () throws(AuricleError) in try describedPlugIn() }
  }

  private func describedPlugIn() throws(AuricleError) -> LV2Plugin {
    guard let world = LV2World(bundles: []) else {
      throw AuricleError(.software, "out of memory")
    }
    var description = details.description
    description.presets = presets.map { LV2Preset(uri: $0.uri, label: $0.name) }
    return LV2Plugin(world: world, description: description, programList: programList)
  }
}
