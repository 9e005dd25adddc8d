// The speed for following a clock so that the sound between two of them keeps its amount.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A loop of the second order from an error in frames to a ratio of speeds.
///
/// Its band is wide at first, so that the ratio is found within seconds. It ends so narrow that its
/// movements are inaudible.
package struct DriftLoop {
  private let sampleRate: Double
  private let width: Double
  private var elapsed = 0.0
  private var first = 0.0
  private var second = 0.0
  /// The ratio, less 1, that was found.
  private var drift = 0.0

  /// A loop for a rate (Hz) and a final band (Hz).
  package init(sampleRate: Double, width: Double = 0.005) {
    self.sampleRate = sampleRate
    self.width = width
  }

  /// The band (Hz) now.
  private var presentWidth: Double {
    switch elapsed {
    case ..<8: max(width, 1)
    case ..<30: max(width, 0.2)
    case ..<120: max(width, 0.05)
    default: width
    }
  }

  /// Accepts the error after so many more frames; returns the ratio.
  ///
  /// - Parameter error: Frames held beyond the wanted number.
  /// - Returns: The speed at which they are to be read, relative to the usual one, 0.95 to 1.05.
  package mutating func update(error: Double, frames: Double) -> Double {
    let band = presentWidth
    elapsed += frames / sampleRate
    let share = 1 - exp(-2 * Double.pi * 20 * band * frames / sampleRate)
    let omega = 2 * Double.pi * band / sampleRate
    first += share * (omega * 1.6 * error - first)
    second += share * (first - second)
    drift += omega * frames / 1.6 * second
    drift = min(max(drift, -0.05), 0.05)
    return min(max(1 + second + drift, 0.95), 1.05)
  }

  /// Begins anew with the ratio that was found, as after a restart.
  package mutating func reset() {
    elapsed = 0
    first = 0
    second = 0
  }
}
