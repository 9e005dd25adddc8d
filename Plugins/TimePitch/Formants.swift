// Whether a shifted voice keeps its formants: a setting of the units that shift the pitch.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox

/// The choice that a unit keeps beside its parameters.
struct PitchModel: UnitModel {
  /// Whether the resonances of a voice stay where they are while its pitch moves.
  var keepsFormants = false
  init() {}
  init(restoring state: UnitState, version: Int32) {
    keepsFormants = state.integer("formants") == 1
  }
  func save(to state: UnitState) { state.set("formants", integer: keepsFormants ? 1 : 0) }
}

extension CustomProperty where Unit: AuricleUnit, Unit.State == PitchModel, Unit: ~Copyable {
  /// The formants by their names: `shifted` with the pitch, or `kept`.
  static var formants: [CustomProperty] {
    settings([
      .choice(
        "formants", name: "formants", ["shifted", "kept"], initial: 0,
        get: { $0.state.keepsFormants ? 1 : 0 },
        set: { (access, number) throws(UnitRefusal) in
          var state = access.state
          state.keepsFormants = number == 1
          try access.setState(state)
        })
    ])
  }
}
