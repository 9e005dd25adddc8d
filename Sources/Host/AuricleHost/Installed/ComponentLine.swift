// An installed component as plain values, for lists.
// SPDX-License-Identifier: Apache-2.0

package import AudioComponents
import AudioTypes

/// An installed component.
public struct ComponentLine: Codable, Sendable {
  /// Its type, four characters.
  public var type: String
  /// Its subtype, four characters.
  public var subtype: String
  /// Its manufacturer, four characters.
  public var manufacturer: String
  /// "Maker: Unit".
  public var name: String
  /// Its version as text.
  public var version: String
  /// Where it comes from: `built-in`, `native` or `lv2`.
  public var source: String
  /// The URI of an LV2 plug-in; nil for others.
  public var uri: String?
  /// Its bundle; nil for an LV2 plug-in.
  public var path: String?
  /// Its tags.
  public var tags: [String]

  /// `type:subtype:manufacturer`.
  package var identity: String { "\(type):\(subtype):\(manufacturer)" }

  /// Describes a component.
  package init(_ component: AudioComponent) {
    type = component.description.type.description
    subtype = component.description.subtype.description
    manufacturer = component.description.manufacturer.description
    name = component.name
    version = component.versionText
    source = component.origin.rawValue
    uri = component.location.identifier
    path = uri == nil ? component.location.path : nil
    tags = component.tags
  }
}
