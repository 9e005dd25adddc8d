// The sounds that a unit is fed with while it is checked: the same for the same seed, however they are sliced.
// SPDX-License-Identifier: Apache-2.0

/// A sound without end, of any number of channels.
package enum ValidationSignal: Sendable, Hashable {
  /// Nothing.
  case silence
  /// Noise between minus and plus a level; the number chooses which.
  case noise(level: Float, seed: UInt64)
  /// A single sample of 1 at a frame, which is the same on every channel.
  case impulse(at: Int)
  /// Every sample has one value.
  case constant(Float)
  /// Noise for so many frames, then silence.
  case burst(frames: Int, seed: UInt64)

  /// Soft noise, which all of the checks use that need any sound.
  package static func soft(_ seed: UInt64) -> Self { .noise(level: 0.25, seed: seed) }

  /// One sample.
  ///
  /// Context: render.
  func sample(_ frame: Int, channel: Int, bus: UInt32) -> Float {
    switch self {
    case .silence: 0
    case .noise(let level, let seed): level * Self.noise(frame, channel, bus, seed)
    case .impulse(let place): frame == place ? 1 : 0
    case .constant(let value): value
    case .burst(let length, let seed):
      frame < length ? 0.25 * Self.noise(frame, channel, bus, seed) : 0
    }
  }

  /// Between -1 and 1, well mixed.
  private static func noise(_ frame: Int, _ channel: Int, _ bus: UInt32, _ seed: UInt64) -> Float {
    var state = seed &+ UInt64(truncatingIfNeeded: frame) &* 0x9E37_79B9_7F4A_7C15
    state =
      state &+ UInt64(truncatingIfNeeded: channel) &* 0xD1B5_4A32_D192_ED03 &+ UInt64(bus) << 40
    state = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    state = (state ^ state >> 27) &* 0x94D0_49BB_1331_11EB
    state ^= state >> 31
    return Float(Int32(truncatingIfNeeded: state)) * 0x1p-31
  }
}

/// Numbers by chance, the same for the same seed.
package struct ValidationRandom: RandomNumberGenerator {
  private var state: UInt64

  /// Begins with a seed.
  package init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state = state &+ 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
