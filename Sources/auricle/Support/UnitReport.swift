// What there is to know about a unit, as it passes from the child that opened it to `auricle info`.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox

/// A unit described: buses, channels, parameters, presets.
struct UnitReport: Codable {
  struct Bus: Codable {
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

  struct Preset: Codable {
    var number: Int
    var name: String
    var uri: String?
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
  var presets: [Preset] = []
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
    let uris = unit.presetURIs
    presets = unit.factoryPresets.enumerated().map { index, preset in
      Preset(
        number: preset.number, name: preset.name,
        uri: uris.indices.contains(index) ? uris[index] : nil)
    }
  }

  private static func buses(of unit: AudioUnit, scope: AudioUnitScope) -> [Bus] {
    (0..<min(unit.busCount(scope: scope), 256)).map { element in
      guard let format = try? unit.streamFormat(scope: scope, element: AudioUnitElement(element))
      else { return Bus(channels: 0, sampleRate: 0, format: "not told") }
      return Bus(
        channels: format.channelCount, sampleRate: format.sampleRate, format: format.description)
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
