// The state of a unit as a property list, the way `.aupreset` files keep it.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
public import CAudioToolbox
public import PropertyLists

/// A saved state of one unit: the value of its property ClassInfo, from a file or from the unit.
///
/// Context: control.
public struct UnitPreset: Hashable, Sendable {
  /// The dictionary: "version", "type", "subtype", "manufacturer", "name", "data" and the unit's own.
  public private(set) var entries: [String: PropertyListValue]
  /// The file that it was read from, for messages; nil for a state of a unit.
  public var path: String?

  /// Makes a preset of a property list.
  ///
  /// - Throws: `.badData` when it is none: no dictionary, another version, numbers or data missing.
  public init(_ list: PropertyListValue, path: String? = nil) throws(AuricleError) {
    let place = path ?? "the preset"
    guard let entries = list.dictionaryValue else {
      throw Self.malformed(place, "it holds \(list.kindName), not a dictionary")
    }
    for key in ["version", "type", "subtype", "manufacturer"] {
      guard let value = entries[key] else {
        throw Self.malformed(place, "it has no \"\(key)\"; is it an .aupreset file?")
      }
      guard let number = value.integerValue, Int32(exactly: number) != nil || number <= UInt32.max
      else { throw Self.malformed(place, "its \"\(key)\" is \(value.kindName), not a number") }
    }
    guard entries["version"]?.integerValue == 0 else {
      let version = entries["version"]?.integerValue ?? -1
      throw Self.malformed(place, "its version is \(version); only version 0 is known")
    }
    if let data = entries["data"], data.dataValue == nil {
      throw Self.malformed(place, "its \"data\" is \(data.kindName), not data")
    }
    guard entries["part"] == nil else {
      throw Self.malformed(place, "it is the preset of one part of a unit, not of a whole unit")
    }
    self.entries = entries
    self.path = path
  }

  /// Reads a preset from memory, in XML or binary form.
  public init(bytes: [UInt8], path: String? = nil) throws(AuricleError) {
    let list: PropertyListValue
    do throws(PropertyListError) {
      list = try PropertyListReader().read(bytes)
    } catch {
      throw Self.malformed(path ?? "the preset", error.description)
    }
    try self.init(list, path: path)
  }

  /// Asks a unit for its state.
  ///
  /// - Parameter name: The preset's name; nil: as the unit calls it.
  public init(of unit: AudioUnit, name: String? = nil) throws(AuricleError) {
    let state = unsafe try unit.property(
      kAudioUnitProperty_ClassInfo, initial: nil as CFDictionaryRef?)
    guard let state = unsafe state else {
      throw AuricleError(.software, "\(unit.name): the unit has no state")
    }
    defer { unsafe CFRelease(UnsafeRawPointer(state)) }
    guard let list = unsafe PropertyListValue(object: UnsafeRawPointer(state)) else {
      throw AuricleError(
        .software, "\(unit.name): the state holds something that no property list can")
    }
    try self.init(list)
    if let name { entries["name"] = .string(name) }
  }

  /// The unit it was made for, as far as presets name it; the type may be another of the same unit.
  public var description: AudioComponentDescription {
    AudioComponentDescription(
      componentType: code("type"), componentSubType: code("subtype"),
      componentManufacturer: code("manufacturer"), componentFlags: 0, componentFlagsMask: 0)
  }

  /// The preset's name; "Untitled" where it has no name.
  public var name: String { entries["name"]?.stringValue ?? "Untitled" }

  private func code(_ key: String) -> UInt32 {
    UInt32(truncatingIfNeeded: entries[key]?.integerValue ?? 0)
  }

  /// Whether the preset is one of a unit's: subtype and manufacturer agree.
  public func fits(_ unit: AudioComponentDescription) -> Bool {
    description.componentSubType == unit.componentSubType
      && description.componentManufacturer == unit.componentManufacturer
  }

  /// Sets a unit to this state, and notifies listeners that every parameter may have changed.
  ///
  /// - Throws: `.badData` when it was made for another unit, or when the unit refuses it.
  public func apply(to unit: AudioUnit) throws(AuricleError) {
    let place = path ?? "the preset \"\(name)\""
    guard fits(unit.description) else {
      throw AuricleError(
        .badData, status: kAudioUnitErr_InvalidPropertyValue,
        "\(place) was made for the unit \(description.triple), not for \(unit.description.triple) "
          + "(\(unit.name))")
    }
    do throws(AuricleError) {
      try Self.setClassInfo(entries, of: unit)
    } catch {
      throw AuricleError(
        .badData, status: error.status,
        "\(unit.name) does not take \(place): \(AudioStatus(rawValue: error.status)).")
    }
    unit.parametersChanged()
  }

  /// Sets a unit's state to an unchanged dictionary; its use is up to the unit.
  ///
  /// The corresponding property is `kAudioUnitProperty_ClassInfo`.
  public static func setClassInfo(
    _ entries: [String: PropertyListValue], of unit: AudioUnit
  ) throws(AuricleError) {
    let object = unsafe PropertyListValue.dictionary(entries).makeObject()
    defer { if let object = unsafe object { unsafe CFRelease(object) } }
    let state = unsafe object.map { CFDictionaryRef($0) }
    unsafe try unit.setProperty(kAudioUnitProperty_ClassInfo, state as CFDictionaryRef?)
  }

  private static func malformed(_ place: String, _ what: String) -> AuricleError {
    AuricleError(
      .badData, status: kAudioUnitErr_InvalidPropertyValue, "\(place) is no preset: \(what)")
  }
}
