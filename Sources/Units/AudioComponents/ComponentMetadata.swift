// All about one unit without opening it.
// SPDX-License-Identifier: Apache-2.0

/// The facts of a unit that are known without running its code.
public protocol ComponentMetadata: Sendable {
  /// Facts of its data that other units do not have.
  var facts: PlugInFacts { get }

  /// Presets of all bundles, in the order in which the unit counts them.
  var presets: [PresetListing] { get }

  /// The banks of the presets that only its code knows, which follow the others; read in a separate
  /// process where they are not known yet.
  ///
  /// Context: control.
  var furtherBanks: [String] { get }

  /// Whether its latency shows only when it runs.
  var hasLatencyToMeasure: Bool { get }

  /// A component whose instances can be asked for buses, parameters and presets, and open no binary as long as
  /// they are not initialized.
  ///
  /// Context: control.
  var describedComponent: AudioComponent { get }
}

/// A preset that some bundle holds for a unit.
public struct PresetListing: Sendable, Hashable {
  /// Its URI.
  public var uri: String
  /// Its label, or the end of its URI.
  public var name: String
  /// The name of the bank it is in; nil without one.
  public var bank: String?
  /// The folder of the bundle that holds it.
  public var bundle: String

  /// Makes a listing.
  ///
  /// Context: any.
  public init(uri: String, name: String, bank: String?, bundle: String) {
    self.uri = uri
    self.name = name
    self.bank = bank
    self.bundle = bundle
  }
}

/// The name of a key, such as a drum's.
public struct KeyName: Sendable, Codable, Hashable {
  /// The number of the key in MIDI; nil for every key.
  public var key: Int?
  /// The channel, from 1; nil for every channel.
  public var channel: Int?
  /// The name.
  public var name: String

  /// Makes a name.
  ///
  /// Context: any.
  public init(key: Int?, channel: Int?, name: String) {
    self.key = key
    self.channel = channel
    self.name = name
  }
}

/// The facts of a plug-in's data, as `auricle info --format json` prints them.
public struct PlugInFacts: Sendable, Codable, Hashable {
  /// The folder of its bundle.
  public var bundle: String
  /// The shared object that holds its code.
  public var binary: String
  /// The kinds of plug-in that it declares, in the format's own words.
  public var classes: [String]
  /// Features it cannot do without.
  public var requiredFeatures: [String]
  /// Features it uses when offered.
  public var optionalFeatures: [String]
  /// Interfaces that its binary is said to answer.
  public var extensions: [String]
  /// Types of the user interfaces that come with it; none is shown.
  public var userInterfaces: [String]
  /// Its licence; nil when it declares none.
  public var license: String?
  /// The number of its MIDI inputs.
  public var midiInputs: Int
  /// The number of its MIDI outputs.
  public var midiOutputs: Int
  /// The number of its control-voltage inputs.
  public var controlVoltageInputs: Int
  /// The number of its control-voltage outputs.
  public var controlVoltageOutputs: Int
  /// The names that keys of a fresh instance have; nil where it has none.
  public var keyNames: [KeyName]?
  /// The most voices that it plays at a time; nil where it says nothing.
  public var voices: Int?

  /// Makes facts.
  ///
  /// Context: any.
  public init(
    bundle: String, binary: String, classes: [String] = [], requiredFeatures: [String] = [],
    optionalFeatures: [String] = [], extensions: [String] = [], userInterfaces: [String] = [],
    license: String? = nil, midiPorts: (inputs: Int, outputs: Int) = (0, 0),
    controlVoltagePorts: (inputs: Int, outputs: Int) = (0, 0)
  ) {
    self.bundle = bundle
    self.binary = binary
    self.classes = classes
    self.requiredFeatures = requiredFeatures
    self.optionalFeatures = optionalFeatures
    self.extensions = extensions
    self.userInterfaces = userInterfaces
    self.license = license
    midiInputs = midiPorts.inputs
    midiOutputs = midiPorts.outputs
    controlVoltageInputs = controlVoltagePorts.inputs
    controlVoltageOutputs = controlVoltagePorts.outputs
  }
}
