// A unit's values beside its parameters, with a version.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox

/// A unit's values beside its parameters: a text, a curve, the path of a file.
///
/// A saved state holds it with its version: an older one comes to `init(restoring:version:)` to be
/// brought up to date, a newer one is refused with the reason.
///
/// ```swift
/// struct State: UnitModel {
///   var seconds = 0.0
///   init() {}
///   init(restoring state: UnitState, version: Int32) {
///     let saved = state.real("look-ahead") ?? 0
///     seconds = saved.isFinite ? min(max(saved, 0), 0.05) : 0
///   }
///   func save(to state: UnitState) { state.set("look-ahead", real: seconds) }
/// }
/// ```
///
/// Context: control.
public protocol UnitModel: Sendable {
  /// The version in which it is saved, raised when its form changes.
  static var version: Int32 { get }
  /// Makes the model of a fresh instance.
  init()
  /// Keeps it under keys of the unit's own choice.
  func save(to state: UnitState)
  /// Restores it from the result of `save` in this version or an older one; any value may be missing or
  /// damaged.
  ///
  /// - Parameters:
  ///   - state: The values by key.
  ///   - version: The version in which they were saved, at most `Self.version`.
  /// - Throws: A refusal, with which the host's call fails; the instance stays as it was.
  init(restoring state: UnitState, version: Int32) throws(UnitRefusal)
  /// Returns whether a state that `save` did not write is one of another unit with these codes: all of it
  /// comes to `init(restoring:version:)` then, as version 1.
  static func readsWhole(_ state: UnitState) -> Bool
}

extension UnitModel {
  /// The first.
  public static var version: Int32 { 1 }
  /// Reads no state of another unit.
  public static func readsWhole(_ state: UnitState) -> Bool { false }
}

/// The model of a unit that keeps nothing beside its parameters.
public struct NoModel: UnitModel {
  /// Nothing.
  public init() {}
  /// Keeps nothing.
  public func save(to state: UnitState) {}
  /// Reads nothing.
  public init(restoring state: UnitState, version: Int32) {}
}

/// A function that sets the value of a property; see `PropertyDefinition.write`.
typealias PropertyWrite =
  @Sendable (UnitInstance, AudioUnitElement, UnsafeRawPointer?, UInt32) -> OSStatus

/// A property of a unit beyond the common ones, of the global scope.
///
/// ```swift
/// static var properties: [CustomProperty<Self>] {
///   [
///     .number(64100, get: { $0.state.seconds }),
///     .text(64101, get: { _ in "2026-01" }),
///     .bytes(64102, get: { [UInt32($0.state.curve.count)].bytes }),
///   ]
/// }
/// ```
///
/// Hosts call `AudioUnitGetProperty` and `AudioUnitSetProperty`. Context of the closures: control.
public struct CustomProperty<Unit: ~Copyable>: Sendable {
  /// Makes it for a `UnitContext<Unit>`. Neither type states that `Unit` is a unit: the runtime would search for
  /// the conformance of each unit that has properties when one is opened.
  private let makeForContext: @Sendable (AnyObject) -> PropertyDefinition
}

extension CustomProperty where Unit: AuricleUnit, Unit: ~Copyable {
  init(_ make: @escaping @Sendable (UnitContext<Unit>) -> PropertyDefinition) {
    makeForContext = { unsafe make(unsafeDowncast($0, to: UnitContext<Unit>.self)) }
  }

  /// Returns the property of an instance.
  func make(_ context: UnitContext<Unit>) -> PropertyDefinition { makeForContext(context) }

  /// Makes a property that is a number of 64 bits; without `set` it is read-only.
  ///
  /// ```swift
  /// .number(
  ///   64100, get: { $0.state.seconds },
  ///   set: { (access, seconds) throws(UnitRefusal) in
  ///     var state = access.state
  ///     state.seconds = min(max(seconds, 0), 0.05)
  ///     try access.setState(state)
  ///   })
  /// ```
  ///
  /// - Parameters:
  ///   - id: From 64100 on; Core Audio's own and those of this SDK lie below.
  ///   - get: The value for a host.
  ///   - set: Receives a host's value; throws to refuse it.
  public static func number(
    _ id: UInt32, get: @escaping @Sendable (UnitAccess<Unit>) -> Double,
    set: (@Sendable (UnitAccess<Unit>, Double) throws(UnitRefusal) -> Void)? = nil
  ) -> CustomProperty {
    CustomProperty { context in
      var write: PropertyWrite?
      if let set {
        unsafe write = { unit, _, data, size in
          guard let data = unsafe data, size == 8 else { return kAudioUnitErr_InvalidPropertyValue }
          let value = unsafe data.loadUnaligned(as: Double.self)
          return context.attempt(on: unit) { (access) throws(UnitRefusal) in try set(access, value)
          }
        }
      }
      return unsafe PropertyDefinition(
        id: id, size: 8,
        read: { unit, _, data in
          unsafe data.storeBytes(of: get(UnitAccess(unit, context)), as: Double.self)
          return 0
        }, write: write)
    }
  }

