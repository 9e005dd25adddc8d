// Properties of a plug-in that messages set and tell: numbers become parameters, the rest is text.
// SPDX-License-Identifier: Apache-2.0

package import AuricleSDK
internal import CAudioToolbox

/// A property a plug-in declares with patch:writable or patch:readable.
package struct LV2PatchProperty: Equatable, Sendable {
  /// What its values are.
  package enum Range: String, Sendable {
    case float = "Float"
    case double = "Double"
    case int = "Int"
    case long = "Long"
    case bool = "Bool"
    case string = "String"
    case path = "Path"
    case uri = "URI"

    /// Whether a value fits a parameter.
    var isNumber: Bool { self != .string && self != .path && self != .uri }
    /// The class of the values.
    package var typeURI: String { LV2Names.atom + rawValue }
  }

  /// The URI.
  package var uri: String
  /// A short name for a person to write: the data's symbol, or the end of the URI.
  package var symbol: String
  /// The name shown to a person.
  package var name: String
  /// What its values are.
  package var range: Range
  /// Whether it can be set.
  package var isWritable: Bool
  /// The least value; nil when the data has none.
  package var minimum: Float?
  /// The greatest value; nil when the data has none.
  package var maximum: Float?
  /// What it begins with; nil when the data has none.
  package var defaultValue: Float?
  /// What it is measured in.
  package var unit: LV2Unit?
  /// The values that have names.
  package var scalePoints: [LV2ScalePoint] = []
  var group: String?

  /// The parameter id: a function of the URI alone, apart from the port indexes.
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
  /// Properties that are parameters, in their order; their places come after those of the ports.
  package var numberProperties: [LV2PatchProperty] { properties.filter(\.range.isNumber) }

  /// Properties whose values are texts or paths.
  package var textProperties: [LV2PatchProperty] { properties.filter { !$0.range.isNumber } }

  /// Ids of the number properties: those they prefer, made unlike where two would be the same.
  var numberPropertyIDs: [UInt32] {
    var used: Set<UInt32> = []
    return numberProperties.map { property in
      var id = property.preferredID
      while !used.insert(id).inserted { id = 0x8000_0000 | (id &+ 1) }
      return id
    }
  }
}
