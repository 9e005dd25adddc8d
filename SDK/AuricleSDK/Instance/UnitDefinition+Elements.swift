// The elements of each scope, as a definition has them.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

extension UnitDefinition {
  /// Returns the elements of a scope; nil for a scope that the unit does not have.
  func elements(of scope: AudioUnitScope) -> ElementDefinition? {
    switch scope {
    case kAudioUnitScope_Global: ElementDefinition(name: "Global", parameters: parameters)
    case kAudioUnitScope_Input:
      ElementDefinition(
        name: "Input", parameters: inputParameters,
        counts: inputElementCounts ?? inputs.count...inputs.count, initialCount: inputs.count)
    case kAudioUnitScope_Output:
      ElementDefinition(
        name: "Output", parameters: outputParameters,
        counts: outputElementCounts ?? outputs.count...outputs.count, initialCount: outputs.count)
    case kAudioUnitScope_Group: groups
    case kAudioUnitScope_Part: parts
    case kAudioUnitScope_Note: notes
    default: nil
    }
  }

  /// Returns the bus of an input or output element: beyond those declared, one like the last of them.
  func bus(_ scope: AudioUnitScope, _ element: Int) -> BusDefinition {
    let declared = scope == kAudioUnitScope_Input ? inputs : outputs
    if element < declared.count { return declared[element] }
    let counts = scope == kAudioUnitScope_Input ? inputElementCounts : outputElementCounts
    var bus =
      declared.last
      ?? BusDefinition(name: scope == kAudioUnitScope_Input ? "Input" : "Output")
    if counts != nil { bus.name += " \(element + 1)" }
    return bus
  }
}
