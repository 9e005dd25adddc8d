// A unit's entry in the lists of hosts: name, codes, version, and a sentence about it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox

/// The description that a host passes to a factory function; nil: the unit's own. Context: control.
public typealias ComponentRequest = UnsafePointer<AudioComponentDescription>?

/// The result of a factory function: one instance of a unit.
public typealias ComponentInterface = UnsafeMutablePointer<AudioComponentPlugInInterface>

/// The entry of a unit in `AudioComponents` of an Info.plist, as its author declares it.
///
/// The type comes from the base of the unit.
///
/// ```swift
/// static let component = Component(
///   "Acme: Tape Echo", subtype: "tape", manufacturer: "Acme", version: "1.2.0",
///   summary: "An echo with the wow and flutter of tape.", tags: ["Effects", "Delay"])
/// ```
///
/// The corresponding Core Audio structure is `AudioComponentDescription`.
public struct Component: Sendable {
  /// "Maker: Unit", the form in which Core Audio's hosts divide it at the colon.
  public var name: String
  /// Four characters; the same for ever, since presets refer to them.
  public var subtype: String
  /// Four characters of the maker, at least one of them a capital letter.
  public var manufacturer: String
  /// "1.2.3": three numbers, which hosts see as `versionNumber`; "1.0.0" by default.
  public var version: String
  /// The purpose of the unit, in a sentence; empty by default.
  public var summary: String
  /// Words to find it by: Effects, Delay, Reverb, Instrument …
  public var tags: [String]

  /// Declares the entry.
  ///
  /// - Parameters:
  ///   - name: "Maker: Unit".
  ///   - subtype: Four characters, the same for ever.
  ///   - manufacturer: Four characters, at least one of them a capital letter.
  ///   - version: "1.2.3".
  ///   - summary: The purpose of the unit, in a sentence.
  ///   - tags: Words to find it by.
  public init(
    _ name: String, subtype: String, manufacturer: String, version: String = "1.0.0",
    summary: String = "", tags: [String] = []
  ) {
    self.name = name
    self.subtype = subtype
    self.manufacturer = manufacturer
    self.version = version
    self.summary = summary
    self.tags = tags
  }

  /// The version as Core Audio counts it, 0xMMMMmmbb; parts that are no numbers count as 0.
  public var versionNumber: UInt32 {
    let parts = version.split(separator: ".", omittingEmptySubsequences: false).map {
      UInt32($0) ?? 0
    }
    let major = min(parts.first ?? 0, 0xFFFF)
    let minor = min(parts.dropFirst().first ?? 0, 0xFF)
    return major << 16 | minor << 8 | min(parts.dropFirst(2).first ?? 0, 0xFF)
  }

  /// Returns the description of the component with the type of its base.
  func description(type: OSType) -> AudioComponentDescription {
    AudioComponentDescription(
      type: FourCharacterCode(rawValue: type),
      subtype: FourCharacterCode(subtype) ?? FourCharacterCode(rawValue: 0),
      manufacturer: FourCharacterCode(manufacturer) ?? FourCharacterCode(rawValue: 0))
  }

  /// Returns the entry of an Info.plist without its factory function, +1; nil where there is no memory.
  func makeEntry(type: OSType) -> CFDictionaryRef? {
    guard let dictionary = unsafe UnitState.makeDictionary() else { return nil }
    let entry = unsafe UnitState(writing: dictionary)
    entry.set("type", string: FourCharacterCode(rawValue: type).description)
    entry.set("subtype", string: subtype)
    entry.set("manufacturer", string: manufacturer)
    entry.set("name", string: name)
    entry.set("version", integer: Int32(bitPattern: versionNumber))
    if !summary.isEmpty { entry.set("description", string: summary) }
    if !tags.isEmpty { entry.set("tags", strings: tags) }
    entry.set("CFBundleShortVersionString", string: version)
    return unsafe dictionary
  }
}
