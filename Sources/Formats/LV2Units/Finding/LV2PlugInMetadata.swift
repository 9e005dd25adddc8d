// All about one plug-in without opening it.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
internal import AudioTypes

/// A preset that some bundle holds for a plug-in.
public struct LV2PresetListing: Sendable, Hashable {
  /// Its URI.
  public var uri: String
  /// Its label, or the end of its URI.
  public var name: String
  /// The name of the bank it is in; nil without one.
  public var bank: String?
  /// The folder of the bundle that holds it.
  public var bundle: String
}

/// A preset that the plug-in's own code tells.
public struct LV2ProgramListing: Sendable, Hashable {
  /// Its name.
  public var name: String
  /// The number of the bank it is in.
  public var bank: Int
}

/// What the data files tell of a plug-in.
public struct LV2PlugInMetadata: Sendable {
  let record: LV2PluginRecord
  let details: LV2PluginDetails
  /// Presets of all bundles, in the order in which the unit counts them.
  public let presets: [LV2PresetListing]
  let programList: LV2ProgramList
  /// The data files this was read from, as they were.
  public let stamps: [FileStamp]

  /// The folder of its bundle.
  public let bundle: String
  /// The shared object that holds its code.
  public var binaryPath: String { details.description.binaryPath }
  /// URIs of features it cannot do without.
  public var requiredFeatures: [String] { details.description.requiredFeatures }
  /// URIs of features it takes when offered.
  public var optionalFeatures: [String] { details.description.optionalFeatures }
  /// URIs of interfaces its binary is said to answer.
  public var extensions: [String] { details.extensions }
  /// Types of the user interfaces that come with it; Auricle shows none.
  public var userInterfaces: [String] { details.userInterfaces }
  /// The URI of its licence; empty when it tells none.
  public var license: String { details.license }
  /// Classes, as full URIs.
  public var classes: [String] { record.classes }
  /// Whether its delay shows only when it runs: it tells one itself, or wants blocks of a fixed length.
  public var hasLatencyToMeasure: Bool {
    details.description.ports.contains { $0.role == .latency }
      || requiredFeatures.contains(where: LV2FeatureSet.fixedBlockFeatures.contains)
  }
  /// How many of its ports take and give control voltage.
  public var controlVoltagePorts: (inputs: Int, outputs: Int) {
    (Int(record.ports.cvIn), Int(record.ports.cvOut))
  }
  /// How many of its ports take and give MIDI.
  public var midiPorts: (inputs: Int, outputs: Int) {
    (Int(record.ports.midiIn), Int(record.ports.midiOut))
  }

  /// What its units have as factory presets after those of its data files.
  ///
  /// Context: control.
  public var programs: [LV2ProgramListing] {
    (try? describedPlugIn())?.furtherPrograms.map {
      LV2ProgramListing(name: $0.name, bank: Int($0.bank))
    } ?? []
  }

  /// A component whose instances can be asked for buses, parameters and presets.
  ///
  /// They open no binary as long as they are not initialized; where there are programs and these are not
  /// known yet, a process apart does.
  ///
  /// Context: control.
  public var describedComponent: AudioComponent {
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