  /// Makes a property that is a text, `CFStringRef`; without `set` it is read-only.
  ///
  /// - Parameters:
  ///   - id: From 64100 on; Core Audio's own and those of this SDK lie below.
  ///   - get: The value for a host.
  ///   - set: Receives a host's value; throws to refuse it.
  public static func text(
    _ id: UInt32, get: @escaping @Sendable (UnitAccess<Unit>) -> String,
    set: (@Sendable (UnitAccess<Unit>, String) throws(UnitRefusal) -> Void)? = nil
  ) -> CustomProperty {
    unsafe reference(
      id,
      store: { access, data in
        unsafe data.storeBytes(of: makeCFString(get(access)), as: CFStringRef?.self)
      },
      load: { data in unsafe String(cfString: data.loadUnaligned(as: CFStringRef?.self)) }, set: set
    )
  }
}

extension CustomProperty where Unit: AuricleUnit, Unit: ~Copyable {
  /// Makes a property of any bytes; without `set` it is read-only.
  ///
  /// ```swift
  /// .bytes(
  ///   64102, size: 4, get: { [$0.state.count].bytes },
  ///   set: { (access, bytes) throws(UnitRefusal) in
  ///     guard let count = UInt32(bytes) else { throw UnitRefusal("The count is a UInt32.") }
  ///     var state = access.state
  ///     state.count = count
  ///     try access.setState(state)
  ///   })
  /// ```
  ///
  /// - Parameters:
  ///   - id: From 64100 on, or one of Core Audio's that the unit has.
  ///   - size: Bytes of the value where it always has as many; nil to call `get` for them.
  ///   - get: The value for a host.
  ///   - set: Receives a host's value; throws to refuse it.
  public static func bytes(
    _ id: UInt32, size: Int? = nil, get: @escaping @Sendable (UnitAccess<Unit>) -> [UInt8],
    set: (@Sendable (UnitAccess<Unit>, [UInt8]) throws(UnitRefusal) -> Void)? = nil
  ) -> CustomProperty {
    CustomProperty { context in
      var write: PropertyWrite?
      if let set {
        unsafe write = { unit, _, data, size in
          guard let data = unsafe data else { return kAudioUnitErr_InvalidPropertyValue }
          let bytes = unsafe Array(UnsafeRawBufferPointer(start: data, count: Int(size)))
          return context.attempt(on: unit) { (access) throws(UnitRefusal) in
            try set(access, bytes)
          }
        }
      }
      var property = unsafe PropertyDefinition(
        id: id, size: UInt32(size ?? 0),
        read: { unit, _, data in
          let bytes = get(UnitAccess(unit, context))
          unsafe data.copyMemory(from: bytes, byteCount: bytes.count)
          return 0
        }, write: write)
      if size == nil {
        property.currentSize = { unit, _ in UInt32(get(UnitAccess(unit, context)).count) }
      }
      return property
    }
  }
}

extension Array where Element: BitwiseCopyable {
  /// The bytes of numbers, for properties. Context: control.
  public var bytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array<UInt8>($0) } }
}

extension UInt32 {
  /// The number that four bytes are, as a host sets it; nil for another number of bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 4 else { return nil }
    self = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: UInt32.self) }
  }
}

/// An instance as its properties see it.
///
/// ```swift
/// var state = access.state
/// state.design = .cookbook
/// try access.setState(state)
/// ```
///
/// Valid during the call of a closure that receives it. Context: control.
public struct UnitAccess<Unit: AuricleUnit & ~Copyable> {
  private let unit: UnitInstance
  private let context: UnitContext<Unit>

  init(_ unit: UnitInstance, _ context: UnitContext<Unit>) {
    self.unit = unit
    self.context = context
  }

  /// The parameters of the instance.
  public var parameters: Unit.Parameters { context.parameters }
  /// Sample rate of the instance (Hz).
  public var sampleRate: Double { unit.sampleRate }
  /// The host's handle of the instance; nil before Open.
  public var handle: AudioUnitHandle? { unsafe unit.handle }
  /// The values of the instance beside its parameters.
  public var state: Unit.State { context.state }

  /// Sets another model for the instance; a unit made of it replaces the current one at the next slice.
  ///
  /// While the instance is not initialised, the model alone is kept. A changed latency is reported to the host.
  ///
  /// - Parameter state: The whole model, usually a changed copy of `state`.
  /// - Throws: The errors of the unit's `init`; everything is then as before.
  public func setState(_ state: Unit.State) throws(UnitRefusal) {
    try context.setState(state, of: unit)
  }
}
