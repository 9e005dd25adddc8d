// Settings of a unit that are no parameters: impulse files, models, look-ahead, designs of filters.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import CAudioToolbox

/// A setting of a unit that is no parameter; its value is passed as a text.
public struct UnitTextProperty: Sendable, Hashable {
  /// Its URI.
  public var uri: String
  /// A short name to write.
  public var symbol: String
  /// The name shown to a person.
  public var name: String
  /// The values that a setting can have.
  public enum Kind: Sendable, Hashable {
    /// Any text.
    case text
    /// The path of a file or folder.
    case path
    /// A number in a unit of measure.
    case number(
      minimum: Float, maximum: Float, initial: Float, unit: AudioUnitParameterUnit, isWhole: Bool)
    /// One of several named values, numbered from 0.
    case choice([String], initial: Float)
    /// On or off.
    case toggle(initial: Float)
  }

  /// The values that it can have.
  public var kind: Kind
  /// Whether the text is the path of a file or folder.
  public var isPath: Bool { kind == .path }
  /// Whether it can be set.
  public var isWritable: Bool

  /// The setting as a parameter, whose value is passed as a decimal number; nil for texts and paths.
  ///
  /// Context: any.
  public var parameter: UnitParameter? {
    let flags = kAudioUnitParameterFlag_IsReadable | kAudioUnitParameterFlag_IsWritable
    switch kind {
    case .text, .path: return nil
    case .number(let minimum, let maximum, let initial, let unit, let isWhole):
      let indexed = isWhole && unit == kAudioUnitParameterUnit_Generic
      return UnitParameter(
        id: .max, name: name, symbol: symbol,
        unit: indexed ? AudioUnitParameterUnit(kAudioUnitParameterUnit_Indexed) : unit,
        minimum: minimum, maximum: maximum, defaultValue: initial, flags: flags)
    case .choice(let names, let initial):
      return UnitParameter(
        id: .max, name: name, symbol: symbol, unit: kAudioUnitParameterUnit_Indexed, minimum: 0,
        maximum: Float(names.count - 1), defaultValue: initial, flags: flags, valueNames: names)
    case .toggle(let initial):
      return UnitParameter(
        id: .max, name: name, symbol: symbol, unit: kAudioUnitParameterUnit_Boolean, minimum: 0,
        maximum: 1, defaultValue: initial, flags: flags)
    }
  }
}

extension UnitTextProperty {
  /// The setting that an entry of `kAuricleProperty_TextPropertyList` describes.
  init(entry: [String: String]) {
    func number(_ key: String, _ fallback: Float) -> Float {
      entry[key].flatMap(Float.init) ?? fallback
    }
    let kind: Kind
    switch entry["type"] {
    case "path": kind = .path
    case "number", "integer":
      kind = .number(
        minimum: number("minimum", -.greatestFiniteMagnitude),
        maximum: number("maximum", .greatestFiniteMagnitude), initial: number("default", 0),
        unit: entry["unit"].flatMap(AudioUnitParameterUnit.init) ?? 0,
        isWhole: entry["type"] == "integer")
    case "choice":
      let names = (entry["values"] ?? "").split(separator: "\n").map(String.init)
      kind = .choice(names, initial: number("default", 0))
    case "switch": kind = .toggle(initial: number("default", 0))
    default: kind = .text
    }
    self.init(
      uri: entry["uri"] ?? "", symbol: entry["symbol"] ?? "", name: entry["name"] ?? "",
      kind: kind, isWritable: entry["access"] == "write")
  }
}

extension AudioUnit {
  /// The settings of the unit that are no parameters; empty if there are none.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_TextPropertyList`.
  public var textProperties: [UnitTextProperty] {
    let keys = [
      "uri", "symbol", "name", "type", "access", "minimum", "maximum", "default", "unit", "values",
    ]
    let tables = (try? tables(kAuricleProperty_TextPropertyList, keys: keys)) ?? []
    return tables.map { UnitTextProperty(entry: $0) }
  }

  /// The values of `textProperties` by their symbols; empty if there are none.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_TextProperties`.
  public var textValues: [String: String] {
    guard
      let dictionary = unsafe try? property(
        kAuricleProperty_TextProperties, initial: nil as CFDictionaryRef?)
    else { return [:] }
    defer { unsafe CFRelease(UnsafeRawPointer(dictionary)) }
    var values: [String: String] = [:]
    for setting in textProperties {
      values[setting.symbol] = unsafe withCFString(setting.symbol) { name in
        let value = unsafe name.flatMap {
          unsafe CFDictionaryGetValue(dictionary, UnsafeRawPointer($0))
        }
        return unsafe String(cfString: value.map { CFStringRef($0) })
      }
    }
    return values
  }

  /// A property that is an array of dictionaries of texts; a key that is missing has no entry.
  ///
  /// Context: control.
  func tables(
    _ id: AudioUnitPropertyID, keys: [String]
  ) throws(AuricleError) -> [[String: String]] {
    guard let array = unsafe try property(id, initial: nil as CFArrayRef?) else { return [] }
    defer { unsafe CFRelease(UnsafeRawPointer(array)) }
    return unsafe (0..<max(0, CFArrayGetCount(array))).compactMap { index in
      guard let entry = unsafe CFArrayGetValueAtIndex(array, index) else { return nil }
      let dictionary = CFDictionaryRef(entry)
      var texts: [String: String] = [:]
      for key in keys {
        texts[key] = unsafe withCFString(key) { name in
          let value = unsafe name.flatMap {
            unsafe CFDictionaryGetValue(dictionary, UnsafeRawPointer($0))
          }
          return unsafe String(cfString: value.map { CFStringRef($0) })
        }
      }
      return texts
    }
  }

  /// Sets one of `textProperties`, named by its URI or symbol.
  ///
  /// - Throws: `.badData`, or `.unavailable` for a missing library, with the unit's reason where it
  ///   has one.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_TextProperties`.
  public func setText(_ name: String, _ text: String) throws(AuricleError) {
    var dictionary: CFMutableDictionaryRef?
    unsafe withUnsafePointer(to: kCFTypeDictionaryKeyCallBacks) { keys in
      unsafe withUnsafePointer(to: kCFTypeDictionaryValueCallBacks) {
        unsafe dictionary = CFDictionaryCreateMutable(nil, 1, keys, $0)
      }
    }
    guard let made = unsafe dictionary else { throw failure(.memoryFull, "no memory") }
    defer { unsafe CFRelease(UnsafeRawPointer(made)) }
    unsafe withCFString(name) { name in
      unsafe withCFString(text) { text in
        if let name = unsafe name, let text = unsafe text {
          unsafe CFDictionarySetValue(made, UnsafeRawPointer(name), UnsafeRawPointer(text))
        }
      }
    }
    do throws(AuricleError) {
      unsafe try setProperty(
        kAuricleProperty_TextProperties,
        CFDictionaryRef?(CFDictionaryRef(UnsafeRawPointer(made))))
    } catch {
      // A unit that says why: no such file, a file of another kind.
      guard let reason = failureReason else { throw error }
      let isLacking = error.status == OSStatus(kAudioUnitErr_FailedInitialization)
      throw AuricleError(
        isLacking ? .unavailable : .badData, status: error.status, "\(self.name): \(reason)")
    }
  }
}
