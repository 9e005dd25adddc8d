// Peak and RMS of passing samples: cheap enough to keep for every file.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import RealtimeSupport

/// Peak and RMS level of a file, over all its channels.
public struct Levels: Sendable, Equatable, Codable {
  /// The highest magnitude, linear.
  public let peak: Float
  /// The peak in dB of full scale; nil for silence.
  public let peakDecibels: Double?
  /// The RMS in dB of full scale (a full-scale square wave is 0 dB); nil for silence.
  public let rmsDecibels: Double?

  /// Makes levels of linear values.
  package init(peak: Float, rms: Double) {
    self.peak = peak
    peakDecibels = peak > 0 ? 20 * log10(Double(peak)) : nil
    rmsDecibels = rms > 0 ? 20 * log10(rms) : nil
  }

  /// Makes levels of values in dB of full scale, which stay exact; nil for silence.
  package init(peakDecibels: Double?, rmsDecibels: Double?) {
    peak = peakDecibels.map { Self.amplitude(decibels: $0) } ?? 0
    self.peakDecibels = peakDecibels
    self.rmsDecibels = rmsDecibels
  }

  /// The magnitude of a level in dB of full scale.
  package static func amplitude(decibels: Double) -> Float { Float(pow(10, decibels / 20)) }
}

/// Collects levels slice by slice.
struct LevelMeter {
  private var peak: Float = 0
  private var sumOfSquares: Double = 0
  private var sampleCount: Int = 0

  package mutating func add(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int
  ) {
    for index in 0..<channelCount {
      let (highest, sum) = unsafe SampleScan.measure(channels[index], count: frameCount)
      peak = max(peak, highest)
      sumOfSquares += sum.isFinite ? sum : unsafe Self.squares(channels[index], frameCount)
    }
    sampleCount += channelCount * frameCount
  }

  /// The sum of squares that are too large for 32 bits.
  private static func squares(_ samples: UnsafePointer<Float>, _ count: Int) -> Double {
    var sum = 0.0
    for index in 0..<count {
      let value = unsafe Double(samples[index])
      sum += value * value
    }
    return sum
  }

  package var levels: Levels {
    Levels(peak: peak, rms: sampleCount > 0 ? (sumOfSquares / Double(sampleCount)).squareRoot() : 0)
  }

  /// The index after the last sample above a level, or 0 when all are below.
  static func endOfSound(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int,
    floor: Float
  ) -> Int {
    var end = 0
    for channel in 0..<channelCount {
      let samples = unsafe channels[channel]
      var index = frameCount
      while index > end {
        if unsafe abs(samples[index - 1]) > floor { break }
        index -= 1
      }
      end = max(end, index)
    }
    return end
  }
}
