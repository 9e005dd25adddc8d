// A parameter that moves to a value in a time.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import CAudioToolbox

/// A ramp of one parameter, in steps of the control thread.
final class LiveRamp {
  let stage: Int
  let parameter: UnitParameter
  private let units: [AudioUnit]
  private let from: Float
  private let to: Float
  private let start: UInt64
  private let nanoseconds: Double

  init(
    stage: Int, parameter: UnitParameter, units: [AudioUnit], from: Float, to: Float,
    start: UInt64, seconds: Double
  ) {
    self.stage = stage
    self.parameter = parameter
    self.units = units
    self.from = from
    self.to = to
    self.start = start
    nanoseconds = seconds * 1e9
  }

  /// Sets the value of a time; true when it has arrived.
  func move(_ now: UInt64) -> Bool {
    let part = nanoseconds > 0 ? min(1, Double(now - start) / nanoseconds) : 1
    let value = part >= 1 ? to : from + (to - from) * Float(part)
    for unit in units {
      try? unit.setParameter(
        parameter.id, value, scope: parameter.scope, element: parameter.element)
    }
    return part >= 1
  }
}
