// The elements of a scope: their number, names and parameters.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The elements of the group, part or note scope of a unit.
public struct ElementDefinition: Sendable {
  /// Name shown to a person; an element's number, from 1 on, is put behind it.
  public var name: String
  /// Parameters that each element has values of.
  public var parameters: [ParameterDefinition]
  /// Possible numbers of elements, at most 65536; a host may choose within a true range.
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
