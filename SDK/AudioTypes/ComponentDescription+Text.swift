// Component descriptions written as `type:subtype:manufacturer`.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

extension AudioComponentDescription {
  /// A description of three codes, with no flags and no mask.
  public init(
    type: FourCharacterCode, subtype: FourCharacterCode, manufacturer: FourCharacterCode
  ) {
    self.init()
    componentType = type.rawValue
    componentSubType = subtype.rawValue
    componentManufacturer = manufacturer.rawValue
  }

  /// The type of unit: `aufx` for an effect.
  public var type: FourCharacterCode { FourCharacterCode(rawValue: componentType) }
  /// The unit among those of its type and manufacturer.
  public var subtype: FourCharacterCode { FourCharacterCode(rawValue: componentSubType) }
  /// Its manufacturer.
  public var manufacturer: FourCharacterCode { FourCharacterCode(rawValue: componentManufacturer) }

  /// The triple as text: `aufx:dcmp:appl`; a code that contains a colon is written as a number.
  public var triple: String {
    func text(_ code: FourCharacterCode) -> String {
      code.bytes.contains(UInt8(ascii: ":")) || code.bytes.allSatisfy { $0 == 0x2A }
        ? code.hexadecimal : code.description
    }
    return "\(text(type)):\(text(subtype)):\(text(manufacturer))"
  }
}
