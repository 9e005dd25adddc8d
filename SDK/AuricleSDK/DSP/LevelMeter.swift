// A meter of one channel: average power and held peak, in decibels.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// The level of one channel.
///
/// The average is the mean square over about 300 ms (exponential); the peak is held for one second and then
/// falls by 20 dB a second. Neither is reported below −120 dB. A unit shows it with a `@Meter`:
///
/// ```swift
/// @Meter(100, "level", -120...20, unit: .decibels) var level: Float
///
/// unsafe meter.measure(
///   slice.channel(0), gain: 1, slice.frameCount, sampleRate: sampleRate)
/// parameters.level = meter.averagePower
/// ```
///
/// Context: render.
@frozen public struct LevelMeter: BitwiseCopyable, Sendable {
  /// The lowest reported level, −120 dB: that of silence.
  public static var floor: Float { @_noLocks get { -120 } }

  private var meanSquare: Double = 0
  private var peak: Float = 0
  private var framesHeld = 0

  /// Makes a meter at rest. Its unit resets it by a new one: `meter = LevelMeter()`.
  @_noLocks public init() {}

  /// Measures samples of the channel.
  ///
  /// - Parameters:
  ///   - samples: `count` samples; they are multiplied by `gain`, and stay as they are in memory.
  ///   - gain: Linear; 1 for the samples as they are.
  ///   - count: The number of samples, usually those of a slice.
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

  /// Measures silence: the levels fall as they would for zeros, at less cost.
  ///
  /// - Parameters:
  ///   - count: The number of frames.
  ///   - sampleRate: Hz.
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

  /// Average power in decibels (a full-scale sine has −3.01), from −120.
  ///
  /// The corresponding meters of Core Audio are those of `kMultiChannelMixerParam_PreAveragePower`.
  public var averagePower: Float {
    @_noLocks get {
      meanSquare > 1e-12 ? Float(4.342944819 * RealtimeMath.log(meanSquare)) : Self.floor
    }
  }

  /// Held peak in decibels (a full-scale sine has 0), from −120.
  ///
  /// The corresponding meters of Core Audio are those of `kMultiChannelMixerParam_PrePeakHoldLevel`.
  public var peakHoldLevel: Float {
    @_noLocks get {
      peak > 1e-6 ? Float(8.685889638 * RealtimeMath.log(Double(peak))) : Self.floor
    }
  }
}
