// A factory preset: a name, and the parameters that it sets.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A preset that ships with a unit; parameters that it omits have their defaults.
///
/// ```swift
/// static let presets: [Preset<Parameters>] = [
///   Preset("Slow swell") { $0.rate = 0.5; $0.depth = 80 },
///   Preset("Fast and deep") { $0.rate = 8; $0.depth = 100 },
/// ]
/// ```
///
/// The type asks nothing of `Parameters`, so that no conformance has to be searched for when a unit is opened.
/// The corresponding Core Audio structure is `AUPreset`. Context: control.
public struct Preset<Parameters>: Sendable {
  /// Name shown to a person.
  public let name: String
  private let set: @Sendable (Parameters) -> Void

  /// Declares a preset.
  ///
  /// - Parameters:
  ///   - name: Name shown to a person.
  ///   - set: Sets the parameters of the preset; called for a set that no instance uses.
  public init(_ name: String, _ set: @escaping @Sendable (Parameters) -> Void) {
    self.name = name
    self.set = set
  }
}

extension Preset where Parameters: ParameterSet {
  /// The values by parameter id. Context: control.
  var definition: FactoryPresetDefinition {
    let parameters = Parameters()
    let handles = parameters.handles
    defer { handles.forEach { $0.deallocate() } }
    set(parameters)
    return FactoryPresetDefinition(
      name: name,
      values: Dictionary(handles.map { ($0.id, $0.value) }, uniquingKeysWith: { first, _ in first })
    )
  }
}
