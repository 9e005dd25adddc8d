// Settings of a unit beside its parameters, by the names that presets and command lines use.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox

/// A setting of a unit that is no parameter: a file, a text, a number, a choice or a switch.
///
/// A chain preset or a command line sets it by its name, as it does parameters: `--set bank=piano.sf2`,
/// `look ahead: 3 ms`, `design: matched`. The change is made outside of the render thread.
///
/// ```swift
/// static var properties: [CustomProperty<Self>] {
///   CustomProperty<Self>.settings([
///     .toggle(
///       "true-peak", name: "true peak", get: { $0.state.isTruePeak },
///       set: { (access, isOn) throws(UnitRefusal) in
///         var state = access.state
///         state.isTruePeak = isOn
///         try access.setState(state)
///       })
///   ])
/// }
/// ```
///
/// Context of the closures: control.
public struct NamedSetting<Unit: AuricleUnit & ~Copyable>: Sendable {
  /// The values that a setting can have.
  enum Kind: Sendable {
    case path
    case text
    case number(ClosedRange<Double>, unit: AudioUnitParameterUnit, isWhole: Bool)
    case choice([String])
    case toggle
  }

  /// The word that it is set by, which stays the same for ever.
  public let symbol: String
  /// The name shown to a person.
  public let name: String
  let kind: Kind
  /// The value of a fresh instance, for numbers, choices and switches.
  let initial: Double
  let get: @Sendable (UnitAccess<Unit>) -> String?
  let set: @Sendable (UnitAccess<Unit>, String) throws(UnitRefusal) -> Void

  /// Declares a file or a text.
  ///
  /// ```swift
  /// NamedSetting(
  ///   "bank", name: "sound bank", get: { $0.state.path },
  ///   set: { (access, path) throws(UnitRefusal) in
  ///     var state = access.state
  ///     state.path = path
  ///     try access.setState(state)
  ///   })
  /// ```
  ///
  /// - Parameters:
  ///   - symbol: The word that it is set by.
  ///   - name: The name shown to a person.
  ///   - isPath: Whether it is the path of a file; else it is any text.
  ///   - get: Its path or text; nil where there is none.
  ///   - set: Receives a path or a text; throws to refuse it.
  public init(
    _ symbol: String, name: String, isPath: Bool = true,
    get: @escaping @Sendable (UnitAccess<Unit>) -> String?,
    set: @escaping @Sendable (UnitAccess<Unit>, String) throws(UnitRefusal) -> Void
  ) {
    self.symbol = symbol
    self.name = name
    kind = isPath ? .path : .text
    initial = 0
    self.get = get
    self.set = set
  }

  private init(
    _ symbol: String, _ name: String, _ kind: Kind, _ initial: Double,
    _ get: @escaping @Sendable (UnitAccess<Unit>) -> Double,
    _ set: @escaping @Sendable (UnitAccess<Unit>, Double) throws(UnitRefusal) -> Void
  ) {
    self.symbol = symbol
    self.name = name
    self.kind = kind
    self.initial = initial
    self.get = { "\(get($0))" }
    self.set = { (access, text) throws(UnitRefusal) in
      guard let value = Double(text), Self.holds(value, kind) else {
        throw UnitRefusal(
          status: kAudioUnitErr_InvalidPropertyValue,
          reason: "the \(name) is \(Self.values(of: kind)), not \"\(text)\"")
      }
      try set(access, value)
    }
  }

  private static func holds(_ value: Double, _ kind: Kind) -> Bool {
    switch kind {
    case .path, .text: true
    case .number(let range, _, let isWhole):
      range.contains(value) && (!isWhole || value == value.rounded())
    case .choice(let names):
      value >= 0 && value < Double(names.count) && value == value.rounded()
    case .toggle: value == 0 || value == 1
    }
  }

  private static func values(of kind: Kind) -> String {
    switch kind {
    case .path, .text: "any text"
    case .number(let range, _, let isWhole):
      "a \(isWhole ? "whole " : "")number from \(range.lowerBound) to \(range.upperBound)"
    case .choice(let names): "a number from 0 to \(names.count - 1)"
    case .toggle: "0 or 1"
    }
  }

  /// Declares a number, in a unit of Core Audio's.
  ///
  /// ```swift
  /// .number(
  ///   "look-ahead", name: "look ahead", 0...0.05, initial: 0,
  ///   unit: kAudioUnitParameterUnit_Seconds, get: { $0.state.seconds },
  ///   set: { (access, seconds) throws(UnitRefusal) in
  ///     var state = access.state
  ///     state.seconds = seconds
  ///     try access.setState(state)
  ///   })
  /// ```
  ///
  /// - Parameters:
  ///   - symbol: The word that it is set by.
  ///   - name: The name shown to a person.
  ///   - range: The values that it can have.
  ///   - initial: The value of a fresh instance.
  ///   - unit: The unit of measure, such as `kAudioUnitParameterUnit_Seconds`.
  ///   - isWhole: Whether it has whole values alone.
  ///   - get: Its value.
  ///   - set: Receives a value in the range; throws to refuse it.
  public static func number(
    _ symbol: String, name: String, _ range: ClosedRange<Double>, initial: Double,
    unit: AudioUnitParameterUnit = kAudioUnitParameterUnit_Generic, isWhole: Bool = false,
    get: @escaping @Sendable (UnitAccess<Unit>) -> Double,
    set: @escaping @Sendable (UnitAccess<Unit>, Double) throws(UnitRefusal) -> Void
  ) -> NamedSetting {
    NamedSetting(symbol, name, .number(range, unit: unit, isWhole: isWhole), initial, get, set)
  }

