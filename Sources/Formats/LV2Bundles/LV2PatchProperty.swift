// Properties of a plug-in that patch messages set and report: numbers become parameters, others are texts.
// SPDX-License-Identifier: Apache-2.0

package import AuricleSDK
internal import CAudioToolbox
internal import ForeignPlugIns

/// A property a plug-in declares with patch:writable or patch:readable.
package struct LV2PatchProperty: Equatable, Sendable {
  /// The type of its values.
  package enum Range: String, Sendable {
    case float = "Float"
    case double = "Double"
    case int = "Int"
    case long = "Long"
    case bool = "Bool"
    case string = "String"
    case path = "Path"
    case uri = "URI"

    /// Whether its values are numbers, for a parameter.
    var isNumber: Bool { self != .string && self != .path && self != .uri }
    /// The class of the values.
    package var typeURI: String { LV2Names.atom + rawValue }
  }

  /// The URI.
  package var uri: String
  /// A short name: the data's symbol, or the end of the URI.
  package var symbol: String
  /// The display name.
  package var name: String
  /// The type of its values.
  package var range: Range
  /// Whether it can be set.
  package var isWritable: Bool
  /// The minimum; nil when the data has none.
  package var minimum: Float?
  /// The maximum; nil when the data has none.
  package var maximum: Float?
  /// The default; nil when the data has none.
  package var defaultValue: Float?
  /// Its unit.
  package var unit: LV2Unit?
  /// The values that have names.
  package var scalePoints: [LV2ScalePoint] = []
  var group: String?

  /// The preferred parameter id: derived from the URI alone, and no port index.
  var preferredID: UInt32 {
    var hash = StableHash()
    for byte in uri.utf8 { hash.combine(byte) }
    return 0x8000_0000 | UInt32(truncatingIfNeeded: hash.finalized)
  }

  /// The property as a parameter.
  package func parameter(id: UInt32, clumpID: UInt32) -> ParameterDefinition {
    var port = LV2Port(
      index: 0, symbol: symbol, name: name, kind: .control, isInput: isWritable)
    port.minimum = minimum
    port.maximum = maximum
    port.defaultValue = defaultValue
    port.unit = unit
    port.scalePoints = scalePoints
    port.isToggled = range == .bool
    port.isInteger = range == .int || range == .long
    var parameter = port.parameter(clumpID: clumpID)
    parameter.id = id
    return parameter
  }
}

extension LV2PluginDescription {
  /// Properties that are parameters, in order; their indices follow those of the ports.
  package var numberProperties: [LV2PatchProperty] { properties.filter(\.range.isNumber) }

  /// Properties whose values are texts or paths.
  package var textProperties: [LV2PatchProperty] { properties.filter { !$0.range.isNumber } }

  /// Options that a user may set; those of blocks, rates and windows are the host's.
  package var settableOptions: [String] {
    let hosts = [LV2Names.bufSize, LV2Names.parameters, "http://lv2plug.in/ns/extensions/ui#"]
    return options.filter { option in !hosts.contains { option.hasPrefix($0) } }
  }

  /// A short name for an option: the end of its URI, or the URI where that end names something else too.
  package func symbol(ofOption uri: String) -> String {
    let tail = LV2Text.tail(ofURI: uri)
    let others =
      ports.flatMap { [$0.symbol, $0.name] } + properties.flatMap { [$0.symbol, $0.name] }
    let isAccepted =
      others.contains { $0.lowercased() == tail.lowercased() }
      || options.contains { $0 != uri && LV2Text.tail(ofURI: $0) == tail }
    return isAccepted ? uri : tail
  }

  /// Ids of the number properties: the preferred ones, made unique.
  var numberPropertyIDs: [UInt32] {
    var used: Set<UInt32> = []
    return numberProperties.map { property in
      var id = property.preferredID
      while !used.insert(id).inserted { id = 0x8000_0000 | (id &+ 1) }
      return id
    }
  }
}
