// What there is to know about a unit, as it passes from the child that opened it to `auricle info`.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc
import LV2Units
import UnitPresets

/// A unit described: buses, channels, parameters, presets.
struct UnitReport: Codable {
  struct Bus: Codable {
    var name: String
    var channels: Int
    var sampleRate: Double
    var format: String
  }

  struct Parameter: Codable {
    struct NamedValue: Codable {
      var value: Float
      var name: String
    }

    var id: UInt32
    var name: String
    var symbol: String?
    var group: String?
    var minimum: Float
    var maximum: Float
    var defaultValue: Float
    var unit: String
    var isWritable: Bool
    var isLogarithmic: Bool
    var valueNames: [NamedValue]
  }

  /// A setting whose value is a text or a path, as LV2 plug-ins have them.
  struct Text: Codable {
    var name: String
    var symbol: String
    var uri: String
    /// `path` of a file or folder, or `text`.
    var kind: String
    var isWritable: Bool
  }

  struct Preset: Codable {
    /// nil for files of the user's, which have none.
    var number: Int?
    var name: String
    var uri: String?
    /// The name of the bank it is in.
    var bank: String?
    /// `factory`: it comes with the unit; `user`: it is in the user's own folders.
    var source: String?
    /// The bundle or file it is in, when that is not the unit's own.
    var path: String?
  }

  /// What only LV2 plug-ins have.
  struct LV2Facts: Codable {
    var bundle: String
    var binary: String
    var classes: [String]
    var requiredFeatures: [String]
    var optionalFeatures: [String]
    var extensions: [String]
    /// Types of the user interfaces that come with it; none is shown.
    var userInterfaces: [String]
    var license: String?
    var midiInputs: Int
    var midiOutputs: Int
    var controlVoltageInputs: Int
    var controlVoltageOutputs: Int
  }

  var component: ComponentLine
  var summary: String
  /// Whether an instance could be opened: without one the rest is unknown.
  var wasOpened = false
  var inputBuses: [Bus] = []
  var outputBuses: [Bus] = []
  /// Pairs of channel counts in and out, as the unit tells them: -1 any, -2 any other.
  var channelCapabilities: [[Int]]?
  var parameters: [Parameter] = []
  /// Those that each input bus has for itself, as the first has them.
  var inputParameters: [Parameter] = []
  /// Those that each output bus has for itself, as the first has them.
  var outputParameters: [Parameter] = []
  var texts: [Text] = []
  var presets: [Preset] = []
  /// nil for other units than LV2 plug-ins.
  var lv2: LV2Facts?
  /// What the unit did when it ran; nil when it could not be run.
  var behavior: Behavior?

  /// What shows only when a unit runs.
  struct Behavior: Codable {
    var sampleRate: Double
    var latencyFrames: Int
    var latencySeconds: Double
    /// nil when the unit does not tell; "inf" for one that never ends.
    var tailSeconds: Double?
    var notes: [String]
  }

  /// Describes a component without opening it.
  init(_ component: AudioComponent) {
    self.component = ComponentLine(component)
    summary = component.summary
  }

  /// Adds what an open instance tells.
  mutating func describe(_ unit: AudioUnit) throws(AuricleError) {
    wasOpened = true
    inputBuses = Self.buses(of: unit, scope: AudioUnitScope(kAudioUnitScope_Input))
    outputBuses = Self.buses(of: unit, scope: AudioUnitScope(kAudioUnitScope_Output))
    channelCapabilities = unit.channelCapabilities?.map {
      [Int($0.inChannels), Int($0.outChannels)]
    }
    parameters = try unit.parameters().map(Parameter.init)
    inputParameters = try unit.parameters(scope: AudioUnitScope(kAudioUnitScope_Input))
      .map(Parameter.init)
    outputParameters = try unit.parameters(scope: AudioUnitScope(kAudioUnitScope_Output))
      .map(Parameter.init)
    texts = unit.textProperties.map {
      Text(
        name: $0.name, symbol: $0.symbol, uri: $0.uri, kind: $0.isPath ? "path" : "text",
        isWritable: $0.isWritable)
    }
    let uris = unit.presetURIs
    presets = unit.factoryPresets.enumerated().map { index, preset in
      Preset(
        number: preset.number, name: preset.name,
        uri: uris.indices.contains(index) ? uris[index] : nil, source: "factory")
    }
  }

  /// Adds what the data files of an LV2 plug-in tell beyond that.
  mutating func add(_ metadata: LV2PlugInMetadata) {
    lv2 = LV2Facts(
      bundle: metadata.bundle, binary: metadata.binaryPath, classes: metadata.classes,
      requiredFeatures: metadata.requiredFeatures, optionalFeatures: metadata.optionalFeatures,
      extensions: metadata.extensions, userInterfaces: metadata.userInterfaces,
      license: metadata.license.isEmpty ? nil : metadata.license,
      midiInputs: metadata.midiPorts.inputs, midiOutputs: metadata.midiPorts.outputs,
      controlVoltageInputs: metadata.controlVoltagePorts.inputs,
      controlVoltageOutputs: metadata.controlVoltagePorts.outputs)
    let own = Self.home.map { $0 + "/" }
    for (index, preset) in presets.enumerated() {
      guard let listing = metadata.presets.first(where: { $0.uri == preset.uri }) else { continue }
      presets[index].bank = listing.bank
      if let own, listing.bundle.hasPrefix(own) { presets[index].source = "user" }
      if listing.bundle != metadata.bundle { presets[index].path = listing.bundle }
    }
    for (index, program) in zip(metadata.presets.count..., metadata.programs)
    where presets.indices.contains(index) {
      presets[index].bank = "\(program.bank)"
    }
  }

  /// Adds the files that the user keeps as presets of the unit.
  mutating func addUserPresets() {
    for path in UserPresets().paths(ofUnit: component.name) {
      presets.append(
        Preset(
          number: nil, name: UserPresets.name(ofPreset: path), uri: nil, source: "user", path: path)
      )
    }
  }

  /// The user's home folder.
  private static var home: String? { unsafe getenv("HOME").map { unsafe String(cString: $0) } }

  private static func buses(of unit: AudioUnit, scope: AudioUnitScope) -> [Bus] {
    (0..<min(unit.busCount(scope: scope), 256)).map { element in
      let element = AudioUnitElement(element)
      let name = try? unit.stringProperty(
        kAudioUnitProperty_ElementName, scope: scope, element: element)
      guard let format = try? unit.streamFormat(scope: scope, element: element) else {
        return Bus(name: name ?? "", channels: 0, sampleRate: 0, format: "not told")
      }
      return Bus(
        name: name ?? "", channels: format.channelCount, sampleRate: format.sampleRate,
        format: format.description)
    }
  }
}

extension UnitReport.Parameter {
  init(_ parameter: UnitParameter) {
    id = parameter.id
    name = parameter.name
    symbol = parameter.symbol
    group = parameter.clumpName
    minimum = parameter.minimum
    maximum = parameter.maximum
    defaultValue = parameter.defaultValue
    unit = parameter.unitName
    isWritable = parameter.isWritable
    isLogarithmic = parameter.isLogarithmic
    valueNames = parameter.valuePoints.map { NamedValue(value: $0.value, name: $0.name) }
  }
}
