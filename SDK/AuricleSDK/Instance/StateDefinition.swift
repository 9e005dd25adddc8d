// A unit's saved state beside its parameters.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// The functions with which a unit adds to its saved state, and restores it.
///
/// The SDK writes the keys of Core Audio, with all parameters in "data", and calls `save` for the
/// rest. When a state is set, the SDK first checks it (another unit's, another version's or a damaged
/// one is refused), then calls `restore`, then sets the parameters. The corresponding property is
/// `kAudioUnitProperty_ClassInfo`.
///
/// Units of `AuricleUnit` have a `UnitModel` instead. For a definition:
///
/// ```swift
/// definition.state = StateDefinition(
///   save: { _, state in
///     state.set("curve", string: settings.curve)
///     return 0
///   },
///   restore: { unit, state in
///     guard let curve = state.string("curve") else { return 0 }
///     return settings.choose(curve)
///       ? 0 : unit.refuse(kAudioUnitErr_InvalidPropertyValue, "There is no curve “\(curve)”.")
///   })
/// ```
///
/// Here `settings` is an object of the instance. Context of the closures: control, under the instance's lock.
public struct StateDefinition: Sendable {
  /// Adds the unit's values; an error fails the whole property.
  public var save: @Sendable (UnitInstance, UnitState) -> OSStatus
  /// Restores the values of `save`; an error is returned to the host, and parameters stay unchanged.
  ///
  /// Must accept a state without its keys (from an older version, or written by hand), and any value for
  /// them.
  public var restore: @Sendable (UnitInstance, UnitState) -> OSStatus

  /// Declares how state is saved.
  public init(
    save: @escaping @Sendable (UnitInstance, UnitState) -> OSStatus,
    restore: @escaping @Sendable (UnitInstance, UnitState) -> OSStatus
  ) {
    self.save = save
    self.restore = restore
  }
}
