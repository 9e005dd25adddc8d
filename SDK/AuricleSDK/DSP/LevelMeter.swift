// A meter of one channel: average power and held peak, in decibels.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// The level of one channel.
///
/// The average is the mean square over about 300 ms (exponential); the peak is held for one second and then
/// falls by 20 dB a second. Neither is reported below −120 dB.
///
/// Context: render.
@frozen public struct LevelMeter: BitwiseCopyable, Sendable {
  /// The lowest reported level, in decibels.
  public static var floor: Float { @_noLocks get { -120 } }

  private var meanSquare: Double = 0
  private var peak: Float = 0
  private var framesHeld = 0

  /// A meter at rest.
  @_noLocks public init() {}

  /// Measures samples of the channel.
  ///
  /// - Parameters:
  ///   - samples: `count` samples; they are multiplied by `gain`.
  ///   - gain: Linear.
  ///   - count: The number of samples.
  ///   - sampleRate: Hz.
  @_noLocks public mutating func measure(
    _ samples: UnsafePointer<Float>, gain: Float, _ count: Int, sampleRate: Double
  ) {
    var sum: Float = 0
    var highest: Float = 0
    for index in 0..<count {
      let sample = unsafe samples[index].magnitude
      sum += sample * sample
      highest = sample > highest ? sample : highest
    }
    let square = Double(sum) * Double(gain) * Double(gain)
    measure(meanSquare: square / Double(count), peak: highest * gain, count, sampleRate: sampleRate)
  }

  /// Measures silence.
  @_noLocks public mutating func measureSilence(_ count: Int, sampleRate: Double) {
    measure(meanSquare: 0, peak: 0, count, sampleRate: sampleRate)
  }

  @_noLocks private mutating func measure(
    meanSquare new: Double, peak newPeak: Float, _ count: Int, sampleRate: Double
  ) {
    let frames = Double(count)
    let kept = RealtimeMath.exp(-frames / (0.3 * sampleRate))
    meanSquare = new + (meanSquare - new) * kept
    // NaN must not persist.
    if !meanSquare.isFinite { meanSquare = 0 }
    if newPeak >= peak {
      peak = newPeak
      framesHeld = 0
    } else {
      framesHeld += count
      if Double(framesHeld) > sampleRate {
        peak = max(newPeak, peak * Float(RealtimeMath.exp(-2.302585 * frames / sampleRate)))
      }
    }
    if !peak.isFinite { peak = 0 }
  }

  /// Average power in decibels (a full-scale sine has −3.01).
  public var averagePower: Float {
    @_noLocks get {
      meanSquare > 1e-12 ? Float(4.342944819 * RealtimeMath.log(meanSquare)) : Self.floor
    }
  }

  /// Held peak in decibels.
  public var peakHoldLevel: Float {
    @_noLocks get {
      peak > 1e-6 ? Float(8.685889638 * RealtimeMath.log(Double(peak))) : Self.floor
    }
  }
}
