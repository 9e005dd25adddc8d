// What a signal reaches between its samples: oversampled eight times, where that can matter.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Finds the peaks of one channel between its samples.
///
/// Eight values a sample are computed by a windowed sinc of 96 samples, longer than measuring
/// programs take, so that none of them finds more near half the sample rate. Where the samples nearby
/// are too small to matter, nothing is computed. Answers come 48 frames late.
@safe final class TruePeakDetector {
  /// How many values are computed for each sample.
  static let factor = 8
  /// Samples that a value is computed from.
  static let length = 96
  /// How many frames answers are late.
  static let delay = length / 2
  private static let block = 64
  private static let capacity = 4096

  private let coefficients: UnsafeMutablePointer<SIMD8<Float>>
  /// How much higher than the samples around it a value can be.
  private let mostGain: Float
  private let work: UnsafeMutablePointer<Float>

  init() {
    let length = Self.length
    unsafe coefficients = .allocate(capacity: length)
    var sums = SIMD8<Float>(repeating: 0)
    for tap in 0..<length {
      var row = SIMD8<Float>(repeating: 0)
      for phase in 0..<Self.factor {
        let distance = Double(phase) / Double(Self.factor) - Double(tap - (length / 2 - 1))
        row[phase] = Float(Self.tap(distance))
      }
      unsafe (coefficients + tap).initialize(to: row)
      for phase in 0..<Self.factor { sums[phase] += abs(row[phase]) }
    }
    mostGain = sums.max()
    unsafe work = .allocate(capacity: length - 1 + Self.capacity)
    unsafe work.initialize(repeating: 0, count: length - 1 + Self.capacity)
  }

  deinit {
    unsafe coefficients.deallocate()
    unsafe work.deallocate()
  }

  /// A sinc under a Kaiser window.
  private static func tap(_ distance: Double) -> Double {
    let half = Double(length) / 2
    guard abs(distance) < half else { return 0 }
    let sinc = distance == 0 ? 1 : sin(.pi * distance) / (.pi * distance)
    let place = distance / half
    return sinc * bessel(4 * (1 - place * place).squareRoot()) / bessel(4)
  }

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
  func raise(
    _ peaks: UnsafeMutablePointer<Float>, by samples: UnsafePointer<Float>, count: Int,
    floor: Float
  ) {
    var done = 0
    while done < count {
      let part = min(Self.capacity, count - done)
      let past = Self.length - 1
      unsafe (work + past).update(from: samples + done, count: part)
      var start = 0
      while start < part {
        let size = min(Self.block, part - start)
        if unsafe magnitude(work + start, size + past) * mostGain > floor {
          for index in start..<(start + size) {
            let found = unsafe value(work + index)
            if unsafe found > peaks[done + index] { unsafe peaks[done + index] = found }
          }
        }
        start += size
      }
      unsafe work.update(from: work + part, count: past)
      done += part
    }
  }

  /// The highest of the eight values after the frame in the middle of 96 samples.
  @inline(__always)
  private func value(_ samples: UnsafePointer<Float>) -> Float {
    var even = SIMD8<Float>(repeating: 0)
    var odd = SIMD8<Float>(repeating: 0)
    var tap = 0
    while tap < Self.length {
      unsafe even += coefficients[tap] * SIMD8(repeating: samples[tap])
      unsafe odd += coefficients[tap &+ 1] * SIMD8(repeating: samples[tap &+ 1])
      tap &+= 2
    }
    let sum = even + odd
    return max(sum.max(), -sum.min())
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

/// Finds the true peak of a whole signal.
@safe final class TruePeakMeter {
  private let detectors: [TruePeakDetector]
  private let peaks: UnsafeMutablePointer<Float>
  private static let capacity = 1024
  /// The highest magnitude so far, linear.
  private(set) var peak: Float = 0

  init(channelCount: Int) {
    detectors = (0..<channelCount).map { _ in TruePeakDetector() }
    unsafe peaks = .allocate(capacity: Self.capacity)
    unsafe peaks.initialize(repeating: 0, count: Self.capacity)
  }

  deinit { unsafe peaks.deallocate() }

  /// Takes frames in.
  func add(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
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
  func finish() {
    let silence = [Float](repeating: 0, count: TruePeakDetector.delay)
    for detector in detectors {
      unsafe silence.withUnsafeBufferPointer { silence in
        guard let base = silence.baseAddress else { return }
        unsafe add(base, silence.count, detector)
      }
    }
  }
}
