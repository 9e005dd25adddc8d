// Whether a component answers a search: zeros are wildcards, flags count under the mask.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

extension AudioComponentDescription {
  /// True if a component of this description is found by a search for `wanted`.
  ///
  /// A type, subtype or manufacturer of 0 in `wanted` is a wildcard; the flags must be equal under
  /// its mask. A component flagged unsearchable is found only by a search that names all three.
  public func matches(_ wanted: AudioComponentDescription) -> Bool {
    func agrees(_ mine: OSType, _ other: OSType) -> Bool { other == 0 || mine == other }
    guard agrees(componentType, wanted.componentType),
      agrees(componentSubType, wanted.componentSubType),
      agrees(componentManufacturer, wanted.componentManufacturer)
    else { return false }
    let mask = wanted.componentFlagsMask
    guard componentFlags & mask == wanted.componentFlags & mask else { return false }
    let isUnsearchable =
      componentFlags & UInt32(kAudioComponentFlag_Unsearchable) != 0
    return !isUnsearchable || wanted.namesOneComponent
  }

  /// True if type, subtype and manufacturer are all set.
  public var namesOneComponent: Bool {
    componentType != 0 && componentSubType != 0 && componentManufacturer != 0
  }

  var identity: ComponentIdentity {
    ComponentIdentity(
      type: componentType, subtype: componentSubType, manufacturer: componentManufacturer)
  }
}

/// The three codes that distinguish components.
struct ComponentIdentity: Comparable, Sendable {
  var type: OSType
  var subtype: OSType
  var manufacturer: OSType

  static func < (left: ComponentIdentity, right: ComponentIdentity) -> Bool {
    (left.type, left.subtype, left.manufacturer) < (right.type, right.subtype, right.manufacturer)
  }
}
