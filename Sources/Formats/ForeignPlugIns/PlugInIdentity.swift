// The four-character identity of a plug-in of another format, derived from the format's own name for it.
// SPDX-License-Identifier: Apache-2.0

/// Subtype and manufacturer codes of a plug-in by its format's own name for it, the same on every machine for ever.
///
/// The function is specified in docs/adr/0005-identity-of-lv2-plug-ins.md; it must not change.
package struct PlugInIdentity: Hashable, Sendable {
  /// Four base-62 digits.
  package let subtype: UInt32
  /// A capital letter and three base-62 digits; never a lower-case code, which Apple reserves.
  package let manufacturer: UInt32

  /// Makes the identity of the plug-in with a name: the URI of an LV2 plug-in, `ladspa:FILE:LABEL`.
  ///
  /// Context: any.
  package init(of name: String) {
    var hash = StableHash()
    for byte in name.utf8 { hash.combine(byte) }
    var seed = hash.finalized
    while true {
      let codes = PlugInIdentity.codes(seed)
      if codes.manufacturer != PlugInIdentity.reservedManufacturer {
        (subtype, manufacturer) = codes
        return
      }
      seed = StableHash.mix(seed &+ 1)
    }
  }

  /// 'Auri': reserved for components of Auricle itself.
  private static let reservedManufacturer: UInt32 = 0x4175_7269

  private static func codes(_ seed: UInt64) -> (subtype: UInt32, manufacturer: UInt32) {
    var rest = seed
    func digit(_ base: UInt64) -> UInt32 {
      let value = UInt8(truncatingIfNeeded: rest % base)
      rest /= base
      switch value {
      case 0..<26: return UInt32(0x41 + value)  // A-Z first, so that base 26 makes capitals
      case 26..<52: return UInt32(0x61 + value - 26)
      default: return UInt32(0x30 + value - 52)
      }
    }
    var manufacturer = digit(26)
    for _ in 0..<3 { manufacturer = manufacturer << 8 | digit(62) }
    var subtype: UInt32 = 0
    for _ in 0..<4 { subtype = subtype << 8 | digit(62) }
    return (subtype, manufacturer)
  }
}

/// 64-bit FNV-1a, closed with MurmurHash3's finalizer: small, fixed, and the same everywhere.
package struct StableHash {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Starts with nothing.
  package init() {}

  /// Adds a byte.
  package mutating func combine(_ byte: UInt8) {
    state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }

  /// The hash of the added data.
  package var finalized: UInt64 { StableHash.mix(state) }

  static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 33)) &* 0xff51_afd7_ed55_8ccd
    mixed = (mixed ^ (mixed >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    return mixed ^ (mixed >> 33)
  }
}
