// Figures about a piece of sound: how long, how loud.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Length and levels of a piece of sound. Levels of silence are nil, not minus infinity.
public struct AudioMeasurement: Sendable, Equatable {
  /// The number of frames.
  public var frameCount = 0
  /// The length in seconds.
  public var duration = 0.0
  /// The highest sample of any channel, in dBFS.
  public var samplePeak: Double?
  /// The root of the mean square over all channels, in dBFS (a full-scale square wave is 0).
  public var rms: Double?
  /// The integrated loudness by EBU R 128, in LUFS.
  public var integratedLoudness: Double?
  /// The loudness range by EBU Tech 3342, in LU.
  public var loudnessRange: Double?
  /// The loudest 0.4 s, in LUFS.
  public var maximumMomentary: Double?
  /// The loudest 3 s, in LUFS.
  public var maximumShortTerm: Double?
  /// The highest true peak, in dBTP; nil also when it was not measured.
  public var truePeak: Double?

  /// Figures of nothing.
  public init() {}
}

/// Measures planar float sound, slice by slice.
///
/// Context: control. Not to be shared between threads.
@safe public final class AudioMeter {
  private let sampleRate: Double
  private let channelCount: Int
  private let loudness: LoudnessMeter?
  private let truePeaks: TruePeakMeter?
  private var frameCount = 0
  private var peak: Float = 0
  private var sumOfSquares = 0.0

  /// Sets up a meter.
  ///
  /// - Parameters:
  ///   - channelMap: The numbers of `ChannelOrder`; without them the order of WAV counts.
  ///   - isDualMono: Whether one channel is as loud as from two loudspeakers.
  public init(
    sampleRate: Double, channelCount: Int, channelMap: [Int32] = [], isDualMono: Bool = false,
    measuresTruePeak: Bool = false
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    loudness = LoudnessMeter(
      sampleRate: sampleRate, channelCount: channelCount, channelMap: channelMap,
      isDualMono: isDualMono)
    truePeaks =
      measuresTruePeak
      ? TruePeakMeter(sampleRate: sampleRate, channelCount: channelCount) : nil
  }

  /// Measures frames; none after `measurement` was read.
  public func add(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount count: Int
  ) {
    for channel in 0..<channelCount {
      let levels = unsafe levels(of: channels[channel], count: count)
      peak = max(peak, levels.peak)
      sumOfSquares += levels.sumOfSquares
    }
    unsafe loudness?.add(channels, frameCount: count)
    unsafe truePeaks?.add(UnsafePointer(channels), frameCount: count)
    frameCount += count
  }

  /// The blocks from which the loudness follows, to be joined with those of other files.
  package var blocks: LoudnessBlocks { loudness?.blocks ?? LoudnessBlocks() }

  /// The figures of all so far.
  public var measurement: AudioMeasurement {
    var figures = AudioMeasurement()
    figures.frameCount = frameCount
    figures.duration = sampleRate > 0 ? Double(frameCount) / sampleRate : 0
    figures.samplePeak = decibels(Double(peak))
    let sampleCount = frameCount * channelCount
    if sampleCount > 0 { figures.rms = decibels((sumOfSquares / Double(sampleCount)).squareRoot()) }
    let blocks = loudness?.blocks
    figures.integratedLoudness = blocks?.integratedLoudness()
    figures.loudnessRange = blocks?.range
    figures.maximumMomentary = blocks?.maximumMomentary
    figures.maximumShortTerm = blocks?.maximumShortTerm
    figures.truePeak = truePeaks?.peak
    return figures
  }
}

/// 20·log10 of an amplitude; nil for zero.
func decibels(_ amplitude: Double) -> Double? {
  amplitude > 0 ? 20 * log10(amplitude) : nil
}

/// The highest magnitude and the sum of the squares of a row of samples.
func levels(
  of samples: UnsafePointer<Float>, count: Int
) -> (peak: Float, sumOfSquares: Double) {
  let bytes = unsafe UnsafeRawPointer(samples)
  var highest = SIMD8<Float>(repeating: 0)
  var total = 0.0
  var index = 0
  while index &+ 8 <= count {
    // The squares of a few hundred samples fit a Float; their sum over a file needs a Double.
    let end = min(index &+ 256, count &- 7)
    var squares = SIMD8<Float>(repeating: 0)
    while index < end {
      let values = unsafe bytes.loadUnaligned(fromByteOffset: 4 &* index, as: SIMD8<Float>.self)
      highest.replace(with: values, where: values .> highest)
      highest.replace(with: -values, where: -values .> highest)
      squares += values * values
      index &+= 8
    }
    total += Double(squares.sum())
  }
  var peak = highest.max()
  while index < count {
    let value = unsafe samples[index]
    peak = max(peak, abs(value))
    total += Double(value) * Double(value)
    index &+= 1
  }
  return (peak, total)
}