  /// Declares a choice of named values.
  ///
  /// ```swift
  /// .choice(
  ///   "model", name: "model", ["plate", "spring", "hall"], initial: 0, get: { $0.state.model },
  ///   set: { (access, model) throws(UnitRefusal) in
  ///     var state = access.state
  ///     state.model = model
  ///     try access.setState(state)
  ///   })
  /// ```
  ///
  /// - Parameters:
  ///   - symbol: The word that it is set by.
  ///   - name: The name shown to a person.
  ///   - values: The names of the values 0, 1 and so on.
  ///   - initial: The value of a fresh instance.
  ///   - get: The number of its value.
  ///   - set: Receives the number of a value; throws to refuse it.
  public static func choice(
    _ symbol: String, name: String, _ values: [String], initial: Int,
    get: @escaping @Sendable (UnitAccess<Unit>) -> Int,
    set: @escaping @Sendable (UnitAccess<Unit>, Int) throws(UnitRefusal) -> Void
  ) -> NamedSetting {
    NamedSetting(
      symbol, name, .choice(values), Double(initial), { Double(get($0)) },
      { (access, value) throws(UnitRefusal) in try set(access, Int(value)) })
  }

  /// Declares a switch.
  ///
  /// - Parameters:
  ///   - symbol: The word that it is set by.
  ///   - name: The name shown to a person.
  ///   - initial: Whether it is on in a fresh instance.
  ///   - get: Whether it is on.
  ///   - set: Receives whether it is on; throws to refuse it.
  public static func toggle(
    _ symbol: String, name: String, initial: Bool = false,
    get: @escaping @Sendable (UnitAccess<Unit>) -> Bool,
    set: @escaping @Sendable (UnitAccess<Unit>, Bool) throws(UnitRefusal) -> Void
  ) -> NamedSetting {
    NamedSetting(
      symbol, name, .toggle, initial ? 1 : 0, { get($0) ? 1 : 0 },
      { (access, value) throws(UnitRefusal) in try set(access, value == 1) })
  }

  /// The entry of the setting in `kAuricleProperty_TextPropertyList`.
  var entry: [String: String] {
    var entry = ["uri": symbol, "symbol": symbol, "name": name, "access": "write"]
    switch kind {
    case .path: entry["type"] = "path"
    case .text: entry["type"] = "string"
    case .number(let range, let unit, let isWhole):
      entry["type"] = isWhole ? "integer" : "number"
      entry["minimum"] = "\(range.lowerBound)"
      entry["maximum"] = "\(range.upperBound)"
      entry["unit"] = "\(unit)"
    case .choice(let names):
      entry["type"] = "choice"
      entry["values"] = names.joined(separator: "\n")
    case .toggle: entry["type"] = "switch"
    }
    switch kind {
    case .path, .text: break
    default: entry["default"] = "\(initial)"
    }
    return entry
  }
}

extension CustomProperty where Unit: AuricleUnit, Unit: ~Copyable {
  /// Returns the settings of a unit as chain presets and command lines set them:
  /// `kAuricleProperty_TextPropertyList` and `kAuricleProperty_TextProperties`. A unit has one such
  /// list.
  public static func settings(_ settings: [NamedSetting<Unit>]) -> [CustomProperty] {
    [
      .tables(kAuricleProperty_TextPropertyList) { _ in settings.map(\.entry) },
      CustomProperty { context in
        unsafe PropertyDefinition(
          id: kAuricleProperty_TextProperties, size: UInt32(MemoryLayout<CFDictionaryRef?>.size),
          read: { unit, _, data in
            var values: [String: UnsafeRawPointer?] = unsafe [:]
            for setting in settings {
              guard let text = setting.get(UnitAccess(unit, context)) else { continue }
              unsafe values[setting.symbol] = unsafe UnsafeRawPointer(makeCFString(text))
            }
            unsafe data.storeBytes(
              of: makeCFDictionary(takingOver: values), as: CFDictionaryRef?.self)
            return 0
          },
          write: { unit, _, data, size in
            guard let data = unsafe data, unsafe Int(size) == MemoryLayout<CFDictionaryRef?>.size,
              let dictionary = unsafe data.loadUnaligned(as: CFDictionaryRef?.self)
            else { return kAudioUnitErr_InvalidPropertyValue }
            let supplied = unsafe UnitState(reading: dictionary)
            let known = settings.filter { supplied.string($0.symbol) != nil }
            guard unsafe CFDictionaryGetCount(dictionary) == known.count else {
              return kAudioUnitErr_InvalidPropertyValue
            }
            for setting in known {
              let status = context.attempt(on: unit) { (access) throws(UnitRefusal) in
                try setting.set(access, supplied.string(setting.symbol) ?? "")
              }
              if status != 0 { return status }
            }
            return 0
          })
      },
    ]
  }
}
