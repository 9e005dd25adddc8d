// What there is to know about a unit, as it passes from the child that opened it to `auricle info`.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
package import AudioTypes
package import AudioUnits
import CAudioToolbox
import Glibc
import LV2Units
import UnitPresets

/// A unit described: buses, channels, parameters, presets.
public struct UnitReport: Codable, Sendable {
  /// A bus of a unit.
  public struct Bus: Codable, Sendable {
    /// Its name; empty for none.
    public var name: String
    /// Its channels.
    public var channels: Int
    /// Its sample rate in Hz.
    public var sampleRate: Double
    /// Its stream format in words.
    public var format: String
  }

  /// A parameter of a unit.
  public struct Parameter: Codable, Sendable {
    /// A value with a name of its own.
    public struct NamedValue: Codable, Sendable {
      /// The value.
      public var value: Float
      /// Its name.
      public var name: String
    }

    /// The identifier, as the unit has it.
    public var id: UInt32
    /// Its name.
    public var name: String
    /// The symbol of an LV2 port; nil for others.
    public var symbol: String?
    /// The group it is in; nil for none.
    public var group: String?
    /// The least value.
    public var minimum: Float
    /// The greatest value.
    public var maximum: Float
    /// The value of a new instance.
    public var defaultValue: Float
    /// The unit of measure in words.
    public var unit: String
    /// Whether it can be set.
    public var isWritable: Bool
    /// Whether it is shown on a logarithmic scale.
    public var isLogarithmic: Bool
    /// The values that have names.
    public var valueNames: [NamedValue]
  }

  /// A setting whose value is a text or a path.
  public struct Text: Codable, Sendable {
    /// Its name.
    public var name: String
    /// Its symbol.
    public var symbol: String
    /// Its URI.
    public var uri: String
    /// `path` of a file or folder, or `text`.
    public var kind: String
    /// Whether it can be set.
    public var isWritable: Bool
  }

  /// A preset of a unit.
  public struct Preset: Codable, Sendable {
    /// nil for files of the user's, which have none.
    public var number: Int?
    /// Its name.
    public var name: String
    /// The URI of an LV2 preset; nil for others.
    public var uri: String?
    /// The name of the bank it is in.
    public var bank: String?
    /// `factory`: it comes with the unit; `user`: it is in the user's own folders.
    public var source: String?
    /// The bundle or file it is in, when that is not the unit's own.
    public var path: String?
  }

  /// Which component it is.
  public var component: ComponentLine
  /// What it is for, in a sentence; may be empty.
  public var summary: String
  /// Whether an instance could be opened: without one the rest is unknown.
  public var wasOpened = false
  /// Its input buses.
  public var inputBuses: [Bus] = []
  /// Its output buses.
  public var outputBuses: [Bus] = []
  /// Pairs of channel counts in and out, as the unit tells them: -1 any, -2 any other.
  public var channelCapabilities: [[Int]]?
  /// Its parameters.
  public var parameters: [Parameter] = []
  /// Those that each input bus has for itself, as the first has them.
  public var inputParameters: [Parameter] = []
  /// Those that each output bus has for itself, as the first has them.
  public var outputParameters: [Parameter] = []
  /// Its settings that are texts or paths.
  public var texts: [Text] = []
  /// Its presets.
  public var presets: [Preset] = []
  /// nil for units whose format tells no more than every unit answers.
  public var plugIn: PlugInFacts?
  /// What the unit did when it ran; nil when it could not be run.
  public var behavior: Behavior?

  /// What shows only when a unit runs.
  public struct Behavior: Codable, Sendable {
    /// The sample rate that it ran at, in Hz.
    public var sampleRate: Double
    /// Its delay in frames.
    public var latencyFrames: Int
    /// Its delay in seconds.
    public var latencySeconds: Double
    /// nil when the unit does not tell; "inf" for one that never ends.
    public var tailSeconds: Double?
    /// What was found when it ran.
    public var notes: [String]
  }

  /// Describes a component without opening it.
  package init(_ component: AudioComponent) {
    self.component = ComponentLine(component)
    summary = component.summary
  }

  /// Adds what an open instance tells.
  package mutating func describe(_ unit: AudioUnit) throws(AuricleError) {
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

  /// Adds what the data files of a plug-in tell beyond that.
  package mutating func add(_ metadata: any ComponentMetadata) {
    let facts = metadata.facts
    plugIn = facts
    let own = Self.home.map { $0 + "/" }
    for (index, preset) in presets.enumerated() {
      guard let listing = metadata.presets.first(where: { $0.uri == preset.uri }) else { continue }
      presets[index].bank = listing.bank
      if let own, listing.bundle.hasPrefix(own) { presets[index].source = "user" }
      if listing.bundle != facts.bundle { presets[index].path = listing.bundle }
    }
    for (index, bank) in zip(metadata.presets.count..., metadata.furtherBanks)
    where presets.indices.contains(index) {
      presets[index].bank = bank
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
