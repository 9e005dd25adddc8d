// The elements of a scope: their number, names and parameters.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The elements of the group, part or note scope of a unit.
///
/// An instrument with sixteen channels that a host can turn down, each by a parameter:
///
/// ```swift
/// static func configure(_ definition: inout UnitDefinition) {
///   let volume = ParameterDefinition(
///     id: 7, name: "volume", unit: kAudioUnitParameterUnit_LinearGain, range: 0...1,
///     defaultValue: 1)
///   definition.groups = ElementDefinition(
///     name: "Channel", parameters: [volume], counts: 16...16)
/// }
/// ```
///
/// A kernel reads it with `slice.parameter(0, scope: kAudioUnitScope_Group, element: channel)`. The
/// corresponding Core Audio scopes are `kAudioUnitScope_Group`, `kAudioUnitScope_Part` and
/// `kAudioUnitScope_Note`. Context: control.
public struct ElementDefinition: Sendable {
  /// Name shown to a person; an element's number, from 1 on, is put behind it.
  public var name: String
  /// Parameters that each element has values of, in the order in which a kernel counts them.
  public var parameters: [ParameterDefinition]
  /// Possible numbers of elements, 0 to 65536; a host may choose if there is more than one.
  public var counts: ClosedRange<Int>
  /// Elements of a fresh instance, a number in `counts`.
  public var initialCount: Int

  /// Declares the elements.
  ///
  /// - Parameters:
  ///   - name: Name shown to a person, such as "Channel".
  ///   - parameters: Parameters that each element has values of.
  ///   - counts: Possible numbers of elements; brought into 0 to 65536.
  ///   - initialCount: Elements of a fresh instance; nil for as few as there may be.
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
