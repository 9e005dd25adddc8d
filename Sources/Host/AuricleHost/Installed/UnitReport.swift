// The description of a unit, passed from the child that opened it to `auricle info`.
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
    /// A value with a separate name.
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
    /// The minimum.
    public var minimum: Float
    /// The maximum.
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
    /// The number of the unit of measure, as `AudioUnitParameterUnit` counts; nil in reports of older programs.
    public var measure: UInt32?
  }

  /// A setting that is no parameter.
  public struct Text: Codable, Sendable {
    /// Its name.
    public var name: String
    /// Its symbol.
    public var symbol: String
    /// Its URI.
    public var uri: String
    /// `path` of a file or folder, `text`, `number`, `choice` or `switch`.
    public var kind: String
    /// The minimum of a number in its unit of measure; nil for others.
    public var minimum: Float?
    /// The maximum of a number in its unit of measure; nil for others.
    public var maximum: Float?
    /// The unit of measure of a number; nil for others.
    public var unit: String?
    /// The names of the values of a choice; nil for others.
    public var values: [String]?
    /// The value of a fresh instance as it is written; nil for texts and paths.
    public var defaultValue: String?
    /// Whether it can be set.
    public var isWritable: Bool
  }

  /// A preset of a unit.
  public struct Preset: Codable, Sendable {
    /// nil for user presets, which have none.
    public var number: Int?
    /// Its name.
    public var name: String
    /// The URI of an LV2 preset; nil for others.
    public var uri: String?
    /// The name of the bank it is in.
    public var bank: String?
    /// `factory`: it comes with the unit; `user`: it is in the user's folders.
    public var source: String?
    /// The bundle or file it is in, when that is not the unit's own.
    public var path: String?
  }

  /// The component.
  public var component: ComponentLine
  /// Its purpose in a sentence; may be empty.
  public var summary: String
  /// Whether an instance could be opened: without one the rest is unknown.
  public var wasOpened = false
  /// Its input buses.
  public var inputBuses: [Bus] = []
  /// Its output buses.
  public var outputBuses: [Bus] = []
  /// Pairs of input and output channel counts, as reported by the unit: -1 any, -2 any other.
  public var channelCapabilities: [[Int]]?
  /// Its parameters.
  public var parameters: [Parameter] = []
  /// The parameters of each input bus, as the first has them.
  public var inputParameters: [Parameter] = []
  /// The parameters of each output bus, as the first has them.
  public var outputParameters: [Parameter] = []
  /// Its settings that are no parameters.
  public var texts: [Text] = []
  /// Its presets.
  public var presets: [Preset] = []
  /// Facts from the format's data files; nil without any.
  public var plugIn: PlugInFacts?
  /// Its behaviour when it ran; nil when it could not run.
  public var behavior: Behavior?

  /// The facts that are known only after a unit has run.
  public struct Behavior: Codable, Sendable {
    /// The sample rate in Hz.
    public var sampleRate: Double
    /// Its latency in frames.
    public var latencyFrames: Int
    /// Its latency in seconds.
    public var latencySeconds: Double
    /// Its tail; nil when the unit reports none; "inf" for one that never ends.
    public var tailSeconds: Double?
    /// Notes from running it.
    public var notes: [String]
  }

  /// Describes a component without opening it.
  package init(_ component: AudioComponent) {
    self.component = ComponentLine(component)
    summary = component.summary
  }

  /// Adds the properties of an open instance.
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
    texts = unit.textProperties.map(Text.init)
    let uris = unit.presetURIs
    presets = unit.factoryPresets.enumerated().map { index, preset in
      Preset(
        number: preset.number, name: preset.name,
        uri: uris.indices.contains(index) ? uris[index] : nil, source: "factory")
    }
  }

  /// Adds further facts from the data files of a plug-in.
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

  /// Adds the user's presets of the unit.
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
        return Bus(name: name ?? "", channels: 0, sampleRate: 0, format: "not reported")
      }
      return Bus(
        name: name ?? "", channels: format.channelCount, sampleRate: format.sampleRate,
        format: format.description)
    }
  }
}

extension UnitReport.Text {
  init(_ property: UnitTextProperty) {
    name = property.name
    symbol = property.symbol
    uri = property.uri
    isWritable = property.isWritable
    switch property.kind {
    case .text: kind = "text"
    case .path: kind = "path"
    case .number(let least, let most, let initial, let measure, _):
      kind = "number"
      (minimum, maximum) = (least, most)
      unit = UnitParameter.unitName(of: measure)
      defaultValue = "\(initial)"
    case .choice(let names, let initial):
      kind = "choice"
      values = names
      defaultValue = names.indices.contains(Int(initial)) ? names[Int(initial)] : "\(initial)"
    case .toggle(let initial):
      kind = "switch"
      defaultValue = initial == 0 ? "false" : "true"
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
    measure = parameter.unit
  }
}
