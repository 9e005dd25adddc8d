// Values of MIDI 1.0 and 2.0: from few bits to many and back.
// SPDX-License-Identifier: Apache-2.0

/// Scales by the rule of MIDI 2.0: least, centre and greatest stay the same.
package enum ValueScaling {
  /// From so many bits to more of them.
  package static func up(_ value: UInt32, from: Int, to: Int) -> UInt32 {
    let shift = to - from
    var result = value << UInt32(shift)
    let center: UInt32 = 1 << UInt32(from - 1)
    guard value > center else { return result }
    // The bits below the first are repeated to fill the bits emptied by the shift.
    let repeated = from - 1
    let pattern = value & ((1 << UInt32(repeated)) - 1)
    var place = shift - repeated
    while place > -repeated {
      result |= place >= 0 ? pattern << UInt32(place) : pattern >> UInt32(-place)
      place -= repeated
    }
    return result
  }

  /// From so many bits to fewer.
  package static func down(_ value: UInt32, from: Int, to: Int) -> UInt32 {
    value >> UInt32(from - to)
  }
}
