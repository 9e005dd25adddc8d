// The elements of a scope: how many there may be, what they are called, their parameters.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The elements of the group, part or note scope of a unit.
public struct ElementDefinition: Sendable {
  /// Name shown to a person; an element's number, from 1 on, is put behind it.
  public var name: String
  /// Parameters that each element has values of.
  public var parameters: [ParameterDefinition]
  /// How many elements there may be, at most 65536; a host may choose where that is a true range.
  public var counts: ClosedRange<Int>
  /// Elements of a fresh instance.
  public var initialCount: Int

  /// Declares the elements; without `initialCount` a fresh instance has as few as there may be.
  public init(
    name: String, parameters: [ParameterDefinition] = [], counts: ClosedRange<Int> = 1...1,
    initialCount: Int? = nil
  ) {
    self.name = name
    self.parameters = parameters
    let least = min(max(counts.lowerBound, 0), 65536)
    self.counts = least...min(max(counts.upperBound, least), 65536)
    self.initialCount = min(max(initialCount ?? least, least), self.counts.upperBound)
  }
}

extension UnitDefinition {
  /// The elements of a scope; nil for a scope that the unit does not have.
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

  /// The bus of an input or output element: beyond those declared, one like the last of them.
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
