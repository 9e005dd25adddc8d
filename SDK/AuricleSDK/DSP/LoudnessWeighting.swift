// The frequency weighting of loudness at any rate.
// SPDX-License-Identifier: Apache-2.0

public import CRealtime
import RealtimeSupport

/// The filters of the weighting of ITU-R BS.1770 at any rate.
///
/// `WeightedChannels` runs them; this converts its energies:
///
/// ```swift
/// let energy = channels.removeEnergy() / Double(frames)
/// let loudness = LoudnessWeighting.loudness(energy: energy)
/// parameters.loudness = Float(max(loudness, -70))
/// ```
public enum LoudnessWeighting {
  /// Returns a shelf for the head and a high-pass: the analogue filters behind the standard's
  /// coefficients. Context: control.
  ///
  /// - Parameter sampleRate: Hz; at 48 kHz the result is the standard's own.
  public static func filters(sampleRate: Double) -> AuricleWeighting {
    var filter = AuricleWeighting()
    let shelf = RealtimeMath.tan(Double.pi * 1681.974450955533 / sampleRate)
    let high = RealtimeMath.gain(decibels: 3.999843853973347)
    let middle = RealtimeMath.pow(high, 0.4996667741545416)
    let part = shelf / 0.7071752369554196
    let whole = 1 + part + shelf * shelf
    filter.b.0 = (
      (high + middle * part + shelf * shelf) / whole, 2 * (shelf * shelf - high) / whole,
      (high - middle * part + shelf * shelf) / whole
    )
    filter.a.0 = (2 * (shelf * shelf - 1) / whole, (1 - part + shelf * shelf) / whole)
    let pass = RealtimeMath.tan(Double.pi * 38.13547087602444 / sampleRate)
    let rest = pass / 0.5003270373238773
    let sum = 1 + rest + pass * pass
    filter.b.1 = (1, -2, 1)
    filter.a.1 = (2 * (pass * pass - 1) / sum, (1 - rest + pass * pass) / sum)
    return filter
  }

  /// Returns the loudness of a mean weighted energy, in LUFS; −∞ for silence. Context: render.
  ///
  /// - Parameter energy: Mean square of the weighted samples, summed over the channels with their weights.
  @_noLocks public static func loudness(energy: Double) -> Double {
    energy > 1e-13 ? -0.691 + 10 * RealtimeMath.log10(energy) : -.infinity
  }
}
