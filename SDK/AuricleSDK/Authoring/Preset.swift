// A factory preset: a name, and the parameters that it sets.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A preset that ships with a unit; parameters that it omits have their defaults.
///
/// ```swift
/// Preset("Slow swell") { $0.rate = 0.5; $0.depth = 80 }
/// ```
///
/// The type asks nothing of `Parameters`, so that no conformance has to be searched for when a unit is opened.
public struct Preset<Parameters>: Sendable {
  /// Name shown to a person.
  public let name: String
  private let set: @Sendable (Parameters) -> Void

  /// Declares a preset.
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
