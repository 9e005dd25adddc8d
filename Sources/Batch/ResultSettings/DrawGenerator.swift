// The source of random values: numbers of a seed, and of the purpose of the draw.
// SPDX-License-Identifier: Apache-2.0

/// A generator whose numbers depend on nothing but a seed and the purpose of the draw.
///
/// The same on every machine and in every later version: a run can be repeated.
package struct DrawGenerator {
  private var state: UInt64

  /// Starts from a seed, the variant's number, and a key such as the input's path.
  package init(seed: UInt64, variant: Int, key: String) {
    // FNV-1a over the key, then each number stirred in.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    state = hash
    state ^= Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15)
    state = Self.mix(state) ^ Self.mix(UInt64(bitPattern: Int64(variant)) &+ 0xD1B5_4A32_D192_ED03)
  }

  /// The next number from 0 up to but not including 1.
  package mutating func unit() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Double(Self.mix(state) >> 11) * 0x1p-53
  }

  /// The finalizer of SplitMix64.
  private static func mix(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
