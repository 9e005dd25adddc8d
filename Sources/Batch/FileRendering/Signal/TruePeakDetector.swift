// What a signal reaches between its samples: oversampled eight times, where that can matter.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import RealtimeSupport

/// Finds the peaks of one channel between its samples.
///
/// Programs that measure true peaks interpolate with filters of their own, and near half the sample
/// rate each of them overshoots in another way. So three are at work here, at eight places a sample,
/// and the highest value counts: a windowed sinc of 96 samples, longer than those of measuring
/// programs; the short one of libebur128 (and others made after ITU-R BS.1770), with a Hann window;
/// and one of 32 samples with a narrow Kaiser window, as ffmpeg's resampler has it. Where the samples
/// nearby are too small to matter, nothing is computed. Answers come 48 frames late.
@safe final class TruePeakDetector {
  /// How many values are computed for each sample.
  package static let factor = 8
  /// Samples that a value is computed from.
  package static let length = 96
  /// How many frames answers are late.
  package static let delay = length / 2
  private static let block = 64
  private static let capacity = 4096

  private let filters: [PeakFilter]
  /// How much higher than the samples around it a value can be.
  private let mostGain: Float
  private let work: UnsafeMutablePointer<Float>

  package init(sampleRate: Double) {
    let length = Self.length
    // Measuring programs oversample less at higher rates, with filters as long in time.
    let hannReach = sampleRate < 96_000 ? 6 : 12
    filters = [
      PeakFilter(reach: length / 2) { Self.bessel(4 * (1 - $0 * $0).squareRoot()) },
      PeakFilter(reach: hannReach) { 0.5 + 0.5 * cos(.pi * $0) },
      PeakFilter(reach: 16) { Self.bessel(9 * (1 - $0 * $0).squareRoot()) },
    ]
    mostGain = filters.map(\.mostGain).max() ?? 1
    unsafe work = .allocate(capacity: length - 1 + Self.capacity)
    unsafe work.initialize(repeating: 0, count: length - 1 + Self.capacity)
  }

  deinit { unsafe work.deallocate() }

  /// The modified Bessel function of order zero.
  private static func bessel(_ value: Double) -> Double {
    var sum = 1.0
    var term = 1.0
    for order in 1..<40 {
      term *= (value / 2 / Double(order)) * (value / 2 / Double(order))
      sum += term
    }
    return sum
  }

  /// Raises each entry of a list to the highest magnitude from its frame up to the next one.
  ///
  /// Entry n belongs to the frame 48 before sample n. Entries of frames that stay at or below
  /// `floor` may stay as they are.
  package func raise(
    _ peaks: UnsafeMutablePointer<Float>, by samples: UnsafePointer<Float>, count: Int,
    floor: Float
  ) {
    // Samples too small to be numbers of full precision take a hundred times as long.
    let denormals = DenormalGuard()
    defer { denormals.restore() }
    var done = 0
    while done < count {
      let part = min(Self.capacity, count - done)
      let past = Self.length - 1
      unsafe (work + past).update(from: samples + done, count: part)
      var start = 0
      while start < part {
        let size = min(Self.block, part - start)
        let most = unsafe magnitude(work + start, size + past) * mostGain
        if most > floor {
          for index in start..<(start + size) {
            let found = unsafe most.isFinite ? value(work + index) : largeValue(work + index)
            if unsafe found > peaks[done + index] { unsafe peaks[done + index] = found }
          }
        }
        start += size
      }
      unsafe work.update(from: work + part, count: past)
      done += part
    }
  }

  /// The highest of the values after the frame in the middle of 96 samples.
  @inline(__always)
  private func value(_ samples: UnsafePointer<Float>) -> Float {
    var highest: Float = 0
    for filter in filters { highest = unsafe max(highest, filter.value(samples)) }
    return highest
  }

  /// The same where a sum may be beyond what a number of 32 bits holds: at most that.
  private func largeValue(_ samples: UnsafePointer<Float>) -> Float {
    let scaled = (0..<Self.length).map { unsafe samples[$0] * 0x1p-8 }
    let found = unsafe scaled.withUnsafeBufferPointer { scaled in
      unsafe scaled.baseAddress.map { unsafe value($0) } ?? 0
    }
    return min(found * 0x1p8, .greatestFiniteMagnitude)
  }

