// The properties of a mixer in space that presets and command lines set by a name: one value for all inputs.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// A property, or a part of one, that is set by a name: one number out of some with names, or out of a range.
struct NamedProperty: Sendable {
  /// The word that it is set by, which stays the same for ever.
  let symbol: String
  /// The name shown to a person.
  let name: String
  /// The names of the numbers in their order, from `first` on; none for a switch.
  let values: [String]
  /// The number with the first name.
  var first: UInt32 = 0
  /// The number of a fresh instance.
  var initial: UInt32 = 0
  /// The range of a number, its unit of measure and its value in a fresh instance; nil for a choice and a switch.
  var range: (ClosedRange<Float>, unit: AudioUnitParameterUnit, initial: Float)?
  /// Whether the property is a whole one, and not a part of another.
  var isWhole = true
  /// The property itself, of an input or of the whole unit.
  let property: PropertyDefinition

  /// The entry in `kAuricleProperty_TextPropertyList`.
  fileprivate var entry: [String: String] {
    var entry = [
      "uri": symbol, "symbol": symbol, "name": name, "access": "write",
      "type": values.isEmpty ? "switch" : "choice", "default": "\(initial - first)",
    ]
    if !values.isEmpty { entry["values"] = values.joined(separator: "\n") }
    if let (range, measure, initial) = range {
      entry.merge([
        "type": "number", "minimum": "\(range.lowerBound)", "maximum": "\(range.upperBound)",
        "unit": "\(measure)", "default": "\(initial)",
      ]) { $1 }
    }
    return entry
  }

  /// The present number, or the index of its name; that of the first input.
  fileprivate func text(_ unit: UnitInstance) -> String {
    if let range {
      var number = range.initial
      _ = unsafe property.read(unit, 0, &number)
      return "\(number)"
    }
    var number = first
    _ = unsafe property.read(unit, 0, &number)
    return "\(number - first)"
  }

  /// Sets a number, or the value by the index of its name, for every input; returns a status.
  fileprivate func set(_ unit: UnitInstance, _ text: String) -> OSStatus {
    if let (range, _, _) = range {
      guard let number = Float(text), range.contains(number) else {
        return unit.refuse(
          kAudioUnitErr_InvalidPropertyValue,
          "the \(name) is a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\""
        )
      }
      return write(unit, number)
    }
    let count = values.isEmpty ? 2 : UInt32(values.count)
    guard let value = Double(text), let index = UInt32(exactly: value), index < count else {
      return unit.refuse(
        kAudioUnitErr_InvalidPropertyValue,
        "the \(name) is a number from 0 to \(count - 1), not \"\(text)\"")
    }
    return write(unit, first + index)
  }

  /// Writes four bytes into the property of every input, or of the unit; returns a status.
  private func write<Number: BitwiseCopyable>(_ unit: UnitInstance, _ number: Number) -> OSStatus {
    let isOfInputs = property.scope == kAudioUnitScope_Input
    for element in 0..<UInt32(isOfInputs ? SpatialSettings.maximumInputCount : 1) {
      var number = number
      let status = unsafe property.write(unit, element, &number, 4)
      guard status == 0 else { return status }
    }
    return 0
  }
}

extension [NamedProperty] {
  /// The properties themselves, and those that list and set them by their names.
  var definitions: [PropertyDefinition] { filter(\.isWhole).map(\.property) + [list, byName] }

  private var list: PropertyDefinition {
    unsafe PropertyDefinition(
      id: kAuricleProperty_TextPropertyList, size: UInt32(MemoryLayout<CFArrayRef?>.size),
      read: { _, _, data in
        let entries = unsafe map { property in
          unsafe UnsafeRawPointer(
            makeCFDictionary(
              takingOver: property.entry.mapValues { unsafe UnsafeRawPointer(makeCFString($0)) }))
        }
        unsafe data.storeBytes(of: makeCFArray(takingOver: entries), as: CFArrayRef?.self)
        return 0
      })
  }

  private var byName: PropertyDefinition {
    unsafe PropertyDefinition(
      id: kAuricleProperty_TextProperties, size: UInt32(MemoryLayout<CFDictionaryRef?>.size),
      read: { unit, _, data in
        var values: [String: UnsafeRawPointer?] = unsafe [:]
        for property in self {
          unsafe values[property.symbol] = unsafe UnsafeRawPointer(
            makeCFString(property.text(unit)))
        }
        unsafe data.storeBytes(of: makeCFDictionary(takingOver: values), as: CFDictionaryRef?.self)
        return 0
      },
      write: { unit, _, data, size in
        guard let data = unsafe data, unsafe Int(size) == MemoryLayout<CFDictionaryRef?>.size,
          let dictionary = unsafe data.loadUnaligned(as: CFDictionaryRef?.self)
        else { return kAudioUnitErr_InvalidPropertyValue }
        let wanted = compactMap { property in
          unsafe text(property.symbol, in: dictionary).map { (property, $0) }
        }
        guard unsafe CFDictionaryGetCount(dictionary) == wanted.count else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        for (property, text) in wanted {
          let status = property.set(unit, text)
          if status != 0 { return status }
        }
        return 0
      })
  }
}

/// The text of a key of a dictionary; nil where it has none.
private func text(_ key: String, in dictionary: CFDictionaryRef) -> String? {
  let found = unsafe withCFString(key) { name in
    unsafe name.flatMap { unsafe CFDictionaryGetValue(dictionary, UnsafeRawPointer($0)) }
  }
  guard let found = unsafe found, unsafe CFGetTypeID(found) == CFStringGetTypeID() else {
    return nil
  }
  return unsafe String(cfString: CFStringRef(found))
}
