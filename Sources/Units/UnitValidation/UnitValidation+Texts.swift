// Texts of parameters: values that are written and read back, and the names of groups.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// What the unit writes for a value it reads as that value, to the digits written; clumps have names.
  mutating func checkTexts(_ parameter: UnitParameter) {
    let place = "\(parameter.id), \"\(parameter.name)\","
    if parameter.flags & kAudioUnitParameterFlag_HasClump != 0 {
      expect(
        parameter.clumpName?.isEmpty == false, "parameters", "\(place) is in a group with no name")
    }
    for value in Set([parameter.minimum, parameter.defaultValue, parameter.maximum]).sorted() {
      guard let text = unit.text(ofParameter: parameter.id, value: value, scope: parameter.scope)
      else { continue }
      expect(!text.isEmpty, "parameters", "\(place) writes nothing for \(value)")
      guard
        let read = unit.value(ofParameter: parameter.id, text: text, scope: parameter.scope)
      else { continue }
      let again = unit.text(ofParameter: parameter.id, value: read, scope: parameter.scope)
      expect(
        again == text, "parameters",
        "\(place) writes \"\(text)\" for \(value), and reads \(read) in it")
    }
  }
}