  private func magnitude(_ samples: UnsafePointer<Float>, _ count: Int) -> Float {
    let bytes = unsafe UnsafeRawPointer(samples)
    var highest = SIMD8<Float>(repeating: 0)
    var index = 0
    while index &+ 8 <= count {
      let values = unsafe bytes.loadUnaligned(fromByteOffset: 4 &* index, as: SIMD8<Float>.self)
      highest.replace(with: values, where: values .> highest)
      highest.replace(with: -values, where: -values .> highest)
      index &+= 8
    }
    var result = highest.max()
    while index < count {
      result = unsafe max(result, abs(samples[index]))
      index &+= 1
    }
    return result
  }
}

/// A windowed sinc that gives the values at eight places between two samples.
@safe private final class PeakFilter {
  /// How much higher than the highest sample a value can be.
  let mostGain: Float
  private let first: Int
  private let count: Int
  private let coefficients: UnsafeMutablePointer<SIMD8<Float>>

  /// A filter over so many samples to each side; `window` goes from 1 in the middle to ±1 at the ends.
  package init(reach: Int, window: (Double) -> Double) {
    let middle = TruePeakDetector.length / 2 - 1
    first = middle + 1 - reach
    count = 2 * reach
    unsafe coefficients = .allocate(capacity: count)
    let whole = window(0)
    var sums = SIMD8<Float>(repeating: 0)
    for tap in 0..<count {
      var row = SIMD8<Float>(repeating: 0)
      for phase in 0..<8 {
        let distance = Double(phase) / 8 - Double(first + tap - middle)
        guard abs(distance) < Double(reach) else { continue }
        let sinc = distance == 0 ? 1 : sin(.pi * distance) / (.pi * distance)
        row[phase] = Float(sinc * window(distance / Double(reach)) / whole)
      }
      unsafe (coefficients + tap).initialize(to: row)
      for phase in 0..<8 { sums[phase] += abs(row[phase]) }
    }
    mostGain = sums.max()
  }

  deinit { unsafe coefficients.deallocate() }

  /// The highest of the eight magnitudes after the frame in the middle.
  @inline(__always)
  package func value(_ samples: UnsafePointer<Float>) -> Float {
    var even = SIMD8<Float>(repeating: 0)
    var odd = SIMD8<Float>(repeating: 0)
    var tap = 0
    while tap < count {
      unsafe even += coefficients[tap] * SIMD8(repeating: samples[first &+ tap])
      unsafe odd += coefficients[tap &+ 1] * SIMD8(repeating: samples[first &+ tap &+ 1])
      tap &+= 2
    }
    let sum = even + odd
    return max(sum.max(), -sum.min())
  }
}

/// Finds the true peak of a whole signal.
@safe final class TruePeakMeter {
  private let detectors: [TruePeakDetector]
  private let peaks: UnsafeMutablePointer<Float>
  private static let capacity = 1024
  /// The highest magnitude so far, linear.
  package private(set) var peak: Float = 0

  package init(sampleRate: Double, channelCount: Int) {
    detectors = (0..<channelCount).map { _ in TruePeakDetector(sampleRate: sampleRate) }
    unsafe peaks = .allocate(capacity: Self.capacity)
    unsafe peaks.initialize(repeating: 0, count: Self.capacity)
  }

  deinit { unsafe peaks.deallocate() }

  /// Takes frames in.
  package func add(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
    var done = 0
    while done < frameCount {
      let count = min(Self.capacity, frameCount - done)
      for (channel, detector) in detectors.enumerated() {
        unsafe add(channels[channel] + done, count, detector)
      }
      done += count
    }
  }

  private func add(_ samples: UnsafePointer<Float>, _ count: Int, _ detector: TruePeakDetector) {
    unsafe peaks.update(repeating: 0, count: count)
    unsafe detector.raise(peaks, by: samples, count: count, floor: peak)
    for index in 0..<count { unsafe peak = max(peak, peaks[index]) }
  }

  /// Takes the last frames into account, which have silence behind them.
  package func finish() {
    let silence = [Float](repeating: 0, count: TruePeakDetector.delay)
    for detector in detectors {
      unsafe silence.withUnsafeBufferPointer { silence in
        guard let base = silence.baseAddress else { return }
        unsafe add(base, silence.count, detector)
      }
    }
  }
}
